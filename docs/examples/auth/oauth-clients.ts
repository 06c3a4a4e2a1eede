/** The registry of OAuth clients. */

import { check, clientOf, expectNone } from "./world.ts";
import type { World } from "./world.ts";

export async function oauthClients(world: World): Promise<void> {
  const { oauth } = clientOf(world, { key: world.serviceKey }).auth.admin;
  const made = await oauth.createClient({
    client_name: "Desk",
    redirect_uris: ["https://desk.example/back"],
  });
  expectNone(made.error);
  const id = made.data.client_id;
  // The secret is told here and never again.
  check(typeof made.data.client_secret === "string", "a confidential client has a secret");
  expectNone((await oauth.updateClient(id, { client_name: "Desktop" })).error);
  const fresh = await oauth.regenerateClientSecret(id);
  check(fresh.data?.client_secret !== made.data.client_secret, "the secret is a new one");
  expectNone((await oauth.deleteClient(id)).error);
}
