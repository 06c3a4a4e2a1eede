/** Sign-in without a password: the link, or the code of the same mail. */

import { check, clientOf, expectNone, signedInUser, type Environment } from "../environment.ts";

export async function magicLink(env: Environment): Promise<void> {
  const { email } = await signedInUser(env);
  const client = clientOf(env);
  expectNone(
    (await client.auth.signInWithOtp({ email, options: { shouldCreateUser: false } })).error,
  );
  const page = await env.visit((await env.mail(email)).link);
  // In a browser the client finds these by itself.
  const tokens = new URLSearchParams(page.hash.slice(1));
  const { data, error } = await client.auth.setSession({
    access_token: tokens.get("access_token") ?? "",
    refresh_token: tokens.get("refresh_token") ?? "",
  });
  expectNone(error);
  check(data.user?.email === email, "the link signs in");
}
