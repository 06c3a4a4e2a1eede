/** Sign-in through a provider. The server needs GOTRUE_EXTERNAL_<NAME>_ENABLED, _CLIENT_ID, _SECRET and, for most, _URL. */

import { check, clientOf, expectNone } from "./world.ts";
import type { World } from "./world.ts";

export async function oauth(world: World): Promise<void> {
  const client = clientOf(world, { pkce: true });
  const { data, error } = await client.auth.signInWithOAuth({
    provider: "keycloak",
    options: { skipBrowserRedirect: true },
  });
  expectNone(error);
  const page = await world.visit(data.url ?? "");
  const session = await client.auth.exchangeCodeForSession(page.searchParams.get("code") ?? "");
  expectNone(session.error);
  check(
    session.data.user.app_metadata.provider === "keycloak",
    "the account came from the provider",
  );
  check(
    typeof session.data.session.provider_token === "string",
    "the provider's token comes along",
  );
}
