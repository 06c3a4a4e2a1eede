/** Tests the rights of an OAuth client on a person's account, and their end. */

import { readFileSync } from "node:fs";
import type { SupabaseClient } from "@supabase/supabase-js";
import { Secret, TOTP } from "otpauth";
import { beforeAll, describe, expect, test } from "vitest";
import {
  ask,
  consent,
  createTestClient,
  oauthServerEnv,
  postToken,
  tokensFor,
  type Tokens,
} from "../../../testing/auth/oauth-client.ts";
import { PASSWORD, claimsOf, person } from "../../../testing/auth/people.ts";
import { startAuthServer, type AuthServer } from "../../../testing/auth/server.ts";
import { clientsServer } from "./clients-bed.case.ts";

let server: AuthServer;
const opened = clientsServer();
beforeAll(() => {
  server = opened();
});

/** The routes with a user's token, as docs/auth.md lists them, and whether an OAuth client's token is enough. */
function routesOfUsers(): readonly (readonly [method: string, path: string, client: boolean])[] {
  const text = readFileSync(new URL("../../../docs/auth.md", import.meta.url), "utf8");
  return [...text.matchAll(/^\| ([A-Z]+) +\| `([^`]+)` +\| (a user's token[^|]*?) +\|/gm)].map(
    ([, method = "", path = "", by = ""]) => [method, path, by.includes("OAuth client")] as const,
  );
}

function call(at: AuthServer, method: string, path: string, token: string): Promise<Response> {
  const filled = path.replace(/:\w+/g, "00000000-0000-4000-8000-000000000000");
  return at.call(filled, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(method === "GET" ? {} : { body: "{}" }),
  });
}

const refreshed = async (at: AuthServer, clientId: string, tokens: Tokens): Promise<unknown> =>
  (
    await postToken(at, {
      grant_type: "refresh_token",
      client_id: clientId,
      refresh_token: tokens.refresh,
    })
  ).body["error"];

describe("a client's token", () => {
  test("AUTH-6 reads the account and the table API, and changes no account, factor, identity, passkey or grant", async () => {
    const { id } = await createTestClient(server);
    const someone = await person(server);
    const { access } = await tokensFor(server, someone.client, id);
    const routes = routesOfUsers();
    expect(routes.length).toBeGreaterThan(15);
    for (const [method, path, allowed] of routes) {
      if (path === "/logout") continue;
      const response = await call(server, method, path, access);
      const code = response.headers.get("x-sb-error-code");
      expect([method, path, code]).toEqual([
        method,
        path,
        allowed ? null : "oauth_client_forbidden",
      ]);
    }
    const row = await fetch(`${server.url}/rest/v1/canvas_state?select=id`, {
      headers: { apikey: server.anonKey, authorization: `Bearer ${access}` },
    });
    expect(row.status).toBe(200);
    const leave = await call(server, "POST", "/logout", access);
    expect([leave.status, leave.headers.get("x-sb-error-code")]).toEqual([
      403,
      "oauth_client_forbidden",
    ]);
    expect((await someone.client.auth.getUser()).error).toBeNull();
    expect((await call(server, "GET", "/user", access)).status).toBe(403);
  });

  test("AUTH-6 its refresh token is for that client only, and a person's for no client; an id token opens nothing", async () => {
    const { id } = await createTestClient(server);
    const other = await createTestClient(server);
    const someone = await person(server);
    const asked = await ask(server, id, { scope: "openid" });
    const back = await consent(someone.client, asked.authorizationId);
    const { body } = await postToken(server, {
      grant_type: "authorization_code",
      client_id: id,
      code: back.searchParams.get("code") ?? "",
      code_verifier: asked.verifier,
    });
    const tokens = { access: "", refresh: String(body["refresh_token"]), code: "", verifier: "" };
    expect(await refreshed(server, other.id, tokens)).toBe("invalid_grant");
    const plain = await server.client().auth.refreshSession({ refresh_token: tokens.refresh });
    expect(plain.error?.code).toBe("refresh_token_not_found");
    const own = { ...tokens, refresh: (await someone.session()).refresh_token };
    expect(await refreshed(server, id, own)).toBe("invalid_grant");
    expect((await someone.client.auth.refreshSession()).error).toBeNull();
    expect(await refreshed(server, id, tokens)).toBeUndefined();
    const idToken = String(body["id_token"]);
    expect(claimsOf(idToken)).toMatchObject({ aud: id, sub: someone.id });
    expect((await call(server, "GET", "/user", idToken)).status).toBe(403);
    const row = await fetch(`${server.url}/rest/v1/canvas_state?select=id`, {
      headers: { apikey: server.anonKey, authorization: `Bearer ${idToken}` },
    });
    expect(row.status).toBe(401);
  });

  test("AUTH-8 its used refresh token gives the same tokens for 10 s, and ends the session after that", async () => {
    const { id } = await createTestClient(server);
    const someone = await person(server);
    const tokens = await tokensFor(server, someone.client, id);
    const fields = { grant_type: "refresh_token", client_id: id, refresh_token: tokens.refresh };
    const first = await postToken(server, fields);
    const again = await postToken(server, fields);
    expect(again.body["refresh_token"]).toBe(first.body["refresh_token"]);
    server.advance(11_000);
    expect(await refreshed(server, id, tokens)).toBe("invalid_grant");
    const newest = { ...tokens, refresh: String(first.body["refresh_token"]) };
    expect(await refreshed(server, id, newest)).toBe("invalid_grant");
    expect((await call(server, "GET", "/user", String(first.body["access_token"]))).status).toBe(
      403,
    );
    expect((await someone.client.auth.getUser()).error).toBeNull();
  });

  test("with INKPOOL_OAUTH_CLIENTS_MANAGE_ACCOUNTS it changes the account, and still grants no client anything", async () => {
    const own = await startAuthServer({
      env: { ...oauthServerEnv(), INKPOOL_OAUTH_CLIENTS_MANAGE_ACCOUNTS: "true" },
    });
    const { id } = await createTestClient(own);
    const someone = await person(own);
    const { access } = await tokensFor(own, someone.client, id);
    expect((await call(own, "PUT", "/user", access)).status).toBe(200);
    for (const [method, path] of [
      ["GET", "/user/oauth/grants"],
      ["DELETE", `/user/oauth/grants?client_id=${id}`],
      ["GET", "/oauth/authorizations/:id"],
      ["POST", "/oauth/authorizations/:id/consent"],
    ] as const) {
      const response = await call(own, method, path, access);
      expect(response.headers.get("x-sb-error-code")).toBe("oauth_client_forbidden");
    }
    expect((await call(own, "POST", "/logout", access)).status).toBe(204);
    expect((await someone.client.auth.getUser()).error).not.toBeNull();
    await own.close();
  });

  test("GET /oauth/userinfo has the granted claims, and no more", async () => {
    const { id } = await createTestClient(server);
    const someone = await person(server);
    const read = async (token: string): Promise<unknown> =>
      (await call(server, "GET", "/oauth/userinfo", token)).json();
    const little = await tokensFor(server, someone.client, id, { scope: "phone" });
    expect(await read(little.access)).toEqual({ sub: someone.id });
    const more = await tokensFor(server, someone.client, id, { scope: "email" });
    expect(await read(more.access)).toEqual({
      sub: someone.id,
      email: someone.email,
      email_verified: true,
    });
  });
});

/** Adds an authenticator app and uses it. */
async function withFactor(client: SupabaseClient): Promise<string> {
  const factor = await client.auth.mfa.enroll({ factorType: "totp", friendlyName: "app" });
  if (factor.error !== null) throw factor.error;
  const totp = new TOTP({ secret: Secret.fromBase32(factor.data.totp.secret) });
  const code = totp.generate({ timestamp: server.now() });
  await client.auth.mfa.challengeAndVerify({ factorId: factor.data.id, code });
  return factor.data.id;
}

test("AUTH-22 the second factor holds: without it nothing is granted, nor by an earlier grant; a client's session has the level of the one that granted it", async () => {
  const { id } = await createTestClient(server);
  const someone = await person(server);
  const before = await tokensFor(server, someone.client, id);
  const factorId = await withFactor(someone.client);
  expect(await refreshed(server, id, before)).toBe("invalid_grant");
  const weak = server.client();
  await weak.auth.signInWithPassword({ email: someone.email, password: PASSWORD });
  const asked = await ask(server, id);
  // The earlier grant exists, and is not enough.
  const details = await weak.auth.oauth.getAuthorizationDetails(asked.authorizationId);
  expect(details.data).toHaveProperty("authorization_id");
  const refused = await weak.auth.oauth.approveAuthorization(asked.authorizationId);
  expect(refused.error?.code).toBe("insufficient_aal");
  const strong = await tokensFor(server, someone.client, id);
  expect(claimsOf(strong.access)).toMatchObject({
    aal: "aal2",
    amr: [
      { method: "oauth_provider/authorization_code" },
      { method: "totp" },
      { method: "password" },
    ],
  });
  await someone.client.auth.mfa.unenroll({ factorId });
  const { body } = await postToken(server, {
    grant_type: "refresh_token",
    client_id: id,
    refresh_token: strong.refresh,
  });
  expect(claimsOf(String(body["access_token"]))["aal"]).toBe("aal1");
});

describe("the end of a client's access", () => {
  test("a person sees their grants and revokes one: that client's sessions and codes end, no others", async () => {
    const one = await createTestClient(server, { client_name: "One" });
    const two = await createTestClient(server, {
      client_name: "Two",
      client_uri: "https://two.example",
    });
    const someone = await person(server);
    const stranger = await person(server);
    const first = await tokensFor(server, someone.client, one.id, { scope: "email profile" });
    const second = await tokensFor(server, someone.client, two.id);
    const theirs = await tokensFor(server, stranger.client, one.id);
    const open = await ask(server, one.id);
    const code =
      (await consent(someone.client, open.authorizationId)).searchParams.get("code") ?? "";
    expect((await someone.client.auth.oauth.listGrants()).data).toEqual([
      {
        client: { id: two.id, name: "Two", uri: "https://two.example", logo_uri: "" },
        scopes: ["email"],
        granted_at: expect.any(String),
      },
      {
        client: { id: one.id, name: "One", uri: "", logo_uri: "" },
        scopes: ["email", "profile"],
        granted_at: expect.any(String),
      },
    ]);
    const { oauth } = someone.client.auth;
    expect((await oauth.revokeGrant({ clientId: one.id })).error).toBeNull();
    expect((await oauth.revokeGrant({ clientId: one.id })).error?.code).toBe(
      "oauth_consent_not_found",
    );
    expect((await oauth.revokeGrant({ clientId: "x" })).error?.code).toBe("validation_failed");
    const tooOld = await postToken(server, {
      grant_type: "authorization_code",
      client_id: one.id,
      code,
      code_verifier: open.verifier,
    });
    expect(tooOld.body["error"]).toBe("invalid_grant");
    expect(await refreshed(server, one.id, first)).toBe("invalid_grant");
    expect(await refreshed(server, two.id, second)).toBeUndefined();
    expect(await refreshed(server, one.id, theirs)).toBeUndefined();
    const again = await ask(server, one.id);
    const details = await oauth.getAuthorizationDetails(again.authorizationId);
    expect(details.data).toHaveProperty("authorization_id");
  });

  test("an administrator deletes a client, and its sessions, codes and grants go; a deleted user's go as well", async () => {
    const { id } = await createTestClient(server);
    const someone = await person(server);
    const tokens = await tokensFor(server, someone.client, id);
    expect((await server.admin().auth.admin.oauth.deleteClient(id)).error).toBeNull();
    expect(await refreshed(server, id, tokens)).toBe("invalid_client");
    expect((await call(server, "GET", "/user", tokens.access)).status).toBe(403);
    expect((await someone.client.auth.oauth.listGrants()).data).toEqual([]);
    const other = await createTestClient(server);
    const left = await tokensFor(server, someone.client, other.id);
    await server.admin().auth.admin.deleteUser(someone.id, true);
    expect(await refreshed(server, other.id, left)).toBe("invalid_grant");
    const { rows } = await server.database.query(
      "select client_id from auth_oauth_consents where user_id = $1 union select client_id from auth_oauth_authorizations where user_id = $1",
      [someone.id],
    );
    expect(rows).toEqual([]);
  });

  test("where only one session is allowed, a client's session ends none of the person's", async () => {
    const own = await startAuthServer({
      env: { ...oauthServerEnv(), GOTRUE_SESSIONS_SINGLE_PER_USER: "true" },
    });
    const { id } = await createTestClient(own);
    const someone = await person(own);
    await tokensFor(own, someone.client, id);
    expect((await someone.client.auth.getUser()).error).toBeNull();
    await own.close();
  });
});

test("the audit log names the client and no secret", async () => {
  const { id } = await createTestClient(server);
  const someone = await person(server);
  const tokens = await tokensFor(server, someone.client, id);
  await someone.client.auth.oauth.revokeGrant({ clientId: id });
  const { rows } = await server.database.query(
    "select action, payload from auth_audit_log where actor_id = $1 order by created_at",
    [someone.id],
  );
  const text = JSON.stringify(rows);
  for (const action of ["oauth_consent_granted", "login", "oauth_consent_revoked"])
    expect(
      rows.some((row) => row["action"] === action && String(row["payload"]).includes(id)),
    ).toBe(true);
  for (const secret of [tokens.code, tokens.refresh, tokens.verifier])
    expect(text + server.log.join("")).not.toContain(secret);
});
