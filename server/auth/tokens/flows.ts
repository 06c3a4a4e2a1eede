/**
 * Sign-ins that begin here and end elsewhere: links with PKCE, OAuth providers, SAML identity providers. A flow is
 * the state that the server stores in between.
 */

import { createHash, randomUUID } from "node:crypto";
import type { Queryable, Row } from "../../storage/port.ts";
import { type Auth, isExpired, timestamp } from "../context/context.ts";
import { AuthFault } from "../http/errors.ts";
import { textField, type Fields } from "../http/request.ts";
import { randomSecret, sameText, sha256 } from "../secrets/secrets.ts";
import { insert, one, text, textOrNull } from "../store/rows.ts";
import { lockUser, type StoredUser } from "../store/users.ts";

export interface Flow {
  readonly id: string;
  readonly userId: string | null;
  readonly kind: string;
  readonly challenge: Challenge | null;
  readonly provider: string | null;
  readonly redirectTo: string | null;
  /** Secrets of the flow, sealed. */
  readonly sealed: string | null;
  /** The method of the sign-in, for the token's `amr`. */
  readonly method: string | null;
  readonly linkingUserId: string | null;
  readonly expiresAt: string;
}

/** The code challenge of PKCE. */
export interface Challenge {
  readonly value: string;
  readonly method: "s256" | "plain";
}

/** Reads the code challenge of a body or query; undefined without one. @throws AuthFault validation_failed */
export function readChallenge(fields: Fields): Challenge | undefined {
  const value = textField(fields, "code_challenge");
  const method = textField(fields, "code_challenge_method")?.toLowerCase();
  if (value === undefined && method === undefined) return undefined;
  if (value === undefined || method === undefined)
    throw new AuthFault(
      "validation_failed",
      "PKCE flow requires code_challenge_method and code_challenge",
    );
  if (method !== "s256" && method !== "plain")
    throw new AuthFault("validation_failed", "code challenge method must be s256 or plain");
  if (!/^[\w.~-]{43,128}$/.test(value))
    throw new AuthFault(
      "validation_failed",
      "code challenge has to be between 43 and 128 characters of letters, digits, -, ., _ and ~",
    );
  return { value, method };
}

export interface NewFlow {
  readonly kind: string;
  readonly validMs: number;
  readonly challenge?: Challenge | undefined;
  readonly state?: string | undefined;
  readonly provider?: string | undefined;
  readonly redirectTo?: string | undefined;
  readonly sealed?: string | undefined;
  readonly linkingUserId?: string | undefined;
}

/** Stores a new flow and returns its id. */
export async function openFlow(auth: Auth, db: Queryable, flow: NewFlow): Promise<string> {
  const id = randomUUID();
  await insert(db, "auth_flow_states", {
    id,
    kind: flow.kind,
    state_hash: flow.state === undefined ? null : sha256(flow.state),
    code_challenge: flow.challenge?.value ?? null,
    code_challenge_method: flow.challenge?.method ?? null,
    provider: flow.provider ?? null,
    redirect_to: flow.redirectTo ?? null,
    sealed: flow.sealed ?? null,
    linking_user_id: flow.linkingUserId ?? null,
    expires_at: timestamp(auth, flow.validMs),
    created_at: timestamp(auth),
  });
  return id;
}

/** Returns the flow of a state, once: later callers get undefined. The flow may have expired. */
export async function takeState(
  db: Queryable,
  kind: string,
  state: string,
): Promise<Flow | undefined> {
  const row = await one(
    db,
    "update auth_flow_states set state_hash = null where state_hash = $1 and kind = $2 returning *",
    [sha256(state), kind],
  );
  return row === undefined ? undefined : readFlow(row);
}

/** Whether a flow is still there: what ends the sessions of its user deletes it. */
export async function isOpen(db: Queryable, id: string): Promise<boolean> {
  const row = await one(db, "select 1 as found from auth_flow_states where id = $1", [id]);
  return row !== undefined;
}

/** Creates the code that the client exchanges for a session. The provider's tokens are sealed until then. */
export async function issueCode(
  auth: Auth,
  tx: Queryable,
  done: {
    readonly flowId: string;
    readonly userId: string;
    readonly method: string;
    readonly providerTokens?: Readonly<Record<string, string>> | undefined;
  },
): Promise<string> {
  const code = randomUUID();
  const sealed =
    done.providerTokens === undefined
      ? null
      : auth.pepper.seal(JSON.stringify(done.providerTokens), `code ${code}`);
  const row = await one(
    tx,
    `update auth_flow_states set user_id = $2, code_hash = $3, method = $4, sealed = $5, expires_at = $6
     where id = $1 returning id`,
    [
      done.flowId,
      done.userId,
      sha256(code),
      done.method,
      sealed,
      timestamp(auth, auth.settings.GOTRUE_EXTERNAL_FLOW_STATE_EXPIRY_DURATION),
    ],
  );
  if (row === undefined)
    throw new AuthFault("flow_state_not_found", "invalid flow state, no valid flow state found");
  return code;
}

export interface Exchange {
  readonly flow: Flow;
  /** The user of the flow, locked. */
  readonly user: StoredUser;
  readonly providerTokens: Readonly<Record<string, string>>;
}

/**
 * Returns the flow of a code and deletes it, when the verifier matches.
 * @throws AuthFault flow_state_not_found, flow_state_expired, bad_code_verifier
 */
export async function exchangeCode(
  auth: Auth,
  tx: Queryable,
  code: string,
  verifier: string,
): Promise<Exchange> {
  const lost = new AuthFault(
    "flow_state_not_found",
    "invalid flow state, no valid flow state found",
  );
  const row = await one(tx, "select * from auth_flow_states where code_hash = $1", [sha256(code)]);
  if (row === undefined) throw lost;
  const flow = readFlow(row);
  if (isExpired(auth, flow.expiresAt))
    throw new AuthFault("flow_state_expired", "invalid flow state, flow state has expired");
  if (!matchesChallenge(flow.challenge, verifier))
    throw new AuthFault(
      "bad_code_verifier",
      "code challenge does not match previously saved code verifier",
    );
  const user = await lockUser(tx, flow.userId ?? "");
  const gone = await one(
    tx,
    "delete from auth_flow_states where id = $1 and code_hash = $2 returning id",
    [flow.id, sha256(code)],
  );
  if (user === undefined || gone === undefined) throw lost;
  const tokens = flow.sealed === null ? "{}" : auth.pepper.open(flow.sealed, `code ${code}`);
  return { flow, user, providerTokens: JSON.parse(tokens) as Record<string, string> };
}

function matchesChallenge(challenge: Challenge | null, verifier: string): boolean {
  if (challenge === null) return false;
  const own =
    challenge.method === "plain"
      ? verifier
      : createHash("sha256").update(verifier).digest("base64url");
  return sameText(own, challenge.value);
}

/** A random state for a provider. */
export const newState = randomSecret;

function readFlow(row: Row): Flow {
  const value = textOrNull(row, "code_challenge");
  return {
    id: text(row, "id"),
    userId: textOrNull(row, "user_id"),
    kind: text(row, "kind"),
    challenge:
      value === null
        ? null
        : { value, method: text(row, "code_challenge_method") === "plain" ? "plain" : "s256" },
    provider: textOrNull(row, "provider"),
    redirectTo: textOrNull(row, "redirect_to"),
    sealed: textOrNull(row, "sealed"),
    method: textOrNull(row, "method"),
    linkingUserId: textOrNull(row, "linking_user_id"),
    expiresAt: text(row, "expires_at"),
  };
}
