/** Security keys as second factors. The first challenge of a factor makes its credential, later ones ask for it. */

import type { Auth } from "../context.ts";
import type { Caller } from "../caller.ts";
import { AuthFault } from "../errors.ts";
import { recordField, textField } from "../request.ts";
import type { AuthRequest } from "../request.ts";
import {
  creationOptions,
  requestOptions,
  verifyCreation,
  verifyRequest,
} from "../passkeys/credentials.ts";
import type { Credential } from "../passkeys/credentials.ts";
import { requestedParty } from "../passkeys/relying-party.ts";
import type { RelyingParty } from "../passkeys/relying-party.ts";
import { sha256 } from "../secrets.ts";
import { factorsOf } from "../store/factors.ts";
import type { StoredFactor } from "../store/factors.ts";
import type { Values } from "../store/rows.ts";
import type { Attempt } from "./verify.ts";

/** What a challenge remembers of its ceremony. */
interface Ceremony {
  readonly type: "create" | "request";
  readonly challengeHash: string;
  readonly party: RelyingParty;
}

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
      ? await creationOptions(party, caller.user, await others(auth, caller), "factor")
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

async function others(auth: Auth, caller: Caller): Promise<Credential[]> {
  const factors = await factorsOf(auth.database, caller.user.id);
  return factors.flatMap((factor) => credentialOf(factor) ?? []);
}

/** What the factor's row becomes; undefined when the answer is wrong. @throws AuthFault validation_failed */
export async function finishCeremony(
  _auth: Auth,
  request: AuthRequest,
  attempt: Attempt,
): Promise<Values | undefined> {
  const given = recordField(request.body, "webauthn");
  if (given === undefined) throw new AuthFault("validation_failed", "WebAuthn config required");
  const type = textField(given, "type");
  const answer = recordField(given, "credential_response");
  if (answer === undefined)
    throw new AuthFault("validation_failed", "credential_response required");
  const ceremony = JSON.parse(attempt.challenge.ceremony ?? "{}") as Ceremony;
  if (type !== ceremony.type)
    throw new AuthFault("validation_failed", `WebAuthn type must be ${ceremony.type}`);
  const expected = {
    challengeHash: ceremony.challengeHash,
    party: ceremony.party,
    strength: "factor",
  } as const;
  if (ceremony.type === "create") {
    const made = await verifyCreation(answer, expected);
    return made === undefined
      ? undefined
      : {
          credential_id: made.id,
          public_key: made.publicKey,
          sign_count: made.signCount,
          transports: JSON.stringify(made.transports),
        };
  }
  const own = credentialOf(attempt.factor);
  if (own === undefined || textField(answer, "id") !== own.id) return undefined;
  const signCount = await verifyRequest(answer, expected, own);
  return signCount === undefined ? undefined : { sign_count: signCount };
}
