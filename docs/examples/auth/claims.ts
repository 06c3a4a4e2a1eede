/** What a token says, checked with the public keys, or by the server where the secret is symmetric. */

import { check, expectNone, somebody } from "./world.ts";
import type { World } from "./world.ts";

export async function claims(world: World): Promise<void> {
  const { client } = await somebody(world);
  const { data, error } = await client.auth.getClaims();
  expectNone(error);
  check(data?.claims.role === "authenticated", "the table API and the socket see this role");
  check(data.claims.aal === "aal1", "one factor was shown");
}
