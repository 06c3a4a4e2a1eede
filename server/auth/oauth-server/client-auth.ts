/** Authenticates the OAuth client of a request to POST /oauth/token. */

import type { Auth } from "../context/context.ts";
import { textField, type AuthRequest } from "../http/request.ts";
import { sameText, sha256 } from "../secrets/secrets.ts";
import { clientById, type OAuthClient } from "./clients.ts";
import { OAuthFault } from "./faults.ts";

interface Credentials {
  readonly method: string;
  readonly id: string;
  readonly secret: string;
}

/**
 * Authenticates a client. A confidential one may send its secret in either way, as libraries do whatever they
 * registered; a public one sends none. An unknown client and a wrong secret get the same response after the same
 * work.
 * @throws OAuthFault invalid_request, invalid_client
 */
export async function authenticateClient(auth: Auth, request: AuthRequest): Promise<OAuthClient> {
  const given = readCredentials(request);
  const client = await clientById(auth.database, given.id);
  const isSecret = sameText(sha256(given.secret), client?.secretHash ?? sha256(""));
  const isAllowed =
    (client?.authMethod === "none") === (given.method === "none") &&
    (given.method === "none" || isSecret);
  if (client !== undefined && isAllowed) return client;
  const challenge = given.method === "client_secret_basic";
  throw new OAuthFault("invalid_client", "Client authentication failed", {
    challenge,
    status: challenge ? 401 : 400,
  });
}

/**
 * Reads the client's credentials, which it may send in one way only (RFC 6749, section 2.3). @throws OAuthFault
 * invalid_request, invalid_client
 */
function readCredentials(request: AuthRequest): Credentials {
  const id = textField(request.body, "client_id");
  const secret = textField(request.body, "client_secret");
  if (request.basic === undefined) {
    if (id === undefined) throw new OAuthFault("invalid_request", "client_id is required");
    return secret === undefined
      ? { method: "none", id, secret: "" }
      : { method: "client_secret_post", id, secret };
  }
  const named = readBasic(request.basic);
  if (named === undefined)
    throw new OAuthFault("invalid_client", "Client authentication failed", {
      challenge: true,
      status: 401,
    });
  if (secret !== undefined || (id !== undefined && id !== named.id))
    throw new OAuthFault("invalid_request", "The client names itself in two ways");
  return { method: "client_secret_basic", ...named };
}

/** Reads the name and the password, each encoded as a form's value; undefined for anything else. */
function readBasic(encoded: string): { id: string; secret: string } | undefined {
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const cut = text.indexOf(":");
  if (cut < 0) return undefined;
  try {
    const decode = (part: string): string => decodeURIComponent(part.replaceAll("+", " "));
    return { id: decode(text.slice(0, cut)), secret: decode(text.slice(cut + 1)) };
  } catch {
    return undefined;
  }
}
