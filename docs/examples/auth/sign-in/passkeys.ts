/** Sign-in with a passkey. The server needs GOTRUE_PASSKEY_ENABLED, the client `experimental: { passkey: true }`. */

import { check, clientOf, expectNone, signedInUser, type Environment } from "../environment.ts";

/** Uses a passkey. In a browser, client.auth.registerPasskey and client.auth.signInWithPasskey perform the ceremonies. */
export async function passkeys(env: Environment): Promise<void> {
  const { client, email } = await signedInUser(env);
  const start = await client.auth.passkey.startRegistration();
  expectNone(start.error);
  const registered = await client.auth.passkey.verifyRegistration({
    challengeId: start.data.challenge_id,
    credential: env.credentials.create(start.data.options) as never,
  });
  expectNone(registered.error);

  const visitor = clientOf(env);
  const started = await visitor.auth.passkey.startAuthentication();
  expectNone(started.error);
  const { data, error } = await visitor.auth.passkey.verifyAuthentication({
    challengeId: started.data.challenge_id,
    credential: env.credentials.get(started.data.options) as never,
  });
  expectNone(error);
  check(data.user?.email === email, "the passkey alone signs in");

  const passkeyId = registered.data.id;
  expectNone((await client.auth.passkey.update({ passkeyId, friendlyName: "Laptop" })).error);
  expectNone((await client.auth.passkey.delete({ passkeyId })).error);
}
