/** Tests the OAuth 2.1 server, with the real client on the consent page and an OAuth library on the other side. */

import fc from "fast-check";
import * as oidc from "openid-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  BACK,
  SITE,
  ask,
  consent,
  createTestClient,
  oauthServerEnv,
  postToken,
  tokensFor,
} from "../../../testing/auth/oauth-client.ts";
import { PASSWORD, claimsOf, person } from "../../../testing/auth/people.ts";
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

  test("the metadata is where RFC 8414 and OpenID Connect look for it, and names what there is", async () => {
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

describe("GET /oauth/authorize", () => {
  test("AUTH-36 an unknown client or address is never redirected to; every other error goes to the registered one", async () => {
    const { id } = await createTestClient(server);
    const never: Readonly<Record<string, string | null>>[] = [
      { client_id: null },
      { client_id: "x" },
      { client_id: crypto.randomUUID() },
      { redirect_uri: null },
      { redirect_uri: "https://evil.example/back" },
      { redirect_uri: `${BACK}/` },
      { redirect_uri: `${BACK}?x=1` },
      { redirect_uri: `${BACK}#x` },
      { redirect_uri: "javascript:alert(1)" },
    ];
    for (const more of never) {
      const { response, location } = await ask(server, id, more);
      expect([more, response.status, location]).toEqual([more, 400, null]);
    }
    const errors: readonly (readonly [Readonly<Record<string, string | null>>, string])[] = [
      [{ response_type: "token" }, "unsupported_response_type"],
      [{ response_mode: "fragment" }, "invalid_request"],
      [{ code_challenge: null }, "invalid_request"],
      [{ code_challenge: "short" }, "invalid_request"],
      [{ code_challenge_method: null }, "invalid_request"],
      [{ code_challenge_method: "plain" }, "invalid_request"],
      [{ scope: "email everything" }, "invalid_scope"],
      [{ scope: " " }, "invalid_scope"],
      [{ resource: "/relative" }, "invalid_target"],
      [{ resource: "https://a.example/?q" }, "invalid_target"],
      [{ nonce: "n".repeat(600) }, "invalid_request"],
      [{ prompt: "none" }, "interaction_required"],
      [{ request_uri: "https://a.example" }, "request_not_supported"],
    ];
    for (const [more, code] of errors) {
      const { response, location } = await ask(server, id, more);
      expect([more, response.status, location?.origin]).toEqual([more, 302, new URL(BACK).origin]);
      const values = Object.fromEntries(location?.searchParams ?? []);
      expect([more, values]).toEqual([
        more,
        {
          error: code,
          error_description: expect.any(String),
          state: "state of the client",
          iss: `${server.url}/auth/v1`,
        },
      ]);
    }
    const long = await ask(server, id, { state: "s".repeat(3000) });
    expect(long.location?.searchParams.get("error")).toBe("invalid_request");
    expect(long.location?.searchParams.has("state")).toBe(false);
    const lenient = await ask(server, id, { response_type: null, scope: null, state: null });
    expect(lenient.location?.href.startsWith(`${SITE}/oauth/consent?`)).toBe(true);
  });

  test("AUTH-36 whatever it is asked with, it goes to the registered address, to the site, or nowhere", async () => {
    const { id } = await createTestClient(server);
    const text = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.string({ unit: "binary", maxLength: 40 }),
      fc.webUrl({ withQueryParameters: true }),
      fc.constantFrom(BACK, `${BACK}@evil.example`, "//evil.example", "\r\nlocation: x", id),
    );
    const names = ["redirect_uri", "client_id", "scope", "state", "resource", "nonce", "prompt"];
    const more = ["response_type", "response_mode", "code_challenge", "code_challenge_method"];
    const asked = fc.dictionary(fc.constantFrom(...names, ...more), text, { maxKeys: 4 });
    await fc.assert(
      fc.asyncProperty(asked, async (values) => {
        const { response, location } = await ask(server, id, { ...values });
        expect([302, 400]).toContain(response.status);
        if (location !== null)
          expect([BACK, `${SITE}/oauth/consent`]).toContain(
            `${location.origin}${location.pathname}`,
          );
      }),
      { numRuns: 100 },
    );
  });

  test("a path of the operator's stays under the site's address", async () => {
    const env = {
      ...oauthServerEnv(),
      GOTRUE_OAUTH_SERVER_AUTHORIZATION_PATH: "//evil.example/x?a=1",
    };
    const own = await startAuthServer({ env });
    const { id } = await createTestClient(own);
    const { location } = await ask(own, id);
    expect(location?.href).toMatch(
      /^http:\/\/localhost:3000\/evil.example\/x\?a=1&authorization_id=/,
    );
    await own.close();
  });
});

describe("consent", () => {
  test("the first who looks decides, once; another user, another origin and an old request get nothing", async () => {
    const { id } = await createTestClient(server);
    const one = await person(server);
    const other = await person(server);
    const { authorizationId } = await ask(server, id, { scope: "email phone" });
    expect((await one.client.auth.oauth.approveAuthorization(authorizationId)).error?.code).toBe(
      "oauth_authorization_not_found",
    );
    expect((await one.client.auth.oauth.getAuthorizationDetails(authorizationId)).data).toEqual({
      authorization_id: authorizationId,
      redirect_uri: BACK,
      client: { id, name: "Planner", uri: "", logo_uri: "" },
      user: { id: one.id, email: one.email },
      scope: "email phone",
    });
    for (const attempt of [
      other.client.auth.oauth.getAuthorizationDetails(authorizationId),
      other.client.auth.oauth.approveAuthorization(authorizationId),
      other.client.auth.oauth.denyAuthorization(authorizationId),
    ])
      expect((await attempt).error?.code).toBe("oauth_authorization_not_found");
    const token = (await one.session()).access_token;
    const decide = (action: unknown, origin?: string): Promise<Response> =>
      server.call(`/oauth/authorizations/${authorizationId}/consent`, {
        method: "POST",
        body: JSON.stringify({ action }),
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          ...(origin === undefined ? {} : { origin }),
        },
      });
    expect(await (await decide("approve", "https://evil.example")).json()).toMatchObject({
      error_code: "validation_failed",
      msg: "unauthorized request origin",
    });
    expect((await decide("perhaps")).status).toBe(400);
    expect((await decide("approve", SITE)).status).toBe(200);
    expect(await (await decide("approve")).json()).toMatchObject({
      msg: "authorization request cannot be processed",
    });
    const old = await ask(server, id);
    await one.client.auth.oauth.getAuthorizationDetails(old.authorizationId);
    server.advance(601_000);
    expect((await one.client.auth.oauth.denyAuthorization(old.authorizationId)).error?.code).toBe(
      "oauth_authorization_not_found",
    );
    const unknown = await server.call("/oauth/authorizations/x", {
      headers: { authorization: `Bearer ${(await one.session()).access_token}` },
    });
    expect(unknown.status).toBe(404);
    expect((await server.call("/oauth/authorizations/x")).status).toBe(401);
  });

  test("what was granted before is not asked again, more of it is; an address that the client lost is not returned to", async () => {
    const { id } = await createTestClient(server);
    const { client } = await person(server);
    await tokensFor(server, client, id, { scope: "email profile" });
    const less = await ask(server, id, { scope: "email" });
    const less2 = await client.auth.oauth.getAuthorizationDetails(less.authorizationId);
    expect(less2.data).toMatchObject({ redirect_url: expect.stringContaining("code=") });
    const more = await ask(server, id, { scope: "email phone" });
    const more2 = await client.auth.oauth.getAuthorizationDetails(more.authorizationId);
    expect(more2.data).toHaveProperty("authorization_id");
    await server
      .admin()
      .auth.admin.oauth.updateClient(id, { redirect_uris: ["https://planner.example/new"] });
    const lost = await client.auth.oauth.approveAuthorization(more.authorizationId);
    expect(lost.error?.code).toBe("oauth_authorization_not_found");
  });
});

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

  test("a wrong verifier, address, resource or client gets nothing and leaves the code to its owner; age, sign-out and a ban end it", async () => {
    const { id } = await createTestClient(server);
    const stranger = await createTestClient(server);
    const { client, email, id: userId } = await person(server);
    const make = async (): Promise<Record<string, string>> => {
      const asked = await ask(server, id, { resource: "https://a.example/x" });
      const code = (await consent(client, asked.authorizationId)).searchParams.get("code") ?? "";
      const grant = { grant_type: "authorization_code", client_id: id };
      return { ...grant, code, code_verifier: asked.verifier };
    };
    const fields = await make();
    for (const wrong of [
      { code_verifier: "v".repeat(43) },
      { code_verifier: "" },
      { redirect_uri: "https://evil.example" },
      { resource: "https://b.example" },
      { client_id: stranger.id },
      { code: "nothing" },
    ]) {
      const { status, body } = await postToken(server, { ...fields, ...wrong });
      expect([wrong, status, body["error"]]).toEqual([
        wrong,
        400,
        wrong.code_verifier === "" ? "invalid_request" : "invalid_grant",
      ]);
    }
    expect((await postToken(server, fields)).status).toBe(200);
    const old = await make();
    server.advance(301_000);
    expect((await postToken(server, old)).body["error"]).toBe("invalid_grant");
    const left = await make();
    await client.auth.signOut({ scope: "local" });
    expect((await postToken(server, left)).body["error"]).toBe("invalid_grant");
    await client.auth.signInWithPassword({ email, password: PASSWORD });
    const banned = await make();
    await server.admin().auth.admin.updateUserById(userId, { ban_duration: "1h" });
    expect((await postToken(server, banned)).body["error"]).toBe("invalid_grant");
  });

  test("a confidential client proves itself by its secret, a public one has none; an unknown one and a wrong secret are one response", async () => {
    const basic = await createTestClient(server, {
      token_endpoint_auth_method: "client_secret_basic",
    });
    const post = await createTestClient(server, {
      token_endpoint_auth_method: "client_secret_post",
    });
    const open = await createTestClient(server);
    const header = (id: string, secret = ""): Record<string, string> => ({
      authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`,
    });
    const grant = { grant_type: "refresh_token", refresh_token: "nothing" };
    const accepted = "invalid_grant";
    const refused = "invalid_client";
    const cases: readonly (readonly [object, object, string])[] = [
      [{}, header(basic.id, basic.secret), accepted],
      [{ client_id: post.id, client_secret: post.secret }, {}, accepted],
      [{ client_id: open.id }, {}, accepted],
      [{ client_id: basic.id, client_secret: basic.secret }, {}, accepted],
      [{}, header(post.id, post.secret), accepted],
      [{ client_id: basic.id, client_secret: post.secret }, {}, refused],
      [{}, header(basic.id, "wrong"), refused],
      [{}, header(open.id), refused],
      [{}, header(crypto.randomUUID(), "wrong"), refused],
      [{ client_id: basic.id }, {}, refused],
      [{ client_id: "nobody" }, {}, refused],
      [{ client_id: open.id, client_secret: "x" }, {}, refused],
      [{}, { authorization: "Basic %%%" }, refused],
      [{ client_secret: basic.secret }, header(basic.id, basic.secret), "invalid_request"],
      [{ client_id: open.id }, header(basic.id, basic.secret), "invalid_request"],
      [{}, {}, "invalid_request"],
    ];
    for (const [fields, headers, code] of cases) {
      const answer = await postToken(server, { ...grant, ...fields }, { ...headers });
      const asked = Object.hasOwn(headers, "authorization") && code === refused;
      expect([fields, headers, answer.body["error"], answer.status]).toEqual([
        fields,
        headers,
        code,
        asked ? 401 : 400,
      ]);
      expect(answer.headers.has("www-authenticate")).toBe(asked);
    }
    const wrong = await postToken(server, grant, header(basic.id, "wrong"));
    const nobody = await postToken(server, grant, header(crypto.randomUUID(), "wrong"));
    expect(wrong.body).toEqual(nobody.body);
    const fresh = await server.admin().auth.admin.oauth.regenerateClientSecret(basic.id);
    expect((await postToken(server, grant, header(basic.id, basic.secret))).status).toBe(401);
    const now = await postToken(server, grant, header(basic.id, fresh.data?.client_secret));
    expect(now.body["error"]).toBe(accepted);
  });

  test("AUTH-35 whatever is sent, an error has the form of RFC 6749", async () => {
    const { id } = await createTestClient(server, { grant_types: ["authorization_code"] });
    const form = "application/x-www-form-urlencoded";
    const json = "application/json";
    const cases: readonly (readonly [string, string, number, string])[] = [
      [form, "", 400, "invalid_request"],
      [form, "grant_type=%00", 400, "invalid_request"],
      [form, "&&&==%%%", 400, "invalid_request"],
      [form, `grant_type=password&client_id=${id}`, 400, "unsupported_grant_type"],
      [form, `grant_type=refresh_token&client_id=${id}`, 400, "unauthorized_client"],
      [form, `grant_type=authorization_code&client_id=${id}`, 400, "invalid_request"],
      [json, "{", 400, "invalid_request"],
      [json, "[]", 400, "invalid_request"],
      [json, '{"__proto__":{}}', 400, "invalid_request"],
      [json, '{"grant_type":{"a":1}}', 400, "invalid_request"],
      [json, `{"grant_type":"password","client_id":"${id}"}`, 400, "unsupported_grant_type"],
      ["text/plain", "grant_type=refresh_token", 400, "invalid_request"],
      [form, `x=${"y".repeat(600_000)}`, 413, "invalid_request"],
    ];
    for (const [type, body, status, code] of cases) {
      const response = await server.call("/oauth/token", {
        method: "POST",
        body,
        headers: { "content-type": type },
      });
      expect([body.slice(0, 60), response.status, await response.json()]).toEqual([
        body.slice(0, 60),
        status,
        { error: code, error_description: expect.any(String) },
      ]);
      expect(response.headers.get("cache-control")).toBe("no-store");
    }
  });

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
