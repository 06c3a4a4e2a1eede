/** Invitations, and links for a mail of one's own making. */

import { check, clientOf, expectNone } from "./world.ts";
import type { World } from "./world.ts";

export async function adminLinks(world: World): Promise<void> {
  const { admin } = clientOf(world, { key: world.serviceKey }).auth;
  const email = world.freshEmail();
  expectNone((await admin.inviteUserByEmail(email)).error);
  await world.visit((await world.mail(email)).link);

  const { data, error } = await admin.generateLink({ type: "magiclink", email });
  expectNone(error);
  const page = await world.visit(data.properties.action_link);
  check(page.hash.includes("access_token="), "the link signs in");
}
