/** Sign-in without a password: the link, or the code of the same mail. */

import { check, clientOf, expectNone, somebody } from "./world.ts";
import type { World } from "./world.ts";

export async function magicLink(world: World): Promise<void> {
  const { email } = await somebody(world);
  const client = clientOf(world);
  expectNone(
    (await client.auth.signInWithOtp({ email, options: { shouldCreateUser: false } })).error,
  );
  const page = await world.visit((await world.mail(email)).link);
  // In a browser the client finds these by itself.
  const tokens = new URLSearchParams(page.hash.slice(1));
  const { data, error } = await client.auth.setSession({
    access_token: tokens.get("access_token") ?? "",
    refresh_token: tokens.get("refresh_token") ?? "",
  });
  expectNone(error);
  check(data.user?.email === email, "the link signs in");
}
