/** A forgotten password, and a repeated sign-up mail. */

import { check, clientOf, expectNone, signedInUser, type Environment } from "../environment.ts";

export async function recovery(env: Environment): Promise<void> {
  const { email } = await signedInUser(env);
  const client = clientOf(env);
  expectNone((await client.auth.resetPasswordForEmail(email)).error);
  const { code } = await env.mail(email);
  expectNone((await client.auth.verifyOtp({ email, token: code, type: "recovery" })).error);
  expectNone((await client.auth.updateUser({ password: "another long password" })).error);

  const newcomer = env.freshEmail();
  await client.auth.signUp({ email: newcomer, password: env.password });
  const first = await env.mail(newcomer);
  expectNone((await client.auth.resend({ type: "signup", email: newcomer })).error);
  const second = await env.mail(newcomer);
  check(first.link !== second.link, "the newer mail replaces the older one");
}
