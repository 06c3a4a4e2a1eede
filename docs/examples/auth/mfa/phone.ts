/** A phone as a second factor. The server needs GOTRUE_MFA_PHONE_ENROLL_ENABLED and GOTRUE_MFA_PHONE_VERIFY_ENABLED. */

import { check, expectNone, signedInUser, type Environment } from "../environment.ts";

export async function mfaPhone(env: Environment): Promise<void> {
  const { client } = await signedInUser(env);
  const phone = env.freshPhone();
  const factor = await client.auth.mfa.enroll({
    factorType: "phone",
    friendlyName: "Mobile",
    phone,
  });
  expectNone(factor.error);
  const factorId = factor.data.id;
  const challenge = await client.auth.mfa.challenge({ factorId, channel: "sms" });
  expectNone(challenge.error);
  const { code } = await env.mail(`+${phone}`);
  expectNone(
    (await client.auth.mfa.verify({ factorId, challengeId: challenge.data.id, code })).error,
  );
  const { data } = await client.auth.mfa.getAuthenticatorAssuranceLevel();
  check(data?.currentLevel === "aal2", "the session has a second factor");
}
