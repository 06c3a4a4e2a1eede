/** Another way into one's account, and out of it again. The server needs GOTRUE_SECURITY_MANUAL_LINKING_ENABLED. */

import { check, expectNone, somebody } from "./world.ts";
import type { World } from "./world.ts";

export async function identities(world: World): Promise<void> {
  const { client } = await somebody(world);
  const linked = await client.auth.linkIdentity({
    provider: "keycloak",
    token: await world.idToken(),
  });
  expectNone(linked.error);
  const { data, error } = await client.auth.getUserIdentities();
  expectNone(error);
  check(data.identities.length === 2, "there are two ways in");
  const added = data.identities.find((identity) => identity.provider === "keycloak");
  check(added !== undefined, "one of them is the provider");
  expectNone((await client.auth.unlinkIdentity(added)).error);
}
