/** Checks the credentials that every request to the table API needs: an API key, and perhaps a user's token. */

import { createHash, timingSafeEqual } from "node:crypto";
import type { Claims, KeyRing, Role, TokenFault } from "../keys/port.ts";

export interface Caller {
  readonly role: Role;
  /** The claims of the token when there is one, otherwise only the role of the API key. */
  readonly claims: Claims;
  /** The user's token, or null for a caller who has only an API key. */
  readonly token: string | null;
}

export interface Rejection {
  readonly status: 401;
  readonly body: Readonly<Record<string, string | null>>;
  /** The value of the WWW-Authenticate header. */
  readonly challenge: string;
}

export type RequestCheck =
  | { readonly ok: true; readonly caller: Caller }
  | { readonly ok: false; readonly refusal: Rejection };

/** The credentials of a request; header names are in lower case. */
export interface RequestCredentials {
  /** The header `apikey`, or else the query's `apikey`. */
  readonly apikey: string | undefined;
  readonly authorization: string | undefined;
}

const NO_KEY: Rejection = {
  status: 401,
  body: {
    message: "No API key found in request",
    hint: "No `apikey` request header or url param was found.",
  },
  challenge: "apikey",
};

const WRONG_KEY: Rejection = {
  status: 401,
  body: { message: "Invalid API key", hint: "Double check your Supabase `apikey`" },
  challenge: "apikey",
};

const TOKEN_MESSAGES: Readonly<Record<TokenFault, string>> = {
  missing: "Empty JWT is sent in Authorization header",
  malformed: "JWSError (CompactDecodeError)",
  signature: "JWSError JWSInvalidSignature",
  expired: "JWT expired",
  claims: "JWT claims are not acceptable",
};

/** Checks a request. `Bearer <API key>` means the role of that key; any scheme other than Bearer is ignored. */
export async function checkRequest(
  keys: KeyRing,
  credentials: RequestCredentials,
): Promise<RequestCheck> {
  const { apikey } = credentials;
  if (apikey === undefined || apikey === "") return { ok: false, refusal: NO_KEY };
  const keyRole = await roleOfApiKey(keys, apikey);
  if (keyRole === null) return { ok: false, refusal: WRONG_KEY };
  const bearer = readBearer(credentials.authorization ?? "");
  if (bearer === undefined || bearer === apikey) return { ok: true, caller: bare(keyRole) };
  const bearerRole = await roleOfApiKey(keys, bearer);
  if (bearerRole !== null) return { ok: true, caller: bare(bearerRole) };
  const checked = await keys.check(bearer);
  if (!checked.ok) return { ok: false, refusal: badToken(checked.fault) };
  const { claims } = checked;
  return { ok: true, caller: { role: claims.role, claims, token: bearer } };
}

/**
 * Returns the role of an API key, or null. A key that an earlier start issued counts as long as a key of the ring
 * verifies it; a user's token is no API key.
 */
export async function roleOfApiKey(
  keys: KeyRing,
  apikey: string,
): Promise<"anon" | "service_role" | null> {
  if (sameSecret(apikey, keys.anonKey)) return "anon";
  if (sameSecret(apikey, keys.serviceKey)) return "service_role";
  const checked = await keys.check(apikey);
  if (!checked.ok || checked.claims.sub !== undefined) return null;
  return checked.claims.role === "authenticated" ? null : checked.claims.role;
}

/** Reads credentials from Fastify's headers and query: a header that was sent twice is no credential. */
export function readCredentials(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  query: unknown,
): RequestCredentials {
  const header = headers["apikey"];
  const fromQuery =
    typeof query === "object" && query !== null && "apikey" in query ? query.apikey : undefined;
  const apikey = header ?? fromQuery;
  return {
    apikey: typeof apikey === "string" ? apikey : undefined,
    authorization: headers["authorization"] as string | undefined,
  };
}

/** Returns the token, empty when the scheme has none; undefined for another scheme. */
function readBearer(authorization: string): string | undefined {
  const match = /^bearer(?:\s+(.*))?$/i.exec(authorization.trim());
  return match === null ? undefined : (match[1] ?? "").trim();
}

function bare(role: "anon" | "service_role"): Caller {
  return { role, claims: { role }, token: null };
}

function badToken(fault: TokenFault): Rejection {
  return {
    status: 401,
    body: { code: "PGRST301", details: null, hint: null, message: TOKEN_MESSAGES[fault] },
    challenge: fault === "expired" ? 'Bearer error="invalid_token"' : "Bearer",
  };
}

/** Compares in constant time: the time does not depend on how much is equal. */
function sameSecret(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
