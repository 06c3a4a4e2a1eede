/** Sign-in by mail with PKCE: the link contains a code that only the requesting browser can exchange. */

import { check, clientOf, expectNone, signedInUser, type Environment } from "../environment.ts";

export async function pkce(env: Environment): Promise<void> {
  const { email } = await signedInUser(env);
  const client = clientOf(env, { pkce: true });
  expectNone((await client.auth.signInWithOtp({ email })).error);
  const page = await env.visit((await env.mail(email)).link);
  const { data, error } = await client.auth.exchangeCodeForSession(
    page.searchParams.get("code") ?? "",
  );
  expectNone(error);
  check(data.user.email === email, "the code is exchanged for the session");
}
