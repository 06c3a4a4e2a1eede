/** Changes of one's own account: data, password with a nonce, address with two confirmations. */

import { check, clientOf, expectNone, somebody } from "./world.ts";
import type { World } from "./world.ts";

export async function account(world: World): Promise<void> {
  const { client, email } = await somebody(world);
  const { data, error } = await client.auth.updateUser({ data: { colour: "teal" } });
  expectNone(error);
  check(data.user.user_metadata["colour"] === "teal", "own data is stored");

  // Needed when GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION is on and the session is old.
  expectNone((await client.auth.reauthenticate()).error);
  const { code: nonce } = await world.mail(email);
  expectNone((await client.auth.updateUser({ password: "another long password", nonce })).error);

  const next = world.freshEmail();
  expectNone((await client.auth.updateUser({ email: next })).error);
  await world.visit((await world.mail(email)).link);
  const { code } = await world.mail(next);
  const changed = await clientOf(world).auth.verifyOtp({
    email: next,
    token: code,
    type: "email_change",
  });
  check(changed.data.user?.email === next, "both addresses agreed");
}
