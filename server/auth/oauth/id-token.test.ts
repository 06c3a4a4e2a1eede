import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startOpenIdProvider, type OpenIdProvider } from "../../../testing/auth/openid-provider.ts";
import { follow, freshEmail, sessionOf } from "../../../testing/auth/people.ts";
import { startAuthServer, type AuthServer } from "../../../testing/auth/server.ts";

let provider: OpenIdProvider;
let server: AuthServer;

beforeAll(async () => {
  provider = await startOpenIdProvider();
  const named = (name: string): Record<string, string> => ({
    [`GOTRUE_EXTERNAL_${name}_ENABLED`]: "true",
    [`GOTRUE_EXTERNAL_${name}_CLIENT_ID`]: `${provider.clientId},second-audience`,
    [`GOTRUE_EXTERNAL_${name}_SECRET`]: provider.secret,
    [`GOTRUE_EXTERNAL_${name}_URL`]: provider.issuer,
  });
  server = await startAuthServer({
    env: {
      ...named("KEYCLOAK"),
      ...named("GOOGLE"),
      GOTRUE_EXTERNAL_GOOGLE_SKIP_NONCE_CHECK: "true",
    },
  });
});

afterAll(async () => {
  await server.close();
  await provider.close();
});

beforeEach(() => {
  provider.person = {
    sub: crypto.randomUUID(),
    email: freshEmail("oidc"),
    email_verified: true,
    name: "Olga O",
  };
});

async function use(token: string, nonce?: string, name = "keycloak"): Promise<string | undefined> {
  const client = server.client();
  const more = nonce === undefined ? {} : { nonce };
  const { error } = await client.auth.signInWithIdToken({ provider: name, token, ...more });
  return error?.code ?? (await sessionOf(client)).user.email;
}

test("AUTH-26 an id token needs its issuer's signature, this server as audience, its time and its nonce", async () => {
  const hashed = createHash("sha256").update("raw nonce").digest("hex");
  expect(await use(await provider.idToken({ nonce: hashed }), "raw nonce")).toBe(
    provider.person.email,
  );
  expect(await use(await provider.idToken({ aud: "second-audience" }))).toBe(provider.person.email);
  expect(await use(await provider.idToken({ nonce: hashed }), "another nonce")).toBe(
    "validation_failed",
  );
  expect(await use(await provider.idToken({ nonce: hashed }))).toBe("validation_failed");
  expect(await use(await provider.idToken({ aud: "another app" }))).toBe("unexpected_audience");
  expect(await use(await provider.idToken({ iss: "https://evil.example" }))).toBe("bad_jwt");
  expect(await use(await provider.idToken({ exp: 1_700_000_000 }))).toBe("bad_jwt");
  expect(await use(`${await provider.idToken()}x`)).toBe("bad_jwt");
  expect(await use("nonsense")).toBe("bad_jwt");
  expect(await use(await provider.idToken({ nonce: hashed }), undefined, "google")).toBe(
    provider.person.email,
  );
  expect(await use(await provider.idToken(), undefined, "facebook")).toBe(
    "oauth_provider_not_supported",
  );
});

test("the issuer's keys are fetched once and again only when an unknown key signs", async () => {
  await use(await provider.idToken());
  const before = provider.keyFetches;
  for (let more = 0; more < 3; more++)
    expect(await use(await provider.idToken())).toBe(provider.person.email);
  expect(provider.keyFetches).toBe(before);
});

test("a provider that cannot be reached is oauth_provider_not_supported, and the client learns which one", async () => {
  const gone = await startOpenIdProvider();
  const own = await startAuthServer({
    env: {
      GOTRUE_EXTERNAL_KEYCLOAK_ENABLED: "true",
      GOTRUE_EXTERNAL_KEYCLOAK_CLIENT_ID: gone.clientId,
      GOTRUE_EXTERNAL_KEYCLOAK_SECRET: gone.secret,
      GOTRUE_EXTERNAL_KEYCLOAK_URL: gone.issuer,
    },
  });
  const expected = {
    code: "oauth_provider_not_supported",
    message: "Unsupported provider: keycloak cannot be reached",
    status: 400,
  };
  const token = await gone.idToken();
  // The discovery works; the keys have not been fetched yet.
  const started = await own.call("/authorize?provider=keycloak");
  const back = await fetch(started.headers.get("location") ?? "", { redirect: "manual" });
  await gone.close();
  const withoutKeys = await own.client().auth.signInWithIdToken({ provider: "keycloak", token });
  expect(withoutKeys.error).toMatchObject(expected);
  own.advance(3_600_001);
  const undiscovered = await own.client().auth.signInWithIdToken({ provider: "keycloak", token });
  expect(undiscovered.error).toMatchObject(expected);
  const response = await own.call("/authorize?provider=keycloak");
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    error_code: expected.code,
    msg: expected.message,
  });
  own.advance(-3_600_001);
  const { values } = await follow(back.headers.get("location") ?? "");
  expect(values.get("error_code")).toBe("oauth_provider_not_supported");
  expect(values.get("error_description")).toBe(expected.message);
  await own.close();
});
