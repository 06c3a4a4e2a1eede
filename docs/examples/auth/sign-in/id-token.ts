/** Sign-in with an id token that the provider's own button gave to the page. */

import { check, clientOf, expectNone, type Environment } from "../environment.ts";

export async function idToken(env: Environment): Promise<void> {
  const client = clientOf(env);
  const { data, error } = await client.auth.signInWithIdToken({
    provider: "keycloak",
    token: await env.idToken(),
  });
  expectNone(error);
  check(
    data.user.app_metadata.providers?.includes("keycloak") === true,
    "the account has the provider's identity",
  );
}
