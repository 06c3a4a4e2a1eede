/** The admin API: never in a page, since the service key opens everything. */

import { check, clientOf, expectNone } from "./world.ts";
import type { World } from "./world.ts";

export async function adminUsers(world: World): Promise<void> {
  const { admin } = clientOf(world, { key: world.serviceKey }).auth;
  const made = await admin.createUser({
    email: world.freshEmail(),
    password: world.password,
    email_confirm: true,
  });
  expectNone(made.error);
  const { id } = made.data.user;
  const listed = await admin.listUsers({ page: 1, perPage: 10 });
  check(
    listed.data.users.some((user) => user.id === id),
    "the newest users come first",
  );
  expectNone((await admin.updateUserById(id, { app_metadata: { plan: "pro" } })).error);
  expectNone((await admin.updateUserById(id, { ban_duration: "24h" })).error);
  const factors = await admin.mfa.listFactors({ userId: id });
  check(factors.data?.factors.length === 0, "there are no second factors yet");
  expectNone((await admin.deleteUser(id)).error);
}
