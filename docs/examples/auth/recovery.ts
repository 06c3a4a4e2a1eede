/** A forgotten password, and the sign-up mail once more. */

import { check, clientOf, expectNone, somebody } from "./world.ts";
import type { World } from "./world.ts";

export async function recovery(world: World): Promise<void> {
  const { email } = await somebody(world);
  const client = clientOf(world);
  expectNone((await client.auth.resetPasswordForEmail(email)).error);
  const { code } = await world.mail(email);
  expectNone((await client.auth.verifyOtp({ email, token: code, type: "recovery" })).error);
  expectNone((await client.auth.updateUser({ password: "another long password" })).error);

  const newcomer = world.freshEmail();
  await client.auth.signUp({ email: newcomer, password: world.password });
  const first = await world.mail(newcomer);
  expectNone((await client.auth.resend({ type: "signup", email: newcomer })).error);
  const second = await world.mail(newcomer);
  check(first.link !== second.link, "the newer mail replaces the older one");
}
