/** A WebAuthn authenticator in software: ES256 keys, "none" attestation. */

import {
  createHash,
  createSign,
  generateKeyPairSync,
  randomBytes,
  type KeyObject,
} from "node:crypto";

type Binary = string | ArrayBuffer;

export interface CreationRequest {
  readonly challenge: Binary;
  readonly rp: { readonly id?: string };
  readonly user: { readonly id: Binary };
}

export interface AssertionRequest {
  readonly challenge: Binary;
  readonly rpId?: string;
  readonly allowCredentials?: readonly { readonly id: Binary }[];
}

interface StoredCredential {
  readonly id: string;
  readonly rpId: string;
  readonly userHandle: string;
  readonly key: KeyObject;
  count: number;
}

export interface Authenticator {
  /** Registers a credential. The result has toJSON, like a browser's credential. */
  create(request: CreationRequest, more?: Deviation): CredentialJson;
  /** Signs in with a credential. @throws Error when there is none */
  get(request: AssertionRequest, more?: Deviation): CredentialJson;
}

/** The deviation of an attacker or a broken device from the protocol. */
export interface Deviation {
  readonly origin?: string;
  readonly rpId?: string;
  readonly verified?: boolean;
  readonly count?: number;
  /** An RSA key of so many bits instead of ES256, or an ES256 key that claims to be RS256. */
  readonly key?: number | "labelled RS256";
}

export type CredentialJson = Readonly<Record<string, unknown>> & {
  toJSON(): Readonly<Record<string, unknown>>;
};

/** Makes an authenticator. `origin` is the page's, unless a call deviates from it. */
export function createAuthenticator(origin: string): Authenticator {
  const stored: StoredCredential[] = [];
  return {
    create(request, more = {}) {
      const { publicKey, privateKey } =
        typeof more.key === "number"
          ? generateKeyPairSync("rsa", { modulusLength: more.key })
          : generateKeyPairSync("ec", { namedCurve: "P-256" });
      const id = randomBytes(16);
      const rpId = more.rpId ?? request.rp.id ?? new URL(origin).hostname;
      const one: StoredCredential = {
        id: id.toString("base64url"),
        rpId,
        userHandle: base64url(request.user.id),
        key: privateKey,
        count: 0,
      };
      stored.push(one);
      const credential = Buffer.concat([
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        coseKey(publicKey, more.key === "labelled RS256"),
      ]);
      const authData = Buffer.concat([header(rpId, 0x40, 0, more), credential]);
      const attestationObject = Buffer.concat([
        Buffer.from([0xa3]),
        cborText("fmt"),
        cborText("none"),
        cborText("attStmt"),
        Buffer.from([0xa0]),
        cborText("authData"),
        cborBytes(authData),
      ]);
      return credentialJson(one.id, {
        clientDataJSON: clientData("webauthn.create", request.challenge, more.origin ?? origin),
        attestationObject: attestationObject.toString("base64url"),
        transports: ["internal"],
      });
    },
    get(request, more = {}) {
      const allowed = request.allowCredentials?.map((one) => base64url(one.id));
      const one = stored.findLast((each) => allowed === undefined || allowed.includes(each.id));
      if (one === undefined) throw new Error("this authenticator has no such credential");
      one.count = more.count ?? one.count + 1;
      const authData = header(more.rpId ?? one.rpId, 0, one.count, more);
      const data = clientData("webauthn.get", request.challenge, more.origin ?? origin);
      const hash = createHash("sha256").update(Buffer.from(data, "base64url")).digest();
      const signature = createSign("sha256").update(authData).update(hash).sign(one.key);
      return credentialJson(one.id, {
        clientDataJSON: data,
        authenticatorData: authData.toString("base64url"),
        signature: signature.toString("base64url"),
        userHandle: one.userHandle,
      });
    },
  };
}

function credentialJson(id: string, response: Readonly<Record<string, unknown>>): CredentialJson {
  const json = { id, rawId: id, type: "public-key", response, clientExtensionResults: {} };
  return { ...json, toJSON: () => json };
}

function clientData(type: string, challenge: Binary, origin: string): string {
  const text = JSON.stringify({
    type,
    challenge: base64url(challenge),
    origin,
    crossOrigin: false,
  });
  return Buffer.from(text).toString("base64url");
}

/** Returns the relying party's hash, the flags (present, verified) and the counter. */
function header(rpId: string, flags: number, count: number, more: Deviation): Buffer {
  const counter = Buffer.alloc(4);
  counter.writeUInt32BE(count);
  const presence = more.verified === false ? 0x01 : 0x05;
  return Buffer.concat([
    createHash("sha256").update(rpId).digest(),
    Buffer.from([flags | presence]),
    counter,
  ]);
}

/** Returns a COSE key: kty RSA, alg RS256, n, e; or kty EC2, alg ES256, curve P-256, x, y. */
function coseKey(key: KeyObject, mislabelled: boolean): Buffer {
  const { x = "", y = "", n = "", e = "" } = key.export({ format: "jwk" });
  if (n !== "")
    return Buffer.concat([
      Buffer.from("a4010303390100", "hex"),
      Buffer.from([0x20]),
      cborBytes(Buffer.from(n, "base64url")),
      Buffer.from([0x21]),
      cborBytes(Buffer.from(e, "base64url")),
    ]);
  return Buffer.concat([
    Buffer.from(mislabelled ? "a50102033901002001" : "a5010203262001", "hex"),
    Buffer.from([0x21]),
    cborBytes(Buffer.from(x, "base64url")),
    Buffer.from([0x22]),
    cborBytes(Buffer.from(y, "base64url")),
  ]);
}

function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 | text.length]), Buffer.from(text)]);
}

function cborBytes(bytes: Buffer): Buffer {
  const { length } = bytes;
  const long = length < 256 ? [0x58, length] : [0x59, length >> 8, length & 255];
  // It must be the shortest form: the library encodes it again, and compares the lengths.
  const head = length < 24 ? [0x40 | length] : long;
  return Buffer.concat([Buffer.from(head), bytes]);
}

function base64url(value: Binary): string {
  return typeof value === "string" ? value : Buffer.from(value).toString("base64url");
}
