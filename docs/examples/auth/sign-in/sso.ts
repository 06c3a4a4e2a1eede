/** Sign-in through an organisation's SAML 2.0 identity provider. The server needs GOTRUE_SAML_ENABLED and GOTRUE_SAML_PRIVATE_KEY. */

import { check, clientOf, expectNone, type Environment } from "../environment.ts";

export async function sso(env: Environment): Promise<void> {
  const made = await fetch(`${env.url}/auth/v1/admin/sso/providers`, {
    method: "POST",
    headers: {
      apikey: env.serviceKey,
      authorization: `Bearer ${env.serviceKey}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({
      type: "saml",
      metadata_xml: env.identityProvider.metadata,
      domains: ["corp.example"],
    }),
  });
  check(made.status === 201, "the identity provider is known");

  const client = clientOf(env, { pkce: true });
  const { data, error } = await client.auth.signInWithSSO({ domain: "corp.example" });
  expectNone(error);
  const page = await env.identityProvider.signIn(data.url);
  const session = await client.auth.exchangeCodeForSession(page.searchParams.get("code") ?? "");
  expectNone(session.error);
  check(session.data.user.email === "sso@corp.example", "the address is the organisation's");
}
