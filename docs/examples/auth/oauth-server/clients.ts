/** OAuth clients, managed with the service key. */

import { check, clientOf, expectNone, type Environment } from "../environment.ts";

export async function oauthClients(env: Environment): Promise<void> {
  const { oauth } = clientOf(env, { key: env.serviceKey }).auth.admin;
  const made = await oauth.createClient({
    client_name: "Desk",
    redirect_uris: ["https://desk.example/back"],
  });
  expectNone(made.error);
  const id = made.data.client_id;
  // Only this response contains the secret.
  check(typeof made.data.client_secret === "string", "a confidential client has a secret");
  expectNone((await oauth.updateClient(id, { client_name: "Desktop" })).error);
  const fresh = await oauth.regenerateClientSecret(id);
  check(fresh.data?.client_secret !== made.data.client_secret, "the secret is a new one");
  expectNone((await oauth.deleteClient(id)).error);
}
