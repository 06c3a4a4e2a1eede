/** Who sends a request: API keys and JSON Web Tokens. */

export type Role = "anon" | "authenticated" | "service_role";

/** The claims of a token that was checked. */
export interface Claims {
  readonly role: Role;
  readonly sub?: string;
  readonly exp?: number;
  readonly session_id?: string;
  readonly aal?: string;
  readonly [claim: string]: unknown;
}

export type TokenFault = "missing" | "malformed" | "signature" | "expired" | "claims";

export type TokenCheck =
  | { readonly ok: true; readonly claims: Claims }
  | { readonly ok: false; readonly fault: TokenFault };

/** The keys of this installation: generated on first start and kept in DATA_DIR, or from GOTRUE_JWT_*. */
export interface KeyRing {
  /** Public by design: the page uses it. */
  readonly anonKey: string;
  /** Never leaves the server. */
  readonly serviceKey: string;
  /** Signature (HS256, RS256, ES256), expiry, and the claims `role` and `exp`. Never throws. */
  check(token: string): Promise<TokenCheck>;
  /** Signs an access token with the current key. `exp` and `iat` are in the claims, in seconds. */
  sign(claims: Claims): Promise<string>;
  /**
   * Signs the claims of an id token. `check` refuses it as an access token, since it has no role.
   * @throws Error with a symmetric key, with which whoever checks an id token could sign access tokens
   */
  signIdToken(claims: Readonly<Record<string, unknown>>): Promise<string>;
  /** The algorithm of id tokens; null with a symmetric key. */
  readonly idTokenAlgorithm: string | null;
  /** The public keys, for /.well-known/jwks.json; empty with a symmetric secret. */
  jwks(): { readonly keys: readonly Readonly<Record<string, unknown>>[] };
}
