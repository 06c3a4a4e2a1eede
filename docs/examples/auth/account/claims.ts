/** The claims of a token, checked with the public keys, or by the server where the secret is symmetric. */

import { check, expectNone, signedInUser, type Environment } from "../environment.ts";

export async function claims(env: Environment): Promise<void> {
  const { client } = await signedInUser(env);
  const { data, error } = await client.auth.getClaims();
  expectNone(error);
  check(data?.claims.role === "authenticated", "the table API and the socket decide by this role");
  check(data.claims.aal === "aal1", "the session has one factor");
}
