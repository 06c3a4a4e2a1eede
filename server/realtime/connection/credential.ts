/** What a connection or a channel has shown of its user, and what that allows. */

import type { Claims, TokenCheck } from "../../keys/port.ts";
import { TOKEN_FAULTS, type TokenProblem } from "../payloads/faults.ts";

export interface Credential {
  /** Null for the connection's own key. */
  readonly token: string | null;
  readonly claims: Claims;
}

export type Authentication =
  | { readonly ok: true; readonly credential: Credential }
  | { readonly ok: false; readonly problem: TokenProblem };

/** A credential that was checked earlier; it may have expired since. @param now milliseconds since 1970 */
export function stillValid(credential: Credential, now: number): Authentication {
  return isExpired(credential.claims, now)
    ? { ok: false, problem: TOKEN_FAULTS.expired }
    : { ok: true, credential };
}

/** What the check of a token means for the channel that it was sent for. @param now milliseconds since 1970 */
export function authentication(token: string, checked: TokenCheck, now: number): Authentication {
  if (checked.ok) return stillValid({ token, claims: checked.claims }, now);
  // A channel may leave its token out; one that it sends is a token, an empty one too.
  const fault = checked.fault === "missing" ? "malformed" : checked.fault;
  return { ok: false, problem: TOKEN_FAULTS[fault] };
}

/** A private channel needs a signed-in user or the service key: there are no finer policies here. */
export function mayEnter(isPrivate: boolean, claims: Claims): boolean {
  return !isPrivate || claims.role !== "anon";
}

/** A token without `exp` does not expire. @param now milliseconds since 1970 */
export function isExpired(claims: Claims, now: number): boolean {
  return claims.exp !== undefined && claims.exp * 1000 <= now;
}
