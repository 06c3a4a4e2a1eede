/** Tests the routes that a session without a second factor may not use when its user has one. */

import { readFileSync } from "node:fs";
import type { SupabaseClient } from "@supabase/supabase-js";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, createTestClient } from "../../../testing/auth/oauth-client.ts";
import {
  providerSettings,
  startOpenIdProvider,
  type OpenIdProvider,
} from "../../../testing/auth/openid-provider.ts";
import {
  PASSWORD,
  follow,
  freshEmail,
  freshPhone,
  person,
  sessionOf,
} from "../../../testing/auth/people.ts";
import { startAuthServer, type AuthServer } from "../../../testing/auth/server.ts";
import { OPEN, UUID, type Member, type Step } from "./aal2-routes.case.ts";

let provider: OpenIdProvider;
let server: AuthServer;

beforeAll(async () => {
  provider = await startOpenIdProvider();
  server = await startAuthServer({
    env: {
      ...providerSettings(provider, "KEYCLOAK"),
      GOTRUE_EXTERNAL_PHONE_ENABLED: "true",
      GOTRUE_SECURITY_MANUAL_LINKING_ENABLED: "true",
      GOTRUE_PASSKEY_ENABLED: "true",
      GOTRUE_MFA_PHONE_ENROLL_ENABLED: "true",
      GOTRUE_MFA_PHONE_VERIFY_ENABLED: "true",
      GOTRUE_OAUTH_SERVER_ENABLED: "true",
      GOTRUE_OAUTH_SERVER_AUTHORIZATION_PATH: "/oauth/consent",
    },
  });
});

afterAll(async () => {
  await server.close();
  await provider.close();
});

/** Adds and verifies an authenticator app, and returns its id. */
async function enrollApp(client: SupabaseClient): Promise<string> {
  const factor = await client.auth.mfa.enroll({ factorType: "totp", friendlyName: "app" });
  if (factor.error !== null) throw factor.error;
  const totp = new TOTP({ secret: Secret.fromBase32(factor.data.totp.secret) });
  const code = totp.generate({ timestamp: server.now() });
  const raised = await client.auth.mfa.challengeAndVerify({ factorId: factor.data.id, code });
  expect(raised.error).toBeNull();
  return factor.data.id;
}

/** Makes a user with an authenticator app and two identities. */
async function member(): Promise<Member> {
  const someone = await person(server);
  provider.person = { sub: crypto.randomUUID(), email: freshEmail("oidc"), email_verified: true };
  const linked = await someone.client.auth.linkIdentity({
    provider: "keycloak",
    token: await provider.idToken(),
  });
  expect(linked.error).toBeNull();
  const spare = await someone.client.auth.mfa.enroll({ factorType: "phone", phone: freshPhone() });
  if (spare.error !== null) throw spare.error;
  const factorId = await enrollApp(someone.client);
  const { authorizationId } = await ask(server, (await createTestClient(server)).id);
  const asked = await someone.client.auth.oauth.getAuthorizationDetails(authorizationId);
  expect(asked.data).toMatchObject({ scope: "email" });
  const { data } = await someone.client.auth.getUserIdentities();
  const identity = data?.identities.find((one) => one.provider === "keycloak");
  return {
    email: someone.email,
    strong: (await someone.session()).access_token,
    factorId,
    spareId: spare.data.id,
    identityId: identity?.identity_id ?? "",
    authorizationId,
  };
}

/** Returns an access token of a new session without the second factor. */
async function weakToken(email: string): Promise<string> {
  const client = server.client();
  await client.auth.signInWithPassword({ email, password: PASSWORD });
  return (await sessionOf(client)).access_token;
}

/** Everything that demands the second factor; what ends the session comes last. */
const GUARDED: Readonly<Record<string, Step>> = {
  "a new password": { route: "PUT /user", body: () => ({ password: "another one" }) },
  "a new address": { route: "PUT /user", body: () => ({ email: freshEmail() }) },
  "a new number": { route: "PUT /user", body: () => ({ phone: freshPhone() }) },
  "a new factor": { route: "POST /factors", body: () => ({ factor_type: "totp" }) },
  "a challenge of an unverified factor": {
    route: "POST /factors/:factor_id/challenge",
    path: (of) => `/factors/${of.spareId}/challenge`,
  },
  "verifying an unverified factor": {
    route: "POST /factors/:factor_id/verify",
    path: (of) => `/factors/${of.spareId}/verify`,
    body: () => ({ challenge_id: UUID, code: "000000" }),
  },
  "a new passkey": { route: "POST /passkeys/registration/options" },
  "completing a passkey": {
    route: "POST /passkeys/registration/verify",
    body: () => ({ challenge_id: UUID, credential: {} }),
  },
  "renaming a passkey": {
    route: "PATCH /passkeys/:passkey_id",
    path: () => `/passkeys/${UUID}`,
    body: () => ({ friendly_name: "x" }),
  },
  "removing a passkey": { route: "DELETE /passkeys/:passkey_id", path: () => `/passkeys/${UUID}` },
  "linking an identity by redirect": {
    route: "GET /user/identities/authorize",
    path: () => "/user/identities/authorize?provider=keycloak&skip_http_redirect=true",
  },
  "linking an identity by id token": {
    route: "POST /token",
    path: () => "/token?grant_type=id_token",
    body: async () => ({
      provider: "keycloak",
      id_token: await provider.idToken({ sub: crypto.randomUUID() }),
      link_identity: true,
    }),
  },
  "unlinking an identity": {
    route: "DELETE /user/identities/:identity_id",
    path: (of) => `/user/identities/${of.identityId}`,
  },
  "granting an OAuth client access": {
    route: "POST /oauth/authorizations/:authorization_id/consent",
    path: (of) => `/oauth/authorizations/${of.authorizationId}/consent`,
    body: () => ({ action: "approve" }),
  },
  "ending an OAuth client's access": {
    route: "DELETE /user/oauth/grants",
    path: () => `/user/oauth/grants?client_id=${UUID}`,
  },
  "ending the other sessions": { route: "POST /logout", path: () => "/logout?scope=others" },
  "removing a factor": {
    route: "DELETE /factors/:factor_id",
    path: (of) => `/factors/${of.factorId}`,
  },
  "ending all sessions": { route: "POST /logout", path: () => "/logout?scope=global" },
};

async function call(step: Step, of: Member, token: string): Promise<Response> {
  const body = await step.body?.(of);
  const [method = "", route = ""] = step.route.split(" ");
  return server.call(step.path?.(of) ?? route, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

const isAlive = async (token: string, at: AuthServer = server): Promise<boolean> =>
  (await at.client().auth.getUser(token)).error === null;

describe("without the second factor", () => {
  let of: Member;

  beforeAll(async () => {
    of = await member();
  });

  test.each(Object.entries(GUARDED))("AUTH-22 %s needs it", async (_name, step) => {
    const refused = await call(step, of, await weakToken(of.email));
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ error_code: "insufficient_aal" });
    expect(await isAlive(of.strong)).toBe(true);
  });

  test.each(Object.entries(OPEN))("AUTH-22 %s does not", async (_name, step) => {
    const response = await call(step, of, await weakToken(of.email));
    expect([401, 403, 404, 500]).not.toContain(response.status);
    expect(await isAlive(of.strong)).toBe(true);
  });
});

test("AUTH-22 every route with a user's token is decided, as the table of docs/auth.md has it", () => {
  const text = readFileSync(new URL("../../../docs/auth.md", import.meta.url), "utf8");
  const rows = [...text.matchAll(/^\| ([A-Z]+) +\| `([^`]+)` +\| ([^|]+?) +\|/gm)].map(
    ([, method = "", path = "", by = ""]) => [`${method} ${path}`, by] as const,
  );
  const routes = (steps: Readonly<Record<string, Step>>): readonly string[] =>
    [...new Set(Object.values(steps).map((step) => step.route))].toSorted();
  const decided = rows.filter(([, by]) => /user's token|aal2/.test(by));
  expect(routes(GUARDED)).toEqual(
    decided.flatMap(([route, by]) => (by.includes("aal2") ? [route] : [])).toSorted(),
  );
  expect(routes(OPEN)).toEqual(
    decided.flatMap(([route, by]) => (by.endsWith("aal2") ? [] : [route])).toSorted(),
  );
});

test("AUTH-22 a factor that was enrolled before the first one was verified is verified with that one only", async () => {
  const of = await member();
  const weak = server.client();
  await weak.auth.signInWithPassword({ email: of.email, password: PASSWORD });
  const refused = await weak.auth.mfa.challenge({ factorId: of.spareId });
  expect(refused.error?.code).toBe("insufficient_aal");
  const allowed = await server.call(`/factors/${of.spareId}/challenge`, {
    method: "POST",
    headers: { authorization: `Bearer ${of.strong}` },
  });
  expect(allowed.status).toBe(200);
});

test("AUTH-22 an identity whose linking began before the factor was verified is not linked", async () => {
  const someone = await person(server);
  provider.person = { sub: crypto.randomUUID(), email: freshEmail("oidc"), email_verified: true };
  const begun = await someone.client.auth.linkIdentity({ provider: "keycloak" });
  const away = await fetch(begun.data?.url ?? "", { redirect: "manual" });
  await enrollApp(someone.client);
  const { values } = await follow(away.headers.get("location") ?? "");
  expect(values.get("error_code")).toBe("bad_oauth_state");
  const { data } = await someone.client.auth.getUserIdentities();
  expect(data?.identities.map((one) => one.provider)).toEqual(["email"]);
});

test("AUTH-22 a change of number that began before the factor was verified does not take effect", async () => {
  const someone = await person(server);
  const phone = freshPhone();
  await someone.client.auth.updateUser({ phone });
  await enrollApp(someone.client);
  const { code } = await server.mailTo(`+${phone}`);
  const refused = await server
    .client()
    .auth.verifyOtp({ phone, token: code, type: "phone_change" });
  expect(refused.error?.code).toBe("otp_expired");
  expect((await sessionOf(someone.client)).user.new_phone).toBeUndefined();
});

test("AUTH-22 with the second factor every one of these routes is open", async () => {
  const of = await member();
  for (const [name, step] of Object.entries(GUARDED)) {
    const allowed = await call(step, of, of.strong);
    expect([name, allowed.headers.get("x-sb-error-code")]).not.toEqual([name, "insufficient_aal"]);
    expect([name, allowed.status]).not.toEqual([name, 401]);
  }
  expect(await isAlive(of.strong)).toBe(false);
});

test("AUTH-22 without the second factor one still leaves one's own session, by either scope", async () => {
  const of = await member();
  for (const scope of ["local", "global"] as const) {
    const weak = await weakToken(of.email);
    const response = await server.call(`/logout?scope=${scope}`, {
      method: "POST",
      headers: { authorization: `Bearer ${weak}` },
    });
    expect(response.status).toBe(scope === "local" ? 204 : 403);
    expect(await isAlive(weak)).toBe(false);
    expect(await isAlive(of.strong)).toBe(true);
  }
});

test("AUTH-22 where only one session is allowed, a password alone does not end a session with the second factor", async () => {
  const own = await startAuthServer({ env: { GOTRUE_SESSIONS_SINGLE_PER_USER: "true" } });
  const someone = await person(own);
  const factor = await someone.client.auth.mfa.enroll({ factorType: "totp", friendlyName: "app" });
  if (factor.error !== null) throw factor.error;
  const totp = new TOTP({ secret: Secret.fromBase32(factor.data.totp.secret) });
  const factorId = factor.data.id;
  const code = (): string => totp.generate({ timestamp: own.now() });
  await someone.client.auth.mfa.challengeAndVerify({ factorId, code: code() });
  const first = (await someone.session()).access_token;
  const second = own.client();
  await second.auth.signInWithPassword({ email: someone.email, password: PASSWORD });
  expect(await isAlive(first, own)).toBe(true);
  own.advance(30_000);
  const raised = await second.auth.mfa.challengeAndVerify({ factorId, code: code() });
  expect(raised.error).toBeNull();
  expect(await isAlive(first, own)).toBe(false);
  await own.close();
});

test("INKPOOL_STRICT_AAL2=false is GoTrue's behaviour: password, address, number, factors and passkeys need it, the rest does not", async () => {
  const own = await startAuthServer({
    env: { INKPOOL_STRICT_AAL2: "false", GOTRUE_SECURITY_MANUAL_LINKING_ENABLED: "true" },
  });
  const someone = await person(own);
  const factor = await someone.client.auth.mfa.enroll({ factorType: "totp", friendlyName: "app" });
  if (factor.error !== null) throw factor.error;
  const totp = new TOTP({ secret: Secret.fromBase32(factor.data.totp.secret) });
  const code = totp.generate({ timestamp: own.now() });
  await someone.client.auth.mfa.challengeAndVerify({ factorId: factor.data.id, code });
  const weak = own.client();
  await weak.auth.signInWithPassword({ email: someone.email, password: PASSWORD });
  for (const refused of [
    await weak.auth.updateUser({ password: "another one" }),
    await weak.auth.mfa.enroll({ factorType: "totp" }),
    await weak.auth.mfa.unenroll({ factorId: factor.data.id }),
  ])
    expect(refused.error?.code).toBe("insufficient_aal");
  const linking = await own.call("/user/identities/authorize?provider=none", {
    headers: { authorization: `Bearer ${(await sessionOf(weak)).access_token}` },
  });
  expect(linking.headers.get("x-sb-error-code")).toBe("oauth_provider_not_supported");
  const strong = (await someone.session()).access_token;
  expect((await weak.auth.signOut({ scope: "others" })).error).toBeNull();
  expect(await isAlive(strong, own)).toBe(false);
  await own.close();
});
