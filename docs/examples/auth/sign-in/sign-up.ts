/** A new account with an email address: the mail's link or code confirms it. */

import { check, clientOf, expectNone, type Environment } from "../environment.ts";

export async function signUp(env: Environment): Promise<void> {
  const client = clientOf(env);
  const email = env.freshEmail();
  const { data, error } = await client.auth.signUp({
    email,
    password: env.password,
    options: { data: { name: "Ada" } },
  });
  expectNone(error);
  check(data.session === null, "no session before the address is confirmed");

  const { code } = await env.mail(email);
  const verified = await client.auth.verifyOtp({ email, token: code, type: "signup" });
  expectNone(verified.error);
  check(
    verified.data.user?.user_metadata["name"] === "Ada",
    "the account contains the person's own data",
  );
}
