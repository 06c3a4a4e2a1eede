/** POST /token: the grants, in one table. */

import { audit } from "./context/audit.ts";
import { refuseBanned } from "./context/caller.ts";
import type { Auth } from "./context/context.ts";
import { AuthFault } from "./http/errors.ts";
import { signInWithIdToken } from "./oauth/idtoken.ts";
import { ok, textField, type AuthResponse, type AuthRequest } from "./http/request.ts";
import { startSession, writeSession } from "./sessions/grant.ts";
import { refreshSession } from "./sessions/refresh.ts";
import { exchangeCode } from "./tokens/flows.ts";
import { signInWithPassword } from "./users/signin.ts";
import { signInWithWeb3 } from "./web3/grant.ts";

type Grant = (auth: Auth, request: AuthRequest) => Promise<AuthResponse>;

const GRANTS: Readonly<Record<string, Grant>> = {
  password: signInWithPassword,
  refresh_token: refresh,
  pkce: exchange,
  id_token: signInWithIdToken,
  web3: signInWithWeb3,
};

/**
 * Handles a request by its grant.
 * @throws AuthFault unsupported_grant_type, over_request_rate_limit, and the faults of the grant
 */
export async function token(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  const type =
    textField(request.query, "grant_type") ?? textField(request.body, "grant_type") ?? "";
  const grant = Object.hasOwn(GRANTS, type) ? GRANTS[type] : undefined;
  if (grant === undefined) throw new AuthFault("unsupported_grant_type", "unsupported_grant_type");
  if (type === "web3") auth.limits.take("web3", request.ip);
  return grant(auth, request);
}

async function refresh(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  const refreshToken = textField(request.body, "refresh_token");
  if (refreshToken === undefined)
    throw new AuthFault("validation_failed", "refresh_token required");
  return ok(await refreshSession(auth, refreshToken, request));
}

async function exchange(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  const code = textField(request.body, "auth_code");
  const verifier = textField(request.body, "code_verifier");
  if (code === undefined || verifier === undefined)
    throw new AuthFault(
      "validation_failed",
      "invalid request: both auth code and code verifier should be non-empty",
    );
  const grant = await auth.database.transaction(async (tx) => {
    const { flow, user, providerTokens } = await exchangeCode(auth, tx, code, verifier);
    refuseBanned(auth, user);
    await audit(auth, tx, {
      action: "login",
      ip: request.ip,
      actor: user,
      traits: { provider: flow.provider },
    });
    return startSession(auth, tx, {
      user,
      method: flow.method ?? "otp",
      provider: flow.provider ?? undefined,
      request,
      more: providerTokens,
    });
  });
  return ok(await writeSession(auth, grant));
}
