/** The facts about a person that a client gets: in an id token, and from GET /oauth/userinfo. */

import { requireCaller } from "../context/caller.ts";
import type { Auth } from "../context/context.ts";
import { ok, type AuthRequest, type AuthResponse, type Fields } from "../http/request.ts";
import { withoutNulls } from "../store/json.ts";
import type { StoredSession } from "../store/sessions.ts";
import type { StoredUser } from "../store/users.ts";
import { issuerOf } from "./authorizations.ts";
import { requireOAuthServer } from "./authorize.ts";
import { SCOPES } from "../settings/scopes.ts";

/** Returns the claims of OpenID Connect for which scopes stand. */
function claimsOf(user: StoredUser, scope: string): Fields {
  const scopes = new Set(scope.split(" "));
  const own = user.userMetadata;
  const first = (...names: readonly string[]): string | undefined =>
    names.flatMap((name) => (typeof own[name] === "string" ? [own[name]] : []))[0];
  return withoutNulls({
    sub: user.id,
    ...(scopes.has("email") && user.email !== null
      ? { email: user.email, email_verified: user.emailConfirmedAt !== null }
      : {}),
    ...(scopes.has("phone") && user.phone !== null
      ? { phone_number: `+${user.phone}`, phone_number_verified: user.phoneConfirmedAt !== null }
      : {}),
    ...(scopes.has("profile")
      ? {
          name: first("full_name", "name"),
          picture: first("avatar_url", "picture"),
          preferred_username: first("preferred_username", "user_name"),
          updated_at: seconds(user.updatedAt),
        }
      : {}),
  });
}

function seconds(at: string): number {
  return Math.floor(Date.parse(at) / 1000);
}

/**
 * GET /oauth/userinfo.
 * @throws AuthFault feature_disabled, and those of `requireCaller`
 */
export async function showUserInfo(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  requireOAuthServer(auth);
  const { user, session } = await requireCaller(auth, request);
  return ok(claimsOf(user, session.scope ?? SCOPES.join(" ")));
}

/** Returns the id token of a session that a client has just received; undefined unless the client asked for `openid`. */
export async function idTokenOf(
  auth: Auth,
  issued: {
    readonly user: StoredUser;
    readonly session: StoredSession;
    readonly nonce: string | null;
    /** The time when the person signed in, as it is stored. */
    readonly signedInAt: string;
  },
): Promise<string | undefined> {
  const { user, session } = issued;
  const scope = session.scope ?? "";
  if (!scope.split(" ").includes("openid") || auth.keys.idTokenAlgorithm === null) return undefined;
  const issuedAt = Math.floor(auth.clock() / 1000);
  return auth.keys.signIdToken({
    ...claimsOf(user, scope),
    iss: issuerOf(auth),
    aud: session.clientId,
    iat: issuedAt,
    exp: issuedAt + auth.settings.GOTRUE_JWT_EXP,
    auth_time: seconds(issued.signedInAt),
    ...(issued.nonce === null ? {} : { nonce: issued.nonce }),
  });
}
