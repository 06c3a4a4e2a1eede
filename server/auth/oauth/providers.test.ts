import { afterAll, beforeAll, expect, test } from "vitest";
import {
  newcomer,
  providerSettings,
  startOpenIdProvider,
  type OpenIdProvider,
} from "../../../testing/auth/openid-provider.ts";
import {
  PASSWORD,
  claimsOf,
  follow,
  freshEmail,
  freshPhone,
  person,
} from "../../../testing/auth/people.ts";
import { startAuthServer, type AuthServer } from "../../../testing/auth/server.ts";
import { decide } from "./accounts.ts";

let provider: OpenIdProvider;
let server: AuthServer;

beforeAll(async () => {
  provider = await startOpenIdProvider();
  server = await startAuthServer({
    env: {
      ...providerSettings(provider, "KEYCLOAK"),
      ...providerSettings(provider, "GITHUB"),
      GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: "true",
      GOTRUE_EXTERNAL_PHONE_ENABLED: "true",
      GOTRUE_SECURITY_MANUAL_LINKING_ENABLED: "true",
    },
  });
});

afterAll(async () => {
  await server.close();
  await provider.close();
});

/** Visits the provider's page and returns to the callback, as a browser does. */
async function visit(address: string): Promise<string> {
  const away = await fetch(address, { redirect: "manual" });
  const back = await fetch(away.headers.get("location") ?? "", { redirect: "manual" });
  return back.headers.get("location") ?? "";
}

async function signInUrl(more: Record<string, string> = {}, name = "keycloak"): Promise<string> {
  const { data } = await server
    .client()
    .auth.signInWithOAuth({ provider: name as "keycloak", options: { queryParams: more } });
  return data.url ?? "";
}

test("AUTH-26 any OpenID Connect provider signs in by redirect, with PKCE, state and nonce", async () => {
  provider.person = newcomer();
  const callback = await visit(await signInUrl({ login_hint: "olga", client_id: "evil" }));
  expect(provider.authorizeQuery.get("login_hint")).toBe("olga");
  expect(provider.authorizeQuery.get("client_id")).toBe(provider.clientId);
  expect(provider.authorizeQuery.get("code_challenge_method")).toBe("S256");
  expect(provider.authorizeQuery.get("nonce")).toBeTruthy();
  const { url, values } = await follow(callback);
  expect(url.origin).toBe("http://localhost:3000");
  expect(values.get("provider_token")).toBeTruthy();
  const { data } = await server.client().auth.getUser(values.get("access_token") ?? "");
  expect(data.user).toMatchObject({
    email: provider.person.email,
    app_metadata: { provider: "keycloak", providers: ["keycloak"] },
    user_metadata: { full_name: "Olga O", provider_id: provider.person.sub },
  });
  expect(claimsOf(values.get("access_token") ?? "")["amr"]).toMatchObject([
    { method: "oauth", provider: "keycloak" },
  ]);
  const replayed = await follow(callback);
  expect(replayed.values.get("error_code")).toBe("bad_oauth_state");
});

test("with PKCE the callback gives a code, and the exchange the provider's tokens", async () => {
  provider.person = newcomer();
  const client = server.client({ flowType: "pkce" });
  const { data } = await client.auth.signInWithOAuth({
    provider: "keycloak",
    options: { redirectTo: "http://localhost:3000/back", skipBrowserRedirect: true },
  });
  const { url } = await follow(await visit(data.url ?? ""));
  expect(url.pathname).toBe("/back");
  expect(url.hash).toBe("");
  const done = await client.auth.exchangeCodeForSession(url.searchParams.get("code") ?? "");
  expect(done.data.user?.email).toBe(provider.person.email);
  expect(done.data.session?.provider_token).toBeTruthy();
  expect(done.data.session?.provider_refresh_token).toBeTruthy();
});

test("GitHub signs in by name, with its primary verified address", async () => {
  provider.person = newcomer({ name: "Octo Cat" });
  const { values } = await follow(await visit(await signInUrl({}, "github")));
  const { data } = await server.client().auth.getUser(values.get("access_token") ?? "");
  expect(data.user).toMatchObject({
    email: provider.person.email,
    user_metadata: { user_name: "octo", full_name: "Octo Cat", provider_id: provider.person.sub },
  });
});

test("a refusal, a foreign state, an expired one and an unknown provider end in their errors", async () => {
  const denied = await follow(await visit(await signInUrl({ prompt: "deny" })));
  expect(denied.values.get("error")).toBe("access_denied");
  expect(denied.values.get("error_description")).toBe("The person said no");
  const foreign = await follow(`${server.url}/auth/v1/callback?state=mine&code=mine`);
  expect(foreign.values.get("error_code")).toBe("bad_oauth_state");
  const bare = await follow(`${server.url}/auth/v1/callback`);
  expect(bare.values.get("error_code")).toBe("bad_oauth_callback");
  const callback = await visit(await signInUrl());
  const forged = new URL(callback);
  forged.searchParams.set("code", "another's");
  expect((await follow(forged.href)).values.get("error_code")).toBe("bad_oauth_callback");
  const slow = await visit(await signInUrl());
  server.advance(301_000);
  expect((await follow(slow)).values.get("error_code")).toBe("flow_state_expired");
  const unknown = await server.call("/authorize?provider=myspace");
  expect(unknown.status).toBe(400);
  expect(await unknown.json()).toMatchObject({ error_code: "oauth_provider_not_supported" });
});

test("AUTH-27 a verified address joins the account that has it; an unconfirmed account is taken over without its password; an unverified address waits for a mail", async () => {
  const known = await person(server);
  provider.person = newcomer({ email: known.email });
  const joined = await follow(await visit(await signInUrl()));
  const { data } = await server.client().auth.getUser(joined.values.get("access_token") ?? "");
  expect(data.user?.id).toBe(known.id);
  expect(data.user?.app_metadata.providers).toEqual(["email", "keycloak"]);

  const squatted = freshEmail();
  await server.client().auth.signUp({ email: squatted, password: "the squatter's" });
  provider.person = newcomer({ email: squatted });
  await follow(await visit(await signInUrl()));
  const squatter = await server
    .client()
    .auth.signInWithPassword({ email: squatted, password: "the squatter's" });
  expect(squatter.error?.code).toBe("invalid_credentials");

  provider.person = newcomer({ email_verified: false });
  const waiting = await follow(await visit(await signInUrl()));
  expect(waiting.values.get("error_code")).toBe("provider_email_needs_verification");
  provider.person = newcomer({ email: known.email, email_verified: false });
  const thief = await follow(await visit(await signInUrl()));
  expect(thief.values.get("error_description")).toBe(waiting.values.get("error_description"));
  await expect(server.mailTo(known.email)).rejects.toThrow("no mail");
});

test("AUTH-27 a mail that proves the address ends a stranger's identity, and a provider that does so a password and number", async () => {
  const signIn = async (): Promise<string | null> =>
    (await follow(await visit(await signInUrl()))).values.get("access_token");
  const { auth } = server.client();
  for (const ask of [
    (email: string) => auth.signInWithOtp({ email }),
    (email: string) => auth.signUp({ email, password: PASSWORD }),
  ]) {
    provider.person = newcomer({ email_verified: false });
    const email = provider.person.email ?? "";
    expect(await signIn()).toBeNull();
    await ask(email);
    const { values } = await follow((await server.mailTo(email)).link);
    const owner = await server.client().auth.getUser(values.get("access_token") ?? "");
    expect(owner.data.user?.app_metadata).toEqual({ provider: "email", providers: ["email"] });
    expect(await signIn()).toBeNull();
  }

  provider.person = newcomer({ email_verified: false });
  await signIn();
  const { admin } = server.admin().auth;
  const id = (await admin.listUsers()).data.users[0]?.id ?? "";
  const [phone, password] = [freshPhone(), "somebody's"];
  const app_metadata = { plan: "ink" };
  await admin.updateUserById(id, { phone, phone_confirm: true, password, app_metadata });
  provider.person = { ...provider.person, email_verified: true };
  const { data } = await server.client().auth.getUser((await signIn()) ?? "");
  const providers = { provider: "keycloak", providers: ["keycloak"] };
  expect(data.user).toMatchObject({
    id,
    phone: "",
    app_metadata: { ...app_metadata, ...providers },
  });
  const email = data.user?.email ?? "";
  const stranger = await auth.signInWithPassword({ email, password });
  expect(stranger.error?.code).toBe("invalid_credentials");
});

test("the decision, case by case", () => {
  const base = {
    owner: false,
    sso: false,
    email: true,
    emailVerified: true,
    emailOptional: false,
    autoconfirm: false,
    existing: "none",
  } as const;
  expect(decide({ ...base, owner: true, emailVerified: false })).toBe("sign in");
  expect(decide({ ...base, sso: true, existing: "confirmed" })).toBe("create");
  expect(decide({ ...base, email: false })).toBe("refuse");
  expect(decide({ ...base, email: false, emailOptional: true })).toBe("create");
  expect(decide({ ...base, emailVerified: false })).toBe("verify first");
  expect(decide({ ...base, emailVerified: false, autoconfirm: true })).toBe("create");
  expect(decide({ ...base, emailVerified: false, autoconfirm: true, existing: "confirmed" })).toBe(
    "verify first",
  );
  expect(decide({ ...base, existing: "confirmed" })).toBe("join");
  expect(decide({ ...base, existing: "unconfirmed" })).toBe("take over");
  expect(decide(base)).toBe("create");
});
