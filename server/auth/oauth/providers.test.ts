import { afterAll, beforeAll, expect, test } from "vitest";
import {
  startOpenIdProvider,
  type OpenIdProvider,
  type ProviderPerson,
} from "../../../testing/auth/openid-provider.ts";
import {
  PASSWORD,
  claimsOf,
  follow,
  freshEmail,
  freshPhone,
  person,
  type Person,
} from "../../../testing/auth/people.ts";
import { startAuthServer, type AuthServer } from "../../../testing/auth/server.ts";
import { decide } from "./accounts.ts";

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
      ...named("GITHUB"),
      GOTRUE_SECURITY_MANUAL_LINKING_ENABLED: "true",
    },
  });
});

afterAll(async () => {
  await server.close();
  await provider.close();
});

let subjects = 0;

function newcomer(more: Partial<ProviderPerson> = {}): ProviderPerson {
  subjects++;
  return {
    sub: String(1000 + subjects),
    email: freshEmail("oauth"),
    email_verified: true,
    name: "Olga O",
    ...more,
  };
}

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

test("AUTH-27 linkIdentity adds an identity, unlinkIdentity takes one away but never the last", async () => {
  const someone = await person(server);
  provider.person = newcomer();
  const { data, error } = await someone.client.auth.linkIdentity({ provider: "keycloak" });
  expect(error).toBeNull();
  const back = await fetch(data?.url ?? "", { redirect: "manual" });
  const { values } = await follow(back.headers.get("location") ?? "");
  expect(values.get("access_token")).toBeTruthy();
  const identities = await someone.client.auth.getUserIdentities();
  expect(identities.data?.identities.map((one) => one.provider)).toEqual(["email", "keycloak"]);

  const other = await person(server);
  const taken = await other.client.auth.linkIdentity({ provider: "keycloak" });
  const refused = await fetch(taken.data?.url ?? "", { redirect: "manual" });
  const second = await follow(refused.headers.get("location") ?? "");
  expect(second.values.get("error_code")).toBe("identity_already_exists");

  const [own, linked] = identities.data?.identities ?? [];
  if (own === undefined || linked === undefined) throw new Error("identities are missing");
  const foreign = await other.client.auth.unlinkIdentity(linked);
  expect(foreign.error?.code).toBe("identity_not_found");
  expect((await someone.client.auth.unlinkIdentity(linked)).error).toBeNull();
  const last = await someone.client.auth.unlinkIdentity(own);
  expect(last.error?.code).toBe("single_identity_not_deletable");

  const plain = await startAuthServer();
  const another = await person(plain);
  const off = await another.client.auth.unlinkIdentity(own);
  expect(off.error).toMatchObject({ code: "manual_linking_disabled", status: 404 });
  await plain.close();
});

test("AUTH-27 an identity that a session began to link is not linked after a new password or a ban", async () => {
  const begin = async (someone: Person): Promise<string> => {
    provider.person = newcomer();
    const { data } = await someone.client.auth.linkIdentity({ provider: "keycloak" });
    return data?.url ?? "";
  };
  const finish = async (url: string): Promise<string | null> => {
    const away = await fetch(url, { redirect: "manual" });
    return (await follow(away.headers.get("location") ?? "")).values.get("error_code");
  };
  const someone = await person(server);
  const begun = await begin(someone);
  await someone.client.auth.updateUser({ password: "a new password" });
  expect(await finish(begun)).toBe("bad_oauth_state");
  const again = await begin(someone);
  await server.admin().auth.admin.updateUserById(someone.id, { ban_duration: "1s" });
  expect(await finish(again)).toBe("bad_oauth_state");

  // A ban while the provider is asked finds the flow in use.
  const other = await person(server);
  const used = await begin(other);
  const ban = "update auth_users set banned_until = '9999-01-01T00:00:00.000Z' where id = $1";
  await server.database.query(ban, [other.id]);
  expect(await finish(used)).toBe("user_banned");
});

test("without its email identity a user has neither that address nor that password", async () => {
  const someone = await person(server);
  provider.person = newcomer();
  const linked = await someone.client.auth.linkIdentity({
    provider: "keycloak",
    token: await provider.idToken(),
  });
  expect(linked.error).toBeNull();
  const { data } = await someone.client.auth.getUserIdentities();
  const own = data?.identities.find((one) => one.provider === "email");
  if (own === undefined) throw new Error("the identity is missing");
  expect((await someone.client.auth.unlinkIdentity(own)).error).toBeNull();
  const user = (await someone.client.auth.getUser()).data.user;
  expect(user?.email).toBe(provider.person.email);
  const old = await server
    .client()
    .auth.signInWithPassword({ email: provider.person.email ?? "", password: PASSWORD });
  expect(old.error?.code).toBe("invalid_credentials");
});
