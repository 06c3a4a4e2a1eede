/** Security keys as second factors. The first challenge of a factor creates its credential, later ones ask for it. */

import type { Caller } from "../context/caller.ts";
import type { Auth } from "../context/context.ts";
import { AuthFault } from "../http/errors.ts";
import {
  creationOptions,
  requestOptions,
  verifyCreation,
  verifyRequest,
  type Credential,
} from "../passkeys/credentials.ts";
import { requestedParty, type RelyingParty } from "../passkeys/relying-party.ts";
import { recordField, textField, type AuthRequest } from "../http/request.ts";
import { sha256 } from "../secrets/secrets.ts";
import { factorsOf, type StoredFactor, type StoredChallenge } from "../store/factors.ts";
import type { Values } from "../store/rows.ts";

/** The state of a ceremony, stored with its challenge. */
interface Ceremony {
  readonly type: "create" | "request";
  readonly challengeHash: string;
  readonly party: RelyingParty;
}

/** Starts a ceremony; returns the state to store, and the options for the client. @throws AuthFault validation_failed */
export async function startCeremony(
  auth: Auth,
  request: AuthRequest,
  subject: { readonly caller: Caller; readonly factor: StoredFactor },
): Promise<{ ceremony: string; shown: Readonly<Record<string, unknown>> }> {
  const { caller, factor } = subject;
  const party = requestedParty(auth, request);
  const own = credentialOf(factor);
  const type = own === undefined ? "create" : "request";
  const options =
    own === undefined
      ? await creationOptions(party, caller.user, await credentialsOf(auth, caller), "factor")
      : await requestOptions(party, [own], "factor");
  const ceremony: Ceremony = { type, challengeHash: sha256(options.challenge), party };
  return {
    ceremony: JSON.stringify(ceremony),
    shown: { type, credential_options: { publicKey: options } },
  };
}

function credentialOf(factor: StoredFactor): Credential | undefined {
  if (factor.status !== "verified" || factor.credentialId === null || factor.publicKey === null)
    return undefined;
  const { credentialId: id, publicKey, signCount, transports } = factor;
  return { id, publicKey, signCount, transports };
}

async function credentialsOf(auth: Auth, caller: Caller): Promise<Credential[]> {
  const factors = await factorsOf(auth.database, caller.user.id);
  return factors.flatMap((factor) => credentialOf(factor) ?? []);
}

/**
 * Ends a ceremony; returns the changes to the factor's row, or undefined when the authenticator's response is wrong.
 * @throws AuthFault validation_failed
 */
export async function finishCeremony(
  request: AuthRequest,
  factor: StoredFactor,
  challenge: StoredChallenge,
): Promise<Values | undefined> {
  const given = recordField(request.body, "webauthn");
  if (given === undefined) throw new AuthFault("validation_failed", "WebAuthn config required");
  const type = textField(given, "type");
  const response = recordField(given, "credential_response");
  if (response === undefined)
    throw new AuthFault("validation_failed", "credential_response required");
  const ceremony = JSON.parse(challenge.ceremony ?? "{}") as Ceremony;
  if (type !== ceremony.type)
    throw new AuthFault("validation_failed", `WebAuthn type must be ${ceremony.type}`);
  const expected = {
    challengeHash: ceremony.challengeHash,
    party: ceremony.party,
    strength: "factor",
  } as const;
  const own = credentialOf(factor);
  if (ceremony.type === "create") {
    // Another request may have verified the factor since this ceremony began: nobody replaces its credential.
    if (own !== undefined) return undefined;
    const made = await verifyCreation(response, expected);
    return made === undefined
      ? undefined
      : {
          credential_id: made.id,
          public_key: made.publicKey,
          sign_count: made.signCount,
          transports: JSON.stringify(made.transports),
        };
  }
  if (own === undefined || textField(response, "id") !== own.id) return undefined;
  const signCount = await verifyRequest(response, expected, own);
  return signCount === undefined ? undefined : { sign_count: signCount };
}
