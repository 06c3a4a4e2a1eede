/** The routes that a session without a second factor may not use when its user has one. */

import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startOpenIdProvider, type OpenIdProvider } from "../../testing/auth/openid-provider.ts";
import { PASSWORD, freshEmail, freshPhone, person, sessionOf } from "../../testing/auth/people.ts";
import { startAuthServer, type AuthServer } from "../../testing/auth/server.ts";

let provider: OpenIdProvider;
let server: AuthServer;

beforeAll(async () => {
  provider = await startOpenIdProvider();
  server = await startAuthServer({
    env: {
      GOTRUE_EXTERNAL_KEYCLOAK_ENABLED: "true",
      GOTRUE_EXTERNAL_KEYCLOAK_CLIENT_ID: provider.clientId,
      GOTRUE_EXTERNAL_KEYCLOAK_SECRET: provider.secret,
      GOTRUE_EXTERNAL_KEYCLOAK_URL: provider.issuer,
      GOTRUE_EXTERNAL_PHONE_ENABLED: "true",
      GOTRUE_SECURITY_MANUAL_LINKING_ENABLED: "true",
      GOTRUE_PASSKEY_ENABLED: "true",
    },
  });
});

afterAll(async () => {
  await server.close();
  await provider.close();
});

interface Member {
  readonly email: string;
  /** An access token of a session with the second factor. */
  readonly strong: string;
  readonly factorId: string;
  readonly identityId: string;
}

/** A user with an authenticator app and two identities. */
async function member(): Promise<Member> {
  const someone = await person(server);
  provider.person = { sub: crypto.randomUUID(), email: freshEmail("oidc"), email_verified: true };
  const linked = await someone.client.auth.linkIdentity({
    provider: "keycloak",
    token: await provider.idToken(),
  });
  expect(linked.error).toBeNull();
  const factor = await someone.client.auth.mfa.enroll({ factorType: "totp", friendlyName: "app" });
  if (factor.error !== null) throw factor.error;
  const totp = new TOTP({ secret: Secret.fromBase32(factor.data.totp.secret) });
  const code = totp.generate({ timestamp: server.now() });
  const raised = await someone.client.auth.mfa.challengeAndVerify({
    factorId: factor.data.id,
    code,
  });
  expect(raised.error).toBeNull();
  const { data } = await someone.client.auth.getUserIdentities();
  const identity = data?.identities.find((one) => one.provider === "keycloak");
  return {
    email: someone.email,
    strong: (await someone.session()).access_token,
    factorId: factor.data.id,
    identityId: identity?.identity_id ?? "",
  };
}

/** An access token of a new session without the second factor. */
async function weakToken(email: string): Promise<string> {
  const client = server.client();
  await client.auth.signInWithPassword({ email, password: PASSWORD });
  return (await sessionOf(client)).access_token;
}

interface Guarded {
  readonly method: string;
  readonly path: (of: Member) => string;
  readonly body?: (of: Member) => Promise<object> | object;
}

const uuid = "00000000-0000-4000-8000-000000000000";

/** Every route that demands the second factor; what ends the session comes last. */
const GUARDED: Readonly<Record<string, Guarded>> = {
  "a new password": {
    method: "PUT",
    path: () => "/user",
    body: () => ({ password: "another one" }),
  },
  "a new address": { method: "PUT", path: () => "/user", body: () => ({ email: freshEmail() }) },
  "a new number": { method: "PUT", path: () => "/user", body: () => ({ phone: freshPhone() }) },
  "a new factor": { method: "POST", path: () => "/factors", body: () => ({ factor_type: "totp" }) },
  "a new passkey": { method: "POST", path: () => "/passkeys/registration/options" },
  "completing a passkey": {
    method: "POST",
    path: () => "/passkeys/registration/verify",
    body: () => ({ challenge_id: uuid, credential: {} }),
  },
  "renaming a passkey": {
    method: "PATCH",
    path: () => `/passkeys/${uuid}`,
    body: () => ({ friendly_name: "x" }),
  },
  "removing a passkey": { method: "DELETE", path: () => `/passkeys/${uuid}` },
  "linking an identity by redirect": {
    method: "GET",
    path: () => "/user/identities/authorize?provider=keycloak&skip_http_redirect=true",
  },
  "linking an identity by id token": {
    method: "POST",
    path: () => "/token?grant_type=id_token",
    body: async () => ({
      provider: "keycloak",
      id_token: await provider.idToken({ sub: crypto.randomUUID() }),
      link_identity: true,
    }),
  },
  "unlinking an identity": { method: "DELETE", path: (of) => `/user/identities/${of.identityId}` },
  "ending the other sessions": { method: "POST", path: () => "/logout?scope=others" },
  "removing a factor": { method: "DELETE", path: (of) => `/factors/${of.factorId}` },
  "ending all sessions": { method: "POST", path: () => "/logout?scope=global" },
};

async function call(guarded: Guarded, of: Member, token: string): Promise<Response> {
  const body = await guarded.body?.(of);
  return server.call(guarded.path(of), {
    method: guarded.method,
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

  test.each(Object.entries(GUARDED))("AUTH-22 %s needs it", async (_name, guarded) => {
    const refused = await call(guarded, of, await weakToken(of.email));
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ error_code: "insufficient_aal" });
    expect(await isAlive(of.strong)).toBe(true);
  });
});

test("AUTH-22 with the second factor every one of these routes is open", async () => {
  const of = await member();
  for (const [name, guarded] of Object.entries(GUARDED)) {
    const allowed = await call(guarded, of, of.strong);
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
