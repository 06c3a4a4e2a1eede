/** Invitations, and links for mails that the application sends itself. */

import { check, clientOf, expectNone, type Environment } from "../environment.ts";

export async function adminLinks(env: Environment): Promise<void> {
  const { admin } = clientOf(env, { key: env.serviceKey }).auth;
  const email = env.freshEmail();
  expectNone((await admin.inviteUserByEmail(email)).error);
  await env.visit((await env.mail(email)).link);

  const { data, error } = await admin.generateLink({ type: "magiclink", email });
  expectNone(error);
  const page = await env.visit(data.properties.action_link);
  check(page.hash.includes("access_token="), "the link signs in");
}
