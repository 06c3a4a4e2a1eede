/** Another application asks for access to a person's account: the consent page's part, and the application's. */

import { check, clientOf, expectNone, signedInUser, type Environment } from "../environment.ts";

export async function oauthServer(env: Environment): Promise<void> {
  const { oauth } = clientOf(env, { key: env.serviceKey }).auth.admin;
  const back = "https://planner.example/back";
  const made = await oauth.createClient({
    client_name: "Planner",
    redirect_uris: [back],
    token_endpoint_auth_method: "none",
  });
  expectNone(made.error);
  const clientId = made.data.client_id;
  const { client } = await signedInUser(env);

  // The application sends the person's browser here, with the hash of a secret that it keeps.
  const verifier = `${crypto.randomUUID()}${crypto.randomUUID()}`;
  const ask = async (): Promise<string> => {
    const page = await env.visit(
      `${env.url}/auth/v1/oauth/authorize?${new URLSearchParams({
        response_type: "code",
        client_id: clientId,
        redirect_uri: back,
        scope: "email profile",
        state: "s1",
        code_challenge: await challengeOf(verifier),
        code_challenge_method: "S256",
      }).toString()}`,
    );
    // The person is on the consent page: GOTRUE_SITE_URL and GOTRUE_OAUTH_SERVER_AUTHORIZATION_PATH.
    return page.searchParams.get("authorization_id") ?? "";
  };
  const first = await ask();
  const details = await client.auth.oauth.getAuthorizationDetails(first);
  expectNone(details.error);
  check(
    "client" in details.data && details.data.client.name === "Planner",
    "the page has the name",
  );
  const denied = await client.auth.oauth.denyAuthorization(first);
  check(denied.data?.redirect_url.includes("error=access_denied") === true, "a no goes back too");

  const second = await ask();
  await client.auth.oauth.getAuthorizationDetails(second);
  const approved = await client.auth.oauth.approveAuthorization(second);
  expectNone(approved.error);
  const code = new URL(approved.data.redirect_url).searchParams.get("code") ?? "";

  // The application exchanges the code for tokens. Any OAuth library does this.
  const response = await fetch(`${env.url}/auth/v1/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      client_id: clientId,
      code,
      redirect_uri: back,
      code_verifier: verifier,
    }),
  });
  const tokens = (await response.json()) as { access_token: string };
  const reader = clientOf(env);
  const { data } = await reader.auth.getUser(tokens.access_token);
  check(data.user?.id === (await client.auth.getUser()).data.user?.id, "it is this person");

  // A person who has granted it once is not asked again: the page gets the address to go to.
  const again = await client.auth.oauth.getAuthorizationDetails(await ask());
  check(again.data !== null && "redirect_url" in again.data, "nothing to ask");

  const grants = await client.auth.oauth.listGrants();
  check(grants.data?.[0]?.client.id === clientId, "the person sees who has access");
  expectNone((await client.auth.oauth.revokeGrant({ clientId })).error);
  const after = await reader.auth.getUser(tokens.access_token);
  check(after.error !== null, "the access is over");
}

async function challengeOf(verifier: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  return btoa(String.fromCharCode(...new Uint8Array(hash)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
