/** Tests the OAuth 2.1 server, with the real client on the consent page and an OAuth library on the other side. */

import * as oidc from "openid-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  BACK,
  ask,
  consent,
  createTestClient,
  oauthServerEnv,
  postToken,
  tokensFor,
} from "../../../testing/auth/oauth-client.ts";
import { claimsOf, person } from "../../../testing/auth/people.ts";
import { startAuthServer, type AuthServer } from "../../../testing/auth/server.ts";
import "../../../testing/random/fast-check.ts";
import { openTestPostgres } from "../../../testing/servers/postgres.ts";

const opened = await openTestPostgres();
let server: AuthServer;

beforeAll(async () => {
  server = await startAuthServer({ env: oauthServerEnv() });
});

afterAll(async () => {
  await server.close();
  if (opened.ok) await opened.postgres.stop();
});

/** The databases; tests on PostgreSQL are skipped where it is not installed. */
const DATABASES = [
  { database: "SQLite", lacking: false },
  { database: "PostgreSQL", lacking: !opened.ok },
] as const;

async function envOn(database: string): Promise<Readonly<Record<string, string>>> {
  if (database === "SQLite") return oauthServerEnv();
  if (!opened.ok) throw new Error(opened.reason);
  return { ...oauthServerEnv(), DATABASE_URL: await opened.postgres.createDatabase() };
}

describe("an OAuth library", () => {
  for (const { database, lacking } of DATABASES)
    test.skipIf(lacking)(
      `AUTH-26 finds the server, registers, signs in with an id token, reads the person and refreshes (${database})`,
      async () => {
        const env = await envOn(database);
        const own = await startAuthServer({ env });
        for (const method of ["client_secret_basic", "client_secret_post", "none"] as const)
          await runLibrary(own, method);
        await own.close();
      },
    );

  test("the metadata is where RFC 8414 and OpenID Connect expect it, and names endpoints, scopes and algorithms", async () => {
    const api = `${server.url}/auth/v1`;
    const at = [
      `${api}/.well-known/openid-configuration`,
      `${api}/.well-known/oauth-authorization-server`,
      `${server.url}/.well-known/oauth-authorization-server/auth/v1`,
    ];
    for (const url of at) {
      const response = await fetch(url);
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(await response.json()).toMatchObject({
        issuer: api,
        authorization_endpoint: `${api}/oauth/authorize`,
        token_endpoint: `${api}/oauth/token`,
        registration_endpoint: `${api}/oauth/clients/register`,
        scopes_supported: ["openid", "email", "profile", "phone", "offline_access"],
        id_token_signing_alg_values_supported: ["ES256"],
        code_challenge_methods_supported: ["S256"],
      });
    }
  });

  test("without the setting there is no OAuth server; with a plain secret there are no id tokens", async () => {
    const off = await startAuthServer();
    for (const path of ["/oauth/authorize", "/oauth/userinfo", "/.well-known/openid-configuration"])
      expect(await (await off.call(path)).json()).toMatchObject({ error_code: "feature_disabled" });
    expect((await fetch(`${off.url}/.well-known/oauth-authorization-server/auth/v1`)).status).toBe(
      404,
    );
    await off.close();
    const plain = await startAuthServer({ env: { ...oauthServerEnv(), GOTRUE_JWT_KEYS: "" } });
    const metadata = await (await plain.call("/.well-known/openid-configuration")).json();
    expect(metadata).toMatchObject({ id_token_signing_alg_values_supported: [] });
    expect(JSON.stringify(metadata)).not.toContain("openid");
    const { id } = await createTestClient(plain);
    const { location } = await ask(plain, id, { scope: "openid email" });
    expect(location?.searchParams.get("error")).toBe("invalid_scope");
    await plain.close();
  });
});

async function runLibrary(own: AuthServer, method: string): Promise<void> {
  const issuer = new URL(`${own.url}/auth/v1`);
  const insecure = { execute: [oidc.allowInsecureRequests] };
  const config = await oidc.dynamicClientRegistration(
    issuer,
    {
      client_name: "Planner",
      redirect_uris: [BACK],
      token_endpoint_auth_method: method,
    },
    undefined,
    { ...insecure, algorithm: "oauth2" },
  );
  oidc.enableNonRepudiationChecks(config);
  const verifier = oidc.randomPKCECodeVerifier();
  const nonce = oidc.randomNonce();
  const state = oidc.randomState();
  const address = oidc.buildAuthorizationUrl(config, {
    redirect_uri: BACK,
    scope: "openid email profile",
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    resource: "https://board.example/api",
    nonce,
    state,
  });
  const page = new URL(
    (await fetch(address, { redirect: "manual" })).headers.get("location") ?? "",
  );
  expect(page.href).toMatch(
    /^http:\/\/localhost:3000\/oauth\/consent\?authorization_id=[\w-]{43}$/,
  );
  const { client, email, id } = await person(own);
  await client.auth.updateUser({ data: { full_name: "Ada", avatar_url: 7 } });
  const back = await consent(client, page.searchParams.get("authorization_id") ?? "");
  expect(`${back.origin}${back.pathname}`).toBe(BACK);
  const tokens = await oidc.authorizationCodeGrant(config, back, {
    pkceCodeVerifier: verifier,
    expectedNonce: nonce,
    expectedState: state,
    idTokenExpected: true,
  });
  expect(tokens.claims()).toMatchObject({
    sub: id,
    aud: config.clientMetadata().client_id,
    email,
    email_verified: true,
    name: "Ada",
  });
  expect(tokens.claims()).not.toHaveProperty("picture");
  expect(claimsOf(tokens.access_token)).toMatchObject({
    sub: id,
    role: "authenticated",
    aal: "aal1",
    client_id: config.clientMetadata().client_id,
    scope: "openid email profile",
    amr: [{ method: "oauth_provider/authorization_code" }, { method: "password" }],
  });
  const info = await oidc.fetchUserInfo(config, tokens.access_token, id);
  expect(info).toMatchObject({ email, name: "Ada" });
  const fresh = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? "");
  expect(fresh.refresh_token).not.toBe(tokens.refresh_token);
  expect(claimsOf(fresh.access_token)["client_id"]).toBe(config.clientMetadata().client_id);
}

describe("POST /oauth/token", () => {
  test("AUTH-12 a code works once, and its second use ends the session; it is not in the database", async () => {
    const { id } = await createTestClient(server);
    const { client } = await person(server);
    const tokens = await tokensFor(server, client, id);
    const { rows } = await server.database.query("select * from auth_oauth_authorizations");
    expect(JSON.stringify(rows)).not.toContain(tokens.code);
    const again = await postToken(server, {
      grant_type: "authorization_code",
      client_id: id,
      code: tokens.code,
      code_verifier: tokens.verifier,
    });
    expect([again.status, again.body["error"]]).toEqual([400, "invalid_grant"]);
    const after = await postToken(server, {
      grant_type: "refresh_token",
      client_id: id,
      refresh_token: tokens.refresh,
    });
    expect(after.body["error"]).toBe("invalid_grant");
    expect((await client.auth.getUser()).error).toBeNull();
  });

  for (const { database, lacking } of DATABASES)
    test.skipIf(lacking)(
      `of ten exchanges of one code at once, on two processes, one at most gives a session, and none is left (${database})`,
      async () => {
        const env = await envOn(database);
        const one = await startAuthServer({ env });
        const other = await startAuthServer("DATABASE_URL" in env ? { env } : { env, beside: one });
        const { id } = await createTestClient(one);
        const { client, id: userId } = await person(one);
        const asked = await ask(other, id);
        const code = (await consent(client, asked.authorizationId)).searchParams.get("code") ?? "";
        const fields = { grant_type: "authorization_code", client_id: id, code };
        const all = await Promise.all(
          Array.from({ length: 10 }, (_, index) =>
            postToken(index % 2 === 0 ? one : other, { ...fields, code_verifier: asked.verifier }),
          ),
        );
        expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
        expect(all.filter(({ body }) => body["error"] === "invalid_grant")).toHaveLength(9);
        const { rows } = await one.database.query(
          "select id from auth_sessions where user_id = $1 and oauth_client_id is not null",
          [userId],
        );
        expect(rows).toEqual([]);
        await other.close();
        await one.close();
      },
    );

  test("AUTH-41 one address has 150 token requests in 5 minutes, and 10 registrations", async () => {
    const own = await startAuthServer({ env: oauthServerEnv(), still: true });
    const headers = { "x-test-address": "192.0.2.7", "content-type": "application/json" };
    const send = async (path: string, body: object): Promise<number> =>
      (await own.call(path, { method: "POST", body: JSON.stringify(body), headers })).status;
    const codes: number[] = [];
    for (let i = 0; i < 151; i++) codes.push(await send("/oauth/token", { grant_type: "x" }));
    expect(codes.filter((code) => code === 429)).toHaveLength(1);
    const made: number[] = [];
    for (let i = 0; i < 11; i++)
      made.push(await send("/oauth/clients/register", { redirect_uris: [BACK] }));
    expect(made).toEqual([...Array.from({ length: 10 }, () => 201), 429]);
    await own.close();
  });
});
