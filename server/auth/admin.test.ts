import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  PASSWORD,
  claimsOf,
  follow,
  freshEmail,
  freshPhone,
  person,
} from "../../testing/auth/people.ts";
import { startAuthServer } from "../../testing/auth/server.ts";
import type { AuthServer } from "../../testing/auth/server.ts";

let server: AuthServer;

beforeAll(async () => {
  server = await startAuthServer({ env: { GOTRUE_EXTERNAL_PHONE_ENABLED: "true" } });
});

afterAll(() => server.close());

describe("users", () => {
  test("AUTH-33 the admin API takes the service key and nobody else's", async () => {
    const someone = await person(server);
    const tries = [
      server.client().auth.admin.listUsers(),
      server.client({ key: (await someone.session()).access_token }).auth.admin.listUsers(),
      server.client().auth.admin.createUser({ email: freshEmail() }),
      server.client().auth.admin.deleteUser(someone.id),
      server.client().auth.admin.inviteUserByEmail(freshEmail()),
      server.client().auth.admin.generateLink({ type: "recovery", email: someone.email }),
      server.client().auth.admin.oauth.listClients(),
    ];
    for (const { error } of await Promise.all(tries))
      expect(error).toMatchObject({ code: "not_admin", status: 403 });
    expect((await server.call("/admin/users")).status).toBe(401);
    expect(
      (await server.call("/admin/audit", { headers: { authorization: "Bearer nonsense" } })).status,
    ).toBe(403);
  });

  test("create, get, update and delete users", async () => {
    const { admin } = server.admin().auth;
    const email = freshEmail();
    const phone = freshPhone();
    const made = await admin.createUser({
      email,
      phone,
      password: PASSWORD,
      email_confirm: true,
      user_metadata: { name: "Ada" },
      app_metadata: { plan: "pro" },
    });
    expect(made.data.user).toMatchObject({
      email,
      phone,
      app_metadata: { plan: "pro", providers: ["email", "phone"] },
    });
    const id = made.data.user?.id ?? "";
    const twice = await admin.createUser({ email });
    expect(twice.error?.code).toBe("email_exists");
    const phoneTwice = await admin.createUser({ phone });
    expect(phoneTwice.error?.code).toBe("phone_exists");
    expect((await admin.createUser({ email: "not an address" })).error?.code).toBe(
      "validation_failed",
    );
    expect((await admin.createUser({ email: freshEmail(), role: "postgres" })).error?.code).toBe(
      "validation_failed",
    );

    const next = freshEmail("next");
    const changed = await admin.updateUserById(id, {
      email: next,
      user_metadata: { name: null, size: 2 },
      password: "a new password",
    });
    expect(changed.data.user).toMatchObject({ email: next, user_metadata: { size: 2 } });
    expect(changed.data.user?.user_metadata).not.toHaveProperty("name");
    expect(
      (await server.client().auth.signInWithPassword({ email: next, password: "a new password" }))
        .error,
    ).toBeNull();
    expect((await admin.getUserById(id)).data.user?.email).toBe(next);

    expect((await admin.deleteUser(id)).error).toBeNull();
    expect((await admin.getUserById(id)).error).toMatchObject({
      code: "user_not_found",
      status: 404,
    });
  });

  test("a ban ends the sessions and keeps the user out until it is over", async () => {
    const someone = await person(server);
    const { refresh_token: token } = await someone.session();
    await server.admin().auth.admin.updateUserById(someone.id, { ban_duration: "24h" });
    expect((await someone.client.auth.getUser()).error).not.toBeNull();
    const banned = await server
      .client()
      .auth.signInWithPassword({ email: someone.email, password: PASSWORD });
    expect(banned.error?.code).toBe("user_banned");
    const wrong = await server
      .client()
      .auth.signInWithPassword({ email: someone.email, password: "not this" });
    expect(wrong.error?.code).toBe("invalid_credentials");
    const refreshed = await someone.client.auth.refreshSession({ refresh_token: token });
    expect(refreshed.error).not.toBeNull();
    await server.admin().auth.admin.updateUserById(someone.id, { ban_duration: "none" });
    expect(
      (await server.client().auth.signInWithPassword({ email: someone.email, password: PASSWORD }))
        .error,
    ).toBeNull();
  });

  test("a softly deleted user leaves nothing behind but an id, and the address is free again", async () => {
    const someone = await person(server);
    await server.admin().auth.admin.deleteUser(someone.id, true);
    const { rows } = await server.database.query("select * from auth_users where id = $1", [
      someone.id,
    ]);
    expect(JSON.stringify(rows)).not.toContain(someone.email);
    expect((await someone.client.auth.getUser()).error).not.toBeNull();
    const again = await server.admin().auth.admin.createUser({ email: someone.email });
    expect(again.error).toBeNull();
  });

  test("users come in pages, the newest first", async () => {
    const own = await startAuthServer();
    const { admin } = own.admin().auth;
    for (let user = 1; user <= 5; user++) {
      own.advance(1_000);
      await admin.createUser({ email: `user${user}@example.org` });
    }
    const first = await admin.listUsers({ page: 1, perPage: 2 });
    expect(first.data).toMatchObject({ nextPage: 2, lastPage: 3, total: 5, aud: "authenticated" });
    expect(first.data.users.map((user) => user.email)).toEqual([
      "user5@example.org",
      "user4@example.org",
    ]);
    const last = await admin.listUsers({ page: 3, perPage: 2 });
    expect(last.data).toMatchObject({ nextPage: null, lastPage: 3 });
    expect(last.data.users.map((user) => user.email)).toEqual(["user1@example.org"]);
    const odd = await admin.listUsers({ page: -1 });
    expect(odd.error?.code).toBe("validation_failed");
    await own.close();
  });

  test("a user that comes with another GoTrue's password hash signs in with the password", async () => {
    const email = freshEmail();
    const source = await person(server);
    const { rows } = await server.database.query(
      "select encrypted_password from auth_users where id = $1",
      [source.id],
    );
    const password_hash = String(rows[0]?.["encrypted_password"]);
    await server.admin().auth.admin.createUser({ email, password_hash, email_confirm: true });
    expect(
      (await server.client().auth.signInWithPassword({ email, password: PASSWORD })).error,
    ).toBeNull();
    const bad = await server
      .admin()
      .auth.admin.createUser({ email: freshEmail(), password_hash: "plain" });
    expect(bad.error?.code).toBe("validation_failed");
  });

  test("the service key lists and removes somebody's factors, and signs somebody out", async () => {
    const someone = await person(server);
    const { data: factor } = await someone.client.auth.mfa.enroll({
      factorType: "totp",
      friendlyName: "phone",
    });
    const { mfa } = server.admin().auth.admin;
    const listed = await mfa.listFactors({ userId: someone.id });
    expect(listed.data?.factors).toMatchObject([{ id: factor?.id, status: "unverified" }]);
    expect(JSON.stringify(listed.data)).not.toContain(factor?.totp.secret ?? "no secret");
    const gone = await mfa.deleteFactor({ userId: someone.id, id: factor?.id ?? "" });
    expect(gone.data).toMatchObject({ data: { id: factor?.id } });
    const twice = await mfa.deleteFactor({ userId: someone.id, id: factor?.id ?? "" });
    expect(twice.error?.code).toBe("mfa_factor_not_found");
    const { access_token: token } = await someone.session();
    expect((await server.admin().auth.admin.signOut(token)).error).toBeNull();
    expect((await someone.client.auth.getUser()).error).not.toBeNull();
  });
});

describe("links", () => {
  test("generateLink gives every kind of link and code without sending a mail", async () => {
    const { admin } = server.admin().auth;
    const before = (await server.mails()).length;
    const email = freshEmail();
    const signUp = await admin.generateLink({ type: "signup", email, password: PASSWORD });
    expect(signUp.data.properties?.verification_type).toBe("signup");
    expect((await follow(signUp.data.properties?.action_link ?? "")).values.get("type")).toBe(
      "signup",
    );

    const magic = await admin.generateLink({ type: "magiclink", email });
    const hash = magic.data.properties?.hashed_token ?? "";
    const byHash = await server.client().auth.verifyOtp({ token_hash: hash, type: "magiclink" });
    expect(byHash.data.user?.email).toBe(email);

    const recovery = await admin.generateLink({ type: "recovery", email });
    const token = recovery.data.properties?.email_otp ?? "";
    expect(
      (await server.client().auth.verifyOtp({ email, token, type: "recovery" })).error,
    ).toBeNull();

    const newEmail = freshEmail("next");
    const current = await admin.generateLink({ type: "email_change_current", email, newEmail });
    const fresh = await admin.generateLink({ type: "email_change_new", email, newEmail });
    await follow(current.data.properties?.action_link ?? "");
    expect(
      (await follow(fresh.data.properties?.action_link ?? "")).values.get("access_token"),
    ).toBeTruthy();
    expect((await admin.getUserById(signUp.data.user?.id ?? "")).data.user?.email).toBe(newEmail);

    const invited = await admin.generateLink({ type: "invite", email: freshEmail() });
    expect((await follow(invited.data.properties?.action_link ?? "")).values.get("type")).toBe(
      "invite",
    );
    const unknown = await admin.generateLink({ type: "recovery", email: freshEmail() });
    expect(unknown.error?.code).toBe("user_not_found");
    const taken = await admin.generateLink({ type: "signup", email: newEmail, password: PASSWORD });
    expect(taken.error?.code).toBe("email_exists");
    expect((await server.mails()).length).toBe(before);
  });

  test("an invitation's link signs in, and the invited person sets a password", async () => {
    const email = freshEmail();
    const { data } = await server.admin().auth.admin.inviteUserByEmail(email, {
      data: { team: "ink" },
      redirectTo: "http://localhost:3000/welcome",
    });
    expect(data.user).toMatchObject({ email, user_metadata: { team: "ink" } });
    expect(data.user?.invited_at).toBeTruthy();
    const mail = await server.mailTo(email);
    expect(mail.subject).toBe("You have been invited");
    const { url, values } = await follow(mail.link);
    expect(url.pathname).toBe("/welcome");
    const client = server.client();
    await client.auth.setSession({
      access_token: values.get("access_token") ?? "",
      refresh_token: values.get("refresh_token") ?? "",
    });
    expect((await client.auth.updateUser({ password: PASSWORD })).error).toBeNull();
    const again = await server.admin().auth.admin.inviteUserByEmail(email);
    expect(again.error?.code).toBe("email_exists");
  });
});

describe("OAuth clients", () => {
  test("create, list, get, update, delete and a new secret, which is told once", async () => {
    const { oauth } = server.admin().auth.admin;
    const made = await oauth.createClient({
      client_name: "Desk",
      redirect_uris: ["https://desk.example/back"],
    });
    expect(made.data).toMatchObject({
      client_name: "Desk",
      client_type: "confidential",
      registration_type: "manual",
      token_endpoint_auth_method: "client_secret_basic",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    });
    const id = made.data?.client_id ?? "";
    expect(made.data?.client_secret).toBeTruthy();
    const seen = await oauth.getClient(id);
    expect(seen.data).not.toHaveProperty("client_secret");
    const fresh = await oauth.regenerateClientSecret(id);
    expect(fresh.data?.client_secret).not.toBe(made.data?.client_secret);
    const changed = await oauth.updateClient(id, {
      client_name: "Desktop",
      redirect_uris: ["http://localhost:9/back"],
    });
    expect(changed.data).toMatchObject({
      client_name: "Desktop",
      redirect_uris: ["http://localhost:9/back"],
    });
    const open = await oauth.createClient({
      client_name: "Phone",
      redirect_uris: ["inkpool://back"],
      token_endpoint_auth_method: "none",
    });
    expect(open.data).toMatchObject({ client_type: "public" });
    expect(open.data).not.toHaveProperty("client_secret");
    expect((await oauth.regenerateClientSecret(open.data?.client_id ?? "")).error?.code).toBe(
      "validation_failed",
    );
    const listed = await oauth.listClients({ page: 1, perPage: 1 });
    expect(listed.data).toMatchObject({ total: 2, nextPage: 2 });
    expect(listed.data.clients).toHaveLength(1);
    for (const redirect of [
      "http://desk.example/",
      "javascript:alert(1)",
      "https://desk.example/#x",
      "nonsense",
    ]) {
      const bad = await oauth.createClient({ client_name: "Bad", redirect_uris: [redirect] });
      expect(bad.error?.code).toBe("validation_failed");
    }
    expect((await oauth.deleteClient(id)).error).toBeNull();
    expect((await oauth.getClient(id)).error).toMatchObject({
      code: "oauth_client_not_found",
      status: 404,
    });
  });
});

test("AUTH-34 the audit log tells who did what from where, and no secret", async () => {
  const someone = await person(server, { ip: "198.51.100.7" });
  const { access_token: token, refresh_token: refreshToken } = await someone.session();
  await server
    .client({ ip: "198.51.100.8" })
    .auth.signInWithPassword({ email: someone.email, password: "a wrong guess" });
  await someone.client.auth.signOut();
  const response = await server.call("/admin/audit?per_page=1000", {
    headers: { authorization: `Bearer ${server.serviceKey}` },
  });
  const entries = (await response.json()) as {
    payload: { action: string; actor_id: string | null };
    ip_address: string;
  }[];
  const mine = entries.filter((entry) => entry.payload.actor_id === someone.id);
  expect(mine.map((entry) => [entry.payload.action, entry.ip_address])).toEqual([
    ["logout", "198.51.100.7"],
    ["login_failed", "198.51.100.8"],
    ["login", "198.51.100.7"],
  ]);
  const text = JSON.stringify(entries);
  for (const secret of [token, refreshToken, PASSWORD, "a wrong guess"])
    expect(text).not.toContain(secret);
  expect(claimsOf(token)["sub"]).toBe(someone.id);
});
