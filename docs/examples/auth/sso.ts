/** Sign-in through an organisation's SAML 2.0 identity provider. The server needs GOTRUE_SAML_ENABLED and GOTRUE_SAML_PRIVATE_KEY. */

import { check, clientOf, expectNone } from "./world.ts";
import type { World } from "./world.ts";

export async function sso(world: World): Promise<void> {
  const made = await fetch(`${world.url}/auth/v1/admin/sso/providers`, {
    method: "POST",
    headers: {
      apikey: world.serviceKey,
      authorization: `Bearer ${world.serviceKey}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({
      type: "saml",
      metadata_xml: world.identityProvider.metadata,
      domains: ["corp.example"],
    }),
  });
  check(made.status === 201, "the identity provider is known");

  const client = clientOf(world, { pkce: true });
  const { data, error } = await client.auth.signInWithSSO({ domain: "corp.example" });
  expectNone(error);
  const page = await world.identityProvider.signIn(data.url);
  const session = await client.auth.exchangeCodeForSession(page.searchParams.get("code") ?? "");
  expectNone(session.error);
  check(session.data.user.email === "sso@corp.example", "the organisation vouches for the person");
}
