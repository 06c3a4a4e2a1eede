/** Sign-in with a passkey. The server needs GOTRUE_PASSKEY_ENABLED, the client `experimental: { passkey: true }`. */

import { check, clientOf, expectNone, somebody } from "./world.ts";
import type { World } from "./world.ts";

/** In a browser, client.auth.registerPasskey and client.auth.signInWithPasskey do the ceremonies. */
export async function passkeys(world: World): Promise<void> {
  const { client, email } = await somebody(world);
  const start = await client.auth.passkey.startRegistration();
  expectNone(start.error);
  const registered = await client.auth.passkey.verifyRegistration({
    challengeId: start.data.challenge_id,
    credential: world.credentials.create(start.data.options) as never,
  });
  expectNone(registered.error);

  const visitor = clientOf(world);
  const asked = await visitor.auth.passkey.startAuthentication();
  expectNone(asked.error);
  const { data, error } = await visitor.auth.passkey.verifyAuthentication({
    challengeId: asked.data.challenge_id,
    credential: world.credentials.get(asked.data.options) as never,
  });
  expectNone(error);
  check(data.user?.email === email, "the passkey alone signs in");

  const passkeyId = registered.data.id;
  expectNone((await client.auth.passkey.update({ passkeyId, friendlyName: "Laptop" })).error);
  expectNone((await client.auth.passkey.delete({ passkeyId })).error);
}
