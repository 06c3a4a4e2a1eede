import { afterAll, beforeAll, expect, test } from "vitest";
import {
  PASSWORD,
  claimsOf,
  freshEmail,
  freshPhone,
  person,
} from "../../../testing/auth/people.ts";
import { startAuthServer, type AuthServer } from "../../../testing/auth/server.ts";
import { removeExpired } from "../context/counters.ts";
import { parseAuthSettings } from "../settings/settings.ts";

let server: AuthServer;

beforeAll(async () => {
  server = await startAuthServer({ env: { GOTRUE_EXTERNAL_PHONE_ENABLED: "true" } });
});

afterAll(() => server.close());

test("AUTH-33 the admin API accepts the service key only", async () => {
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

test.each([{ password: "set by the administrator" }, { ban_duration: "1s" }])(
  "AUTH-19 %o cancels the change that a session of the user began",
  async (change) => {
    const someone = await person(server);
    const phone = freshPhone();
    await someone.client.auth.updateUser({ phone });
    const { code } = await server.mailTo(`+${phone}`);
    await server.admin().auth.admin.updateUserById(someone.id, change);
    server.advance(1_001);
    const taken = await server
      .client()
      .auth.verifyOtp({ phone, token: code, type: "phone_change" });
    expect(taken.error?.code).toBe("otp_expired");
  },
);

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

test("users are listed in pages, the newest first", async () => {
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
  const negative = await admin.listUsers({ page: -1 });
  expect(negative.error?.code).toBe("validation_failed");
  await own.close();
});

test("a user imported with another GoTrue's password hash signs in with the password", async () => {
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

test("the service key lists and removes a user's factors, and signs a user out", async () => {
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

test("AUTH-33 entries of the audit log stay for ever, or as long as the setting says", async () => {
  const own = await startAuthServer();
  const retention = async (text: string): Promise<void> => {
    const parsed = parseAuthSettings({ INKPOOL_AUDIT_LOG_RETENTION: text });
    if (!parsed.ok) throw new Error(parsed.problems.join());
    const { database, now } = own;
    await removeExpired({ settings: parsed.settings, database, clock: now });
  };
  const actions = async (): Promise<readonly unknown[]> => {
    const found = await own.database.query(
      "select payload from auth_audit_log order by created_at",
    );
    return found.rows.map(
      (row) => (JSON.parse(String(row["payload"])) as { action: string }).action,
    );
  };
  await own.admin().auth.admin.inviteUserByEmail(freshEmail());
  own.advance(90 * 86_400_000);
  await person(own);
  await retention("");
  expect(await actions()).toEqual(["user_invited", "user_signedup", "login"]);
  await retention("2161h");
  expect(await actions()).toHaveLength(3);
  await retention("2159h");
  expect(await actions()).toEqual(["user_signedup", "login"]);
  await own.close();
});

test("AUTH-33 the audit log names actor, action and address, and contains no secret", async () => {
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

test("AUTH-6 with as much metadata of both kinds as is allowed a token is accepted; more is refused", async () => {
  const { admin } = server.admin().auth;
  const email = freshEmail();
  const { data } = await admin.createUser({
    email,
    password: PASSWORD,
    email_confirm: true,
    user_metadata: { text: "x".repeat(6_000) },
    app_metadata: { text: "x".repeat(4_000) },
  });
  const client = server.client();
  await client.auth.signInWithPassword({ email, password: PASSWORD });
  expect((await client.auth.refreshSession()).error).toBeNull();
  expect((await client.auth.getUser()).error).toBeNull();
  for (const more of [
    { user_metadata: { more: "x".repeat(200) } },
    { app_metadata: { more: "x".repeat(200) } },
  ]) {
    const { error } = await admin.updateUserById(data.user?.id ?? "", more);
    expect(error?.code).toBe("validation_failed");
  }
});

test("accounts of the admin API repeat no contact in user_metadata, as those of a sign-up do", async () => {
  const { admin } = server.admin().auth;
  const data = { team: "ink" };
  const created = await admin.createUser({
    email: freshEmail(),
    phone: freshPhone(),
    user_metadata: data,
  });
  const confirmed = await admin.createUser({
    email: freshEmail(),
    email_confirm: true,
    user_metadata: data,
  });
  const invited = await admin.inviteUserByEmail(freshEmail(), { data });
  const linked = await admin.generateLink({
    type: "signup",
    email: freshEmail(),
    password: PASSWORD,
    options: { data },
  });
  const magic = await admin.generateLink({ type: "magiclink", email: freshEmail() });
  expect(created.data.user?.user_metadata).toEqual(data);
  expect(confirmed.data.user?.user_metadata).toEqual({ ...data, email_verified: true });
  expect(invited.data.user?.user_metadata).toEqual(data);
  expect(linked.data.user?.user_metadata).toEqual(data);
  expect(magic.data.user?.user_metadata).toEqual({});
  const flags = { email_verified: false, phone_verified: false };
  for (const { user } of [created.data, confirmed.data, invited.data, linked.data])
    for (const identity of user?.identities ?? []) {
      const contact =
        identity.provider === "email" ? { email: user?.email } : { phone: user?.phone };
      expect(identity.identity_data).toEqual({ ...contact, ...flags, sub: user?.id });
    }
  expect(created.data.user?.identities).toHaveLength(2);

  const next = freshEmail("next");
  const changed = await admin.updateUserById(created.data.user?.id ?? "", { email: next });
  expect(changed.data.user?.user_metadata).toEqual(data);
  const own = await server
    .client()
    .auth.signUp({ email: freshEmail(), password: PASSWORD, options: { data } });
  const { user } = own.data;
  const claims = { ...data, ...flags, email: user?.email, sub: user?.id };
  expect(user?.user_metadata).toEqual(claims);
  expect(user?.identities?.[0]?.identity_data).toEqual(claims);
});
