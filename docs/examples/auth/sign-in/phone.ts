/** An account with a phone number. The server needs GOTRUE_EXTERNAL_PHONE_ENABLED. */

import { check, clientOf, expectNone, type Environment } from "../environment.ts";

export async function phone(env: Environment): Promise<void> {
  const client = clientOf(env);
  const number = env.freshPhone();
  expectNone((await client.auth.signUp({ phone: number, password: env.password })).error);
  const { code } = await env.mail(`+${number}`);
  expectNone((await client.auth.verifyOtp({ phone: number, token: code, type: "sms" })).error);
  const { data, error } = await client.auth.signInWithPassword({
    phone: number,
    password: env.password,
  });
  expectNone(error);
  check(data.user.phone === number, "the account has the number");
}
