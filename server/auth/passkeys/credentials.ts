/** The two ceremonies of WebAuthn, on the library that knows its formats. A wrong answer is undefined, whatever was wrong. */

import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { textField, recordField } from "../request.ts";
import type { Fields } from "../request.ts";
import { sameText, sha256 } from "../secrets.ts";
import type { StoredUser } from "../store/users.ts";
import type { RelyingParty } from "./relying-party.ts";

/** What is kept of a credential. */
export interface Credential {
  readonly id: string;
  /** COSE, base64url. */
  readonly publicKey: string;
  readonly signCount: number;
  readonly transports: readonly string[];
}

/** Loaded by the first ceremony: it is the slowest library to load. */
const library = (): Promise<typeof import("@simplewebauthn/server")> =>
  import("@simplewebauthn/server");

/** How sure the authenticator must be who is holding it. */
export type Strength = "passkey" | "factor";

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

/** With no credentials named, the authenticator offers those that it holds. */
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
  /** The hash that is stored of it. */
  readonly challengeHash: string;
  readonly party: RelyingParty;
  readonly strength: Strength;
}

export async function verifyCreation(
  answer: Fields,
  expected: Expected,
): Promise<Credential | undefined> {
  try {
    const result = await (
      await library()
    ).verifyRegistrationResponse({
      response: answer as unknown as RegistrationResponseJSON,
      expectedChallenge: (challenge) => sameText(sha256(challenge), expected.challengeHash),
      expectedOrigin: [...expected.party.origins],
      expectedRPID: expected.party.id,
      requireUserVerification: expected.strength === "passkey",
    });
    if (!result.verified) return undefined;
    const { credential } = result.registrationInfo;
    return {
      id: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString("base64url"),
      signCount: credential.counter,
      transports: readTransports(answer),
    };
  } catch {
    return undefined;
  }
}

/** @returns the authenticator's new counter */
export async function verifyRequest(
  answer: Fields,
  expected: Expected,
  credential: Credential,
): Promise<number | undefined> {
  try {
    const result = await (
      await library()
    ).verifyAuthenticationResponse({
      response: answer as unknown as AuthenticationResponseJSON,
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

function readTransports(answer: Fields): readonly string[] {
  const given = recordField(answer, "response")?.["transports"];
  return Array.isArray(given) ? TRANSPORTS.filter((transport) => given.includes(transport)) : [];
}

/** The id that the authenticator was given for the user, as text. */
export function userHandle(answer: Fields): string {
  const handle = textField(recordField(answer, "response") ?? {}, "userHandle") ?? "";
  return Buffer.from(handle, "base64url").toString("utf8");
}

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(text));
}
