/** The authorization endpoint and the consent page. */

import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  BACK,
  SITE,
  ask,
  createTestClient,
  oauthServerEnv,
  tokensFor,
} from "../../../testing/auth/oauth-client.ts";
import { person } from "../../../testing/auth/people.ts";
import { startAuthServer, type AuthServer } from "../../../testing/auth/server.ts";
import "../../../testing/random/fast-check.ts";

let server: AuthServer;

beforeAll(async () => {
  server = await startAuthServer({ env: oauthServerEnv() });
});

afterAll(() => server.close());

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

  test("AUTH-36 any parameters lead to the registered address, to the site, or nowhere", async () => {
    const { id } = await createTestClient(server);
    const text = fc.oneof(
      fc.string({ maxLength: 40 }),
      // Its own unit of all characters costs a second, for a table of them.
      fc.string({
        unit: fc.nat(0x10ffff).map((code) => String.fromCodePoint(code)),
        maxLength: 40,
      }),
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
  test("the first user to look decides, once; another user, another origin and an old request get nothing", async () => {
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

  test("a granted scope is not asked for again, a further one is; an address that the client lost is not returned to", async () => {
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
