/** An authenticator app as a second factor. */

import { check, expectNone, signedInUser, type Environment } from "../environment.ts";

export async function mfaTotp(env: Environment): Promise<void> {
  const { client } = await signedInUser(env);
  const factor = await client.auth.mfa.enroll({ factorType: "totp", friendlyName: "My phone" });
  expectNone(factor.error);
  // The page shows factor.data.totp.qr_code as an image.
  const code = env.authenticatorCode(factor.data.totp.secret);
  expectNone((await client.auth.mfa.challengeAndVerify({ factorId: factor.data.id, code })).error);
  const { data } = await client.auth.mfa.getAuthenticatorAssuranceLevel();
  check(data?.currentLevel === "aal2", "the session has a second factor");
  const listed = await client.auth.mfa.listFactors();
  check(listed.data?.totp.length === 1, "the factor is verified");
  expectNone((await client.auth.mfa.unenroll({ factorId: factor.data.id })).error);
}
