/** Changes of one's own account: data, password with a nonce, address with two confirmations. */

import { check, clientOf, expectNone, signedInUser, type Environment } from "../environment.ts";

export async function account(env: Environment): Promise<void> {
  const { client, email } = await signedInUser(env);
  const { data, error } = await client.auth.updateUser({ data: { colour: "teal" } });
  expectNone(error);
  check(data.user.user_metadata["colour"] === "teal", "own data is stored");

  // It is needed when GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION is on and the session is old.
  expectNone((await client.auth.reauthenticate()).error);
  const { code: nonce } = await env.mail(email);
  expectNone((await client.auth.updateUser({ password: "another long password", nonce })).error);

  const next = env.freshEmail();
  expectNone((await client.auth.updateUser({ email: next })).error);
  await env.visit((await env.mail(email)).link);
  const { code } = await env.mail(next);
  const changed = await clientOf(env).auth.verifyOtp({
    email: next,
    token: code,
    type: "email_change",
  });
  check(changed.data.user?.email === next, "both addresses confirmed the change");
}
