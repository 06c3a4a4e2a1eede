/** Sign-in with an id token that the provider's own button gave to the page. */

import { check, clientOf, expectNone } from "./world.ts";
import type { World } from "./world.ts";

export async function idToken(world: World): Promise<void> {
  const client = clientOf(world);
  const { data, error } = await client.auth.signInWithIdToken({
    provider: "keycloak",
    token: await world.idToken(),
  });
  expectNone(error);
  check(
    data.user.app_metadata.providers?.includes("keycloak") === true,
    "the provider vouches for the person",
  );
}
