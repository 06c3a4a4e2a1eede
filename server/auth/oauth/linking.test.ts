import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  newcomer,
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
  type Person,
} from "../../../testing/auth/people.ts";
import { startAuthServer, type AuthServer } from "../../../testing/auth/server.ts";

let provider: OpenIdProvider;
let server: AuthServer;

beforeAll(async () => {
  provider = await startOpenIdProvider();
  server = await startAuthServer({
    env: {
      ...providerSettings(provider, "KEYCLOAK"),
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

/** Links the provider's person, and returns the values of the redirect. */
async function linkTo({ auth }: SupabaseClient): Promise<URLSearchParams> {
  const { data } = await auth.linkIdentity({ provider: "keycloak" });
  const back = await fetch(data?.url ?? "", { redirect: "manual" });
  return (await follow(back.headers.get("location") ?? "")).values;
}

test("AUTH-27 linkIdentity gives a user without an address the one that the provider has verified", async () => {
  const phone = freshPhone();
  const { auth: admin } = server.admin();
  await admin.admin.createUser({ phone, phone_confirm: true, password: PASSWORD });
  const [anonymous, byPhone] = [server.client(), server.client()];
  await anonymous.auth.signInAnonymously();
  await byPhone.auth.signInWithPassword({ phone, password: PASSWORD });
  for (const client of [anonymous, byPhone]) {
    const email = freshEmail("oauth");
    provider.person = newcomer({ email });
    expect((await linkTo(client)).get("error_code")).toBeNull();
    const { user } = (await client.auth.getUser()).data;
    expect(user).toMatchObject({ email, is_anonymous: false });
    expect(user?.email_confirmed_at).toBeTruthy();
    expect(user?.user_metadata["email_verified"]).toBe(true);
    await server.client().auth.signInWithOtp({ email });
    await follow((await server.mailTo(email)).link);
    const { data } = await admin.admin.listUsers({ perPage: 1000 });
    expect(data.users.filter((one) => one.email === email).map(({ id }) => id)).toEqual([user?.id]);
  }
});

test("AUTH-27 linkIdentity takes over neither another account's address nor an unverified one", async () => {
  const known = await person(server);
  const client = server.client();
  await client.auth.signInAnonymously();
  provider.person = newcomer({ email: known.email });
  expect((await linkTo(client)).get("error_code")).toBe("email_exists");
  expect((await client.auth.getUserIdentities()).data?.identities).toEqual([]);
  provider.person = newcomer({ email_verified: false });
  expect((await linkTo(client)).get("error_code")).toBeNull();
  expect((await client.auth.getUser()).data.user?.email).toBe("");
});

test("AUTH-6 a provider's data that no longer fits beside the user's own is not linked", async () => {
  const { client } = await person(server);
  await client.auth.updateUser({ data: { text: "x".repeat(6_000) } });
  provider.person = newcomer({ name: "x".repeat(500) });
  const values = await linkTo(client);
  expect(values.get("error_code")).toBe("validation_failed");
  expect((await client.auth.getUserIdentities()).data?.identities).toHaveLength(1);
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
