/** Sign-in with a password, a refresh, and signing out everywhere. */

import { check, clientOf, expectNone, somebody } from "./world.ts";
import type { World } from "./world.ts";

export async function signIn(world: World): Promise<void> {
  const { email } = await somebody(world);
  const client = clientOf(world);
  const wrong = await client.auth.signInWithPassword({ email, password: "not this" });
  check(wrong.error?.code === "invalid_credentials", "a wrong password is refused");
  const { data, error } = await client.auth.signInWithPassword({ email, password: world.password });
  expectNone(error);

  // The client refreshes by itself when the token is near its end; this is the same by hand.
  const refreshed = await client.auth.refreshSession();
  expectNone(refreshed.error);
  check(
    refreshed.data.session?.refresh_token !== data.session.refresh_token,
    "refresh tokens rotate",
  );

  const user = await client.auth.getUser();
  check(user.data.user?.email === email, "the token is this person's");
  expectNone((await client.auth.signOut({ scope: "global" })).error);
}
