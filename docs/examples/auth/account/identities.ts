/** Adds a second identity to an account, and removes it. The server needs GOTRUE_SECURITY_MANUAL_LINKING_ENABLED. */

import { check, expectNone, signedInUser, type Environment } from "../environment.ts";

export async function identities(env: Environment): Promise<void> {
  const { client } = await signedInUser(env);
  const linked = await client.auth.linkIdentity({
    provider: "keycloak",
    token: await env.idToken(),
  });
  expectNone(linked.error);
  const { data, error } = await client.auth.getUserIdentities();
  expectNone(error);
  check(data.identities.length === 2, "there are two identities");
  const added = data.identities.find((identity) => identity.provider === "keycloak");
  check(added !== undefined, "one of them is the provider");
  expectNone((await client.auth.unlinkIdentity(added)).error);
}
