/** The credential that a connection or a channel has presented, and its rights. */

import type { Claims, TokenCheck } from "../../keys/port.ts";
import { TOKEN_FAULTS, type TokenProblem } from "../payloads/faults.ts";

export interface Credential {
  /** The token; null for the connection's own key. */
  readonly token: string | null;
  readonly claims: Claims;
}

export type Authentication =
  | { readonly ok: true; readonly credential: Credential }
  | { readonly ok: false; readonly problem: TokenProblem };

/** Returns a credential that was checked earlier, or the fault when it has expired since. @param now milliseconds since 1970 */
export function stillValid(credential: Credential, now: number): Authentication {
  return isExpired(credential.claims, now)
    ? { ok: false, problem: TOKEN_FAULTS.expired }
    : { ok: true, credential };
}

/** Returns the effect of a token's check on the channel for which it was sent. @param now milliseconds since 1970 */
export function authentication(token: string, checked: TokenCheck, now: number): Authentication {
  if (checked.ok) return stillValid({ token, claims: checked.claims }, now);
  // A channel may omit its token; one that it sends counts as a token, even if it is empty.
  const fault = checked.fault === "missing" ? "malformed" : checked.fault;
  return { ok: false, problem: TOKEN_FAULTS[fault] };
}

/**
 * Whether a client may enter a channel. A private one requires a signed-in user or the service key: there are no
 * finer policies here.
 */
export function mayEnter(isPrivate: boolean, claims: Claims): boolean {
  return !isPrivate || claims.role !== "anon";
}

/** Whether claims have expired; a token without `exp` never does. @param now milliseconds since 1970 */
export function isExpired(claims: Claims, now: number): boolean {
  return claims.exp !== undefined && claims.exp * 1000 <= now;
}
