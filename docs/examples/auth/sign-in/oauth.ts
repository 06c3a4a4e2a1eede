/** Sign-in through a provider. The server needs GOTRUE_EXTERNAL_<NAME>_ENABLED, _CLIENT_ID, _SECRET and, for most, _URL. */

import { check, clientOf, expectNone, type Environment } from "../environment.ts";

export async function oauth(env: Environment): Promise<void> {
  const client = clientOf(env, { pkce: true });
  const { data, error } = await client.auth.signInWithOAuth({
    provider: "keycloak",
    options: { skipBrowserRedirect: true },
  });
  expectNone(error);
  const page = await env.visit(data.url ?? "");
  const session = await client.auth.exchangeCodeForSession(page.searchParams.get("code") ?? "");
  expectNone(session.error);
  check(
    session.data.user.app_metadata.provider === "keycloak",
    "the account belongs to the provider's identity",
  );
  check(
    typeof session.data.session.provider_token === "string",
    "the session has the provider's token",
  );
}
