/** The two ceremonies of WebAuthn. The library checks the formats and signatures; undefined means that it refused. */

import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { textField, recordField, type Fields } from "../http/request.ts";
import { sameText, sha256 } from "../secrets/secrets.ts";
import type { StoredUser } from "../store/users.ts";
import { isSoundKey, type CoseKey } from "./cose-key.ts";
import type { RelyingParty } from "./relying-party.ts";

/** The public part of a credential, as it is stored. */
export interface Credential {
  readonly id: string;
  /** The public key: COSE, in base64url. */
  readonly publicKey: string;
  readonly signCount: number;
  readonly transports: readonly string[];
}

/** Loads the library with the first ceremony, since that takes longer than for any other library here. */
const library = (): Promise<typeof import("@simplewebauthn/server")> =>
  import("@simplewebauthn/server");

/** The strength of a credential: a passkey must verify its user (fingerprint, PIN); a second factor need not. */
export type Strength = "passkey" | "factor";

/** Returns the options of a registration. `known` credentials are not registered again. */
export async function creationOptions(
  party: RelyingParty,
  user: StoredUser,
  known: readonly Pick<Credential, "id" | "transports">[],
  strength: Strength,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const name = user.email ?? user.phone ?? user.id;
  return (await library()).generateRegistrationOptions({
    rpName: party.name,
    rpID: party.id,
    userName: name,
    userDisplayName: name,
    userID: bytes(user.id),
    attestationType: "none",
    excludeCredentials: known.map(describe),
    authenticatorSelection:
      strength === "passkey"
        ? { residentKey: "required", userVerification: "required" }
        : { residentKey: "discouraged", userVerification: "preferred" },
  });
}

/** Returns the options of a sign-in. Without `known` credentials, the authenticator offers its own. */
export async function requestOptions(
  party: RelyingParty,
  known: readonly Pick<Credential, "id" | "transports">[],
  strength: Strength,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return (await library()).generateAuthenticationOptions({
    rpID: party.id,
    userVerification: strength === "passkey" ? "required" : "preferred",
    ...(known.length === 0 ? {} : { allowCredentials: known.map(describe) }),
  });
}

function describe(known: Pick<Credential, "id" | "transports">): {
  id: string;
  transports: string[];
} {
  return { id: known.id, transports: [...known.transports] };
}

interface Expected {
  /** The hash of the challenge that the options contained. */
  readonly challengeHash: string;
  readonly party: RelyingParty;
  readonly strength: Strength;
}

/** Returns the new credential; undefined for a wrong response. */
export async function verifyCreation(
  response: Fields,
  expected: Expected,
): Promise<Credential | undefined> {
  try {
    const result = await (
      await library()
    ).verifyRegistrationResponse({
      response: response as unknown as RegistrationResponseJSON,
      expectedChallenge: (challenge) => sameText(sha256(challenge), expected.challengeHash),
      expectedOrigin: [...expected.party.origins],
      expectedRPID: expected.party.id,
      requireUserVerification: expected.strength === "passkey",
    });
    if (!result.verified) return undefined;
    const { credential } = result.registrationInfo;
    const { decodeCredentialPublicKey } = await import("@simplewebauthn/server/helpers");
    if (!isSoundKey(decodeCredentialPublicKey(credential.publicKey) as CoseKey)) return undefined;
    return {
      id: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString("base64url"),
      signCount: credential.counter,
      transports: readTransports(response),
    };
  } catch {
    return undefined;
  }
}

/** Returns the authenticator's new counter; undefined for a wrong response. */
export async function verifyRequest(
  response: Fields,
  expected: Expected,
  credential: Credential,
): Promise<number | undefined> {
  try {
    const result = await (
      await library()
    ).verifyAuthenticationResponse({
      response: response as unknown as AuthenticationResponseJSON,
      expectedChallenge: (challenge) => sameText(sha256(challenge), expected.challengeHash),
      expectedOrigin: [...expected.party.origins],
      expectedRPID: expected.party.id,
      requireUserVerification: expected.strength === "passkey",
      credential: {
        id: credential.id,
        publicKey: new Uint8Array(Buffer.from(credential.publicKey, "base64url")),
        counter: credential.signCount,
        transports: [...credential.transports],
      },
    });
    return result.verified ? result.authenticationInfo.newCounter : undefined;
  } catch {
    return undefined;
  }
}

const TRANSPORTS = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"];

function readTransports(response: Fields): readonly string[] {
  const given = recordField(response, "response")?.["transports"];
  return Array.isArray(given) ? TRANSPORTS.filter((transport) => given.includes(transport)) : [];
}

/** Returns the user's id, which the authenticator stored at registration; "" when it is missing. */
export function userHandle(response: Fields): string {
  const handle = textField(recordField(response, "response") ?? {}, "userHandle") ?? "";
  return Buffer.from(handle, "base64url").toString("utf8");
}

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(text));
}
