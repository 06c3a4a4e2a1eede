/** The errors of POST /oauth/token, in the form of RFC 6749, section 5.2, which every OAuth library reads. */

import type { AuthFault } from "../http/errors.ts";

export type OAuthErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "invalid_scope"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "temporarily_unavailable"
  | "server_error";

/** A fault of the token endpoint. The client reads the description, so it must not contain secrets. */
export class OAuthFault extends Error {
  readonly code: OAuthErrorCode;
  readonly status: number;
  /** Whether the client has named itself by HTTP Basic, and is asked for that again. */
  readonly challenge: boolean;

  constructor(
    code: OAuthErrorCode,
    description: string,
    more: { status?: number; challenge?: boolean } = {},
  ) {
    super(description);
    this.name = "OAuthFault";
    this.code = code;
    this.status = more.status ?? 400;
    this.challenge = more.challenge ?? false;
  }
}

/** Converts any fault of the auth API to one of an OAuth token endpoint. */
export function toOAuthFault(fault: AuthFault): OAuthFault {
  const { status, message } = fault;
  if (status === 429) return new OAuthFault("temporarily_unavailable", message, { status });
  if (status >= 500) return new OAuthFault("server_error", message, { status });
  if (INVALID_GRANT.includes(fault.code)) return new OAuthFault("invalid_grant", message);
  return new OAuthFault("invalid_request", message, status === 413 ? { status } : {});
}

const INVALID_GRANT: readonly string[] = [
  "refresh_token_not_found",
  "refresh_token_already_used",
  "session_not_found",
  "session_expired",
  "user_not_found",
  "user_banned",
];
