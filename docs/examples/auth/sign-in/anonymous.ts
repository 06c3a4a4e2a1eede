/** A session without any credentials, which becomes an account. The server needs GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED. */

import { check, clientOf, expectNone, type Environment } from "../environment.ts";

export async function anonymous(env: Environment): Promise<void> {
  const client = clientOf(env);
  const { data, error } = await client.auth.signInAnonymously();
  expectNone(error);
  check(data.user?.is_anonymous === true, "the user is anonymous");

  const email = env.freshEmail();
  expectNone((await client.auth.updateUser({ email })).error);
  const { code } = await env.mail(email);
  const confirmed = await client.auth.verifyOtp({ email, token: code, type: "email_change" });
  expectNone(confirmed.error);
  check(confirmed.data.user?.id === data.user.id, "it is the same account");
  expectNone((await client.auth.updateUser({ password: env.password })).error);
}
