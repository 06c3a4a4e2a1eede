/** An account with a phone number. The server needs GOTRUE_EXTERNAL_PHONE_ENABLED. */

import { check, clientOf, expectNone } from "./world.ts";
import type { World } from "./world.ts";

export async function phone(world: World): Promise<void> {
  const client = clientOf(world);
  const number = world.freshPhone();
  expectNone((await client.auth.signUp({ phone: number, password: world.password })).error);
  const { code } = await world.mail(`+${number}`);
  expectNone((await client.auth.verifyOtp({ phone: number, token: code, type: "sms" })).error);
  const { data, error } = await client.auth.signInWithPassword({
    phone: number,
    password: world.password,
  });
  expectNone(error);
  check(data.user.phone === number, "the account has the number");
}
