/** A security key as a second factor. The server needs GOTRUE_MFA_WEB_AUTHN_ENROLL_ENABLED and ..._VERIFY_ENABLED. */

import { check, expectNone, signedInUser, type Environment } from "../environment.ts";

/** Uses a security key as a second factor. In a browser, client.auth.mfa.webauthn.register and .authenticate do all of this. */
export async function mfaSecurityKey(env: Environment): Promise<void> {
  const { client } = await signedInUser(env);
  const factor = await client.auth.mfa.enroll({ factorType: "webauthn", friendlyName: "Key" });
  expectNone(factor.error);
  const factorId = factor.data.id;
  const webauthn = { rpId: "localhost", rpOrigins: ["http://localhost:3000"] };
  for (const expected of ["create", "request"] as const) {
    const { data, error } = await client.auth.mfa.challenge({ factorId, webauthn });
    expectNone(error);
    check(
      data.webauthn.type === expected,
      "the first challenge creates the credential, later ones ask for it",
    );
    const options = data.webauthn.credential_options.publicKey;
    const credential =
      expected === "create" ? env.credentials.create(options) : env.credentials.get(options);
    const verified = await client.auth.mfa.verify({
      factorId,
      challengeId: data.id,
      webauthn: { ...webauthn, type: expected, credential_response: credential as never },
    });
    expectNone(verified.error);
  }
}
