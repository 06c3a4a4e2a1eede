/** The admin API. Never use it in a page: the service key has every right. */

import { check, clientOf, expectNone, type Environment } from "../environment.ts";

export async function adminUsers(env: Environment): Promise<void> {
  const { admin } = clientOf(env, { key: env.serviceKey }).auth;
  const made = await admin.createUser({
    email: env.freshEmail(),
    password: env.password,
    email_confirm: true,
  });
  expectNone(made.error);
  const { id } = made.data.user;
  const listed = await admin.listUsers({ page: 1, perPage: 10 });
  check(
    listed.data.users.some((user) => user.id === id),
    "the newest users are listed first",
  );
  expectNone((await admin.updateUserById(id, { app_metadata: { plan: "pro" } })).error);
  expectNone((await admin.updateUserById(id, { ban_duration: "24h" })).error);
  const factors = await admin.mfa.listFactors({ userId: id });
  check(factors.data?.factors.length === 0, "there are no second factors yet");
  expectNone((await admin.deleteUser(id)).error);
}
