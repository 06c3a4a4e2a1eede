import { readFileSync, readdirSync } from "node:fs";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Environment } from "../../docs/examples/auth/environment.ts";
import {
  createAuthenticator,
  type AssertionRequest,
  type CreationRequest,
} from "../../testing/auth/authenticator.ts";
import { startOpenIdProvider, type OpenIdProvider } from "../../testing/auth/openid-provider.ts";
import { PASSWORD, freshEmail, freshPhone } from "../../testing/auth/people.ts";
import { createSamlIdp, samlPrivateKey } from "../../testing/auth/saml-idp.ts";
import { startAuthServer, type AuthServer } from "../../testing/auth/server.ts";
import { createEthereumKey, createSolanaKey } from "../../testing/auth/wallets.ts";

const FOLDER = new URL("../../docs/examples/auth/", import.meta.url);

/** Such as `sign-in/password`. */
const names = readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && file !== "environment.ts")
  .map((file) => file.replaceAll("\\", "/").replace(/\.ts$/, ""))
  .sort();

let server: AuthServer;
let provider: OpenIdProvider;
let env: Environment;

beforeAll(async () => {
  provider = await startOpenIdProvider();
  server = await startAuthServer({
    env: {
      GOTRUE_RATE_LIMIT_HEADER: "",
      GOTRUE_RATE_LIMIT_OTP: "1000",
      GOTRUE_RATE_LIMIT_VERIFY: "1000",
      GOTRUE_EXTERNAL_PHONE_ENABLED: "true",
      GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: "true",
      GOTRUE_EXTERNAL_WEB3_ETHEREUM_ENABLED: "true",
      GOTRUE_EXTERNAL_WEB3_SOLANA_ENABLED: "true",
      GOTRUE_EXTERNAL_KEYCLOAK_ENABLED: "true",
      GOTRUE_EXTERNAL_KEYCLOAK_CLIENT_ID: provider.clientId,
      GOTRUE_EXTERNAL_KEYCLOAK_SECRET: provider.secret,
      GOTRUE_EXTERNAL_KEYCLOAK_URL: provider.issuer,
      GOTRUE_SECURITY_MANUAL_LINKING_ENABLED: "true",
      GOTRUE_MFA_PHONE_ENROLL_ENABLED: "true",
      GOTRUE_MFA_PHONE_VERIFY_ENABLED: "true",
      GOTRUE_MFA_WEB_AUTHN_ENROLL_ENABLED: "true",
      GOTRUE_MFA_WEB_AUTHN_VERIFY_ENABLED: "true",
      GOTRUE_PASSKEY_ENABLED: "true",
      GOTRUE_OAUTH_SERVER_ENABLED: "true",
      GOTRUE_OAUTH_SERVER_AUTHORIZATION_PATH: "/oauth/consent",
      GOTRUE_SAML_ENABLED: "true",
      GOTRUE_SAML_PRIVATE_KEY: samlPrivateKey(),
    },
  });
  env = createEnvironment();
});

afterAll(async () => {
  await server.close();
  await provider.close();
});

function createEnvironment(): Environment {
  const key = createAuthenticator("http://localhost:3000");
  const idp = createSamlIdp("https://idp.example.org/metadata");
  const newcomer = (): void => {
    provider.person = {
      sub: crypto.randomUUID(),
      email: freshEmail("oauth"),
      email_verified: true,
    };
  };
  return {
    url: server.url,
    anonKey: server.anonKey,
    serviceKey: server.serviceKey,
    password: PASSWORD,
    freshEmail: () => freshEmail(),
    freshPhone,
    mail: (to) => server.mailTo(to),
    visit,
    authenticatorCode: (secret) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: server.now() }),
    credentials: {
      create: (options) => key.create(options as CreationRequest),
      get: (options) => key.get(options as AssertionRequest),
    },
    ethereum: createEthereumKey().wallet,
    solana: createSolanaKey().wallet,
    idToken() {
      newcomer();
      return provider.idToken();
    },
    identityProvider: {
      metadata: idp.metadata,
      async signIn(url) {
        const body = new URLSearchParams({ ...idp.respond(url) });
        const response = await fetch(`${server.url}/auth/v1/sso/saml/acs`, {
          method: "POST",
          body,
          redirect: "manual",
        });
        return new URL(response.headers.get("location") ?? "");
      },
    },
  };
}

/** Follows a link as a browser does, up to the page's own address. */
async function visit(link: string): Promise<URL> {
  let at = new URL(link);
  while (at.origin !== "http://localhost:3000") {
    const response = await fetch(at, { redirect: "manual" });
    at = new URL(response.headers.get("location") ?? "", at);
  }
  return at;
}

test.each(names)("the example %s works as described", async (name) => {
  const module = (await import(new URL(`${name}.ts`, FOLDER).href)) as Record<string, unknown>;
  const [run, ...more] = Object.values(module);
  expect(more).toEqual([]);
  expect(typeof run).toBe("function");
  await (run as (given: Environment) => Promise<void>)(env);
});

test("docs/auth.md names every example", () => {
  const text = readFileSync(new URL("../../docs/auth.md", import.meta.url), "utf8");
  expect(names.length).toBeGreaterThan(5);
  for (const name of names) expect(text).toContain(`examples/auth/${name}.ts`);
});
