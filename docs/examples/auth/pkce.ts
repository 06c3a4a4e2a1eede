/** The same with PKCE: the link carries a code that only the browser which asked can exchange. */

import { check, clientOf, expectNone, somebody } from "./world.ts";
import type { World } from "./world.ts";

export async function pkce(world: World): Promise<void> {
  const { email } = await somebody(world);
  const client = clientOf(world, { pkce: true });
  expectNone((await client.auth.signInWithOtp({ email })).error);
  const page = await world.visit((await world.mail(email)).link);
  const { data, error } = await client.auth.exchangeCodeForSession(
    page.searchParams.get("code") ?? "",
  );
  expectNone(error);
  check(data.user.email === email, "the code is exchanged for the session");
}
