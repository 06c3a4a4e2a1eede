/** The port of keys: API keys and JSON Web Tokens, by which the sender of a request is known. */

export type Role = "anon" | "authenticated" | "service_role";

/** The claims of a checked token. */
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

/** The keys of this installation: generated at the first start and stored in DATA_DIR, or from GOTRUE_JWT_*. */
export interface KeyRing {
  /** The public API key, which the page uses. */
  readonly anonKey: string;
  /** The service key, which never leaves the server. */
  readonly serviceKey: string;
  /** Checks a token: signature (HS256, RS256, ES256), expiry, and the claims `role` and `exp`. Never throws. */
  check(token: string): Promise<TokenCheck>;
  /** Signs an access token with the current key. `exp` and `iat` are in the claims, in seconds. */
  sign(claims: Claims): Promise<string>;
  /**
   * Signs the claims of an id token. `check` refuses it as an access token, since it has no role.
   * @throws Error with a symmetric key, since anybody who can check an id token with it could sign access tokens
   */
  signIdToken(claims: Readonly<Record<string, unknown>>): Promise<string>;
  /** The algorithm of id tokens; null with a symmetric key. */
  readonly idTokenAlgorithm: string | null;
  /** Returns the public keys, for /.well-known/jwks.json; empty with a symmetric secret. */
  jwks(): { readonly keys: readonly Readonly<Record<string, unknown>>[] };
}
