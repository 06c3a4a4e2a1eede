/** Sign-in with a password, a refresh, and signing out everywhere. */

import { check, clientOf, expectNone, signedInUser, type Environment } from "../environment.ts";

export async function signIn(env: Environment): Promise<void> {
  const { email } = await signedInUser(env);
  const client = clientOf(env);
  const wrong = await client.auth.signInWithPassword({ email, password: "not this" });
  check(wrong.error?.code === "invalid_credentials", "a wrong password is refused");
  const { data, error } = await client.auth.signInWithPassword({ email, password: env.password });
  expectNone(error);

  // The client refreshes a token by itself before it expires; this call does so immediately.
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
