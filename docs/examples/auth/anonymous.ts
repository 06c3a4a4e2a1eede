/** A session without any credentials, which becomes an account later. The server needs GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED. */

import { check, clientOf, expectNone } from "./world.ts";
import type { World } from "./world.ts";

export async function anonymous(world: World): Promise<void> {
  const client = clientOf(world);
  const { data, error } = await client.auth.signInAnonymously();
  expectNone(error);
  check(data.user?.is_anonymous === true, "nobody knows who this is");

  const email = world.freshEmail();
  expectNone((await client.auth.updateUser({ email })).error);
  const { code } = await world.mail(email);
  const kept = await client.auth.verifyOtp({ email, token: code, type: "email_change" });
  expectNone(kept.error);
  check(kept.data.user?.id === data.user.id, "it is the same account");
  expectNone((await client.auth.updateUser({ password: world.password })).error);
}
