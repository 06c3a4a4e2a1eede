/** A new account with an email address: the mail's link or code confirms it. */

import { check, clientOf, expectNone } from "./world.ts";
import type { World } from "./world.ts";

export async function signUp(world: World): Promise<void> {
  const client = clientOf(world);
  const email = world.freshEmail();
  const { data, error } = await client.auth.signUp({
    email,
    password: world.password,
    options: { data: { name: "Ada" } },
  });
  expectNone(error);
  check(data.session === null, "no session before the address is confirmed");

  const { code } = await world.mail(email);
  const verified = await client.auth.verifyOtp({ email, token: code, type: "signup" });
  expectNone(verified.error);
  check(
    verified.data.user?.user_metadata["name"] === "Ada",
    "the account holds the person's own data",
  );
}
