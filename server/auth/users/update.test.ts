import { afterAll, beforeAll, expect, test } from "vitest";
import { PASSWORD, follow, freshEmail, freshPhone, person } from "../../../testing/auth/people.ts";
import { startAuthServer, type AuthServer } from "../../../testing/auth/server.ts";

let server: AuthServer;

beforeAll(async () => {
  server = await startAuthServer({
    env: {
      GOTRUE_EXTERNAL_PHONE_ENABLED: "true",
      GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION: "true",
    },
  });
});

afterAll(() => server.close());

test("a user's own data merges key by key; the server's data about a user stays the server's", async () => {
  const someone = await person(server);
  await someone.client.auth.updateUser({ data: { name: "Ada", colour: "teal" } });
  const { data, error } = await someone.client.auth.updateUser({
    data: { colour: null, email_verified: false, size: 3 },
  });
  expect(error).toBeNull();
  expect(data.user?.user_metadata).toMatchObject({ name: "Ada", size: 3, email_verified: true });
  expect(data.user?.user_metadata).not.toHaveProperty("colour");
  const admin = await someone.client.auth.updateUser({ app_metadata: { role: "admin" } } as object);
  expect(admin.error?.code).toBe("not_admin");
  const huge = await someone.client.auth.updateUser({ data: { text: "x".repeat(10_000) } });
  expect(huge.error?.code).toBe("validation_failed");
});

test("AUTH-19 a new password differs from the old one and ends the other sessions", async () => {
  const someone = await person(server);
  const elsewhere = server.client();
  await elsewhere.auth.signInWithPassword({ email: someone.email, password: PASSWORD });
  const same = await someone.client.auth.updateUser({ password: PASSWORD });
  expect(same.error?.code).toBe("same_password");
  const weak = await someone.client.auth.updateUser({ password: "12345" });
  expect(weak.error?.code).toBe("weak_password");
  const changed = await someone.client.auth.updateUser({ password: "a new password" });
  expect(changed.error).toBeNull();
  expect((await someone.client.auth.getUser()).error).toBeNull();
  expect((await elsewhere.auth.getUser()).error).not.toBeNull();
});

test("AUTH-19 a new password cancels the changes that an ended session began, and not one beside it", async () => {
  const someone = await person(server);
  const thief = server.client();
  await thief.auth.signInWithPassword({ email: someone.email, password: PASSWORD });
  const [phone, next] = [freshPhone(), freshEmail("thief")];
  await thief.auth.updateUser({ phone, email: next });
  const { link } = await server.mailTo(next);
  const { data } = await someone.client.auth.updateUser({ password: "a new password" });
  expect([data.user?.new_phone, data.user?.new_email]).toEqual([undefined, undefined]);
  await server.client().auth.resend({ type: "phone_change", phone });
  await server.client().auth.resend({ type: "email_change", email: someone.email });
  const { code } = await server.mailTo(`+${phone}`);
  const taken = await thief.auth.verifyOtp({ phone, token: code, type: "phone_change" });
  expect(taken.error?.code).toBe("otp_expired");
  expect((await follow(link)).values.get("error_code")).toBe("otp_expired");
  expect((await server.mails()).filter((mail) => mail.to === next)).toHaveLength(1);

  const own = freshEmail("next");
  await someone.client.auth.updateUser({ password: "another password", email: own });
  await follow((await server.mailTo(someone.email)).link);
  await follow((await server.mailTo(own)).link);
  expect((await someone.client.auth.getUser()).data.user?.email).toBe(own);
});

test("with secure change on, a session older than a day needs the nonce of reauthenticate, once", async () => {
  const someone = await person(server);
  server.advance(86_400_000 + 1_000);
  await someone.client.auth.refreshSession();
  const bare = await someone.client.auth.updateUser({ password: "a new password" });
  expect(bare.error?.code).toBe("reauthentication_needed");
  expect((await someone.client.auth.reauthenticate()).error).toBeNull();
  const { code, subject } = await server.mailTo(someone.email);
  expect(subject).toBe("Confirm reauthentication");
  const wrong = await someone.client.auth.updateUser({
    password: "a new password",
    nonce: code === "000000" ? "1" : "000000",
  });
  expect(wrong.error?.code).toBe("reauthentication_not_valid");
  const right = await someone.client.auth.updateUser({ password: "a new password", nonce: code });
  expect(right.error).toBeNull();
  const again = await someone.client.auth.updateUser({ password: "another password", nonce: code });
  expect(again.error?.code).toBe("reauthentication_not_valid");
});

test("AUTH-19 a nonce whose new password is refused sets another one, and of two at once one", async () => {
  const someone = await person(server);
  server.advance(86_400_000 + 1_000);
  await someone.client.auth.refreshSession();
  await someone.client.auth.reauthenticate();
  const { code: nonce } = await server.mailTo(someone.email);
  const change = async (password: string): Promise<string | undefined> =>
    (await someone.client.auth.updateUser({ password, nonce })).error?.code;
  expect(await change(PASSWORD)).toBe("same_password");
  const both = await Promise.all([change("a new password"), change("another password")]);
  expect(new Set(both)).toEqual(new Set([undefined, "reauthentication_not_valid"]));
});

test("AUTH-19 a change of address is confirmed at the old and at the new one", async () => {
  const someone = await person(server);
  const next = freshEmail("next");
  const { data } = await someone.client.auth.updateUser({ email: next });
  expect(data.user).toMatchObject({ email: someone.email, new_email: next });
  const half = await follow((await server.mailTo(someone.email)).link);
  expect(half.values.get("message")).toContain("other email");
  expect((await someone.client.auth.getUser()).data.user?.email).toBe(someone.email);
  const { code } = await server.mailTo(next);
  const done = await server
    .client()
    .auth.verifyOtp({ email: next, token: code, type: "email_change" });
  expect(done.data.user?.email).toBe(next);
  expect(done.data.user?.identities?.[0]?.identity_data?.["email"]).toBe(next);
  expect(done.data.user?.new_email).toBeUndefined();
  const old = await server
    .client()
    .auth.signInWithPassword({ email: someone.email, password: PASSWORD });
  expect(old.error?.code).toBe("invalid_credentials");
  expect(
    (await server.client().auth.signInWithPassword({ email: next, password: PASSWORD })).error,
  ).toBeNull();
});

test.each(["old", "new"])(
  "AUTH-19 a change that only the %s address confirms, with the mail sent again between, does not take effect",
  async (which) => {
    const someone = await person(server);
    const next = freshEmail("next");
    const confirming = which === "old" ? someone.email : next;
    await someone.client.auth.updateUser({ email: next });
    await follow((await server.mailTo(confirming)).link);
    await server.client().auth.resend({ type: "email_change", email: someone.email });
    const again = await follow((await server.mailTo(confirming)).link);
    expect(again.values.get("message")).toContain("other email");
    expect((await someone.client.auth.getUser()).data.user?.email).toBe(someone.email);
    const other = which === "old" ? next : someone.email;
    await follow((await server.mailTo(other)).link);
    expect((await someone.client.auth.getUser()).data.user?.email).toBe(next);
  },
);

test("AUTH-19 a change to another account's address or number gets the same response as any other, sends nothing to it and never takes effect", async () => {
  const someone = await person(server);
  const victim = await person(server);
  const fresh = await someone.client.auth.updateUser({ email: freshEmail("free") });
  const taken = await someone.client.auth.updateUser({ email: victim.email });
  expect(fresh.error).toBeNull();
  expect(taken.error).toBeNull();
  await expect(server.mailTo(victim.email)).rejects.toThrow("no mail");
  await follow((await server.mailTo(someone.email)).link);
  expect((await someone.client.auth.getUser()).data.user?.email).toBe(someone.email);
});

test("with INKPOOL_REVEAL_TAKEN_CONTACTS a change to another account's address or number is refused by name", async () => {
  const own = await startAuthServer({
    env: { INKPOOL_REVEAL_TAKEN_CONTACTS: "true", GOTRUE_EXTERNAL_PHONE_ENABLED: "true" },
  });
  const someone = await person(own);
  const victim = await person(own);
  const phone = freshPhone();
  await own.admin().auth.admin.updateUserById(victim.id, { phone });
  const { auth } = someone.client;
  expect((await auth.updateUser({ email: victim.email })).error?.code).toBe("email_exists");
  expect((await auth.updateUser({ phone })).error?.code).toBe("phone_exists");
  expect((await auth.updateUser({ email: freshEmail("free") })).error).toBeNull();
  await own.close();
});

test("a new phone number is confirmed by its code", async () => {
  const someone = await person(server);
  const phone = freshPhone();
  const { data } = await someone.client.auth.updateUser({ phone });
  expect(data.user).toMatchObject({ phone: "", new_phone: phone });
  const { code } = await server.mailTo(`+${phone}`);
  const wrong = await someone.client.auth.verifyOtp({
    phone,
    token: "000000",
    type: "phone_change",
  });
  expect(wrong.error?.code).toBe("otp_expired");
  const done = await someone.client.auth.verifyOtp({ phone, token: code, type: "phone_change" });
  expect(done.data.user).toMatchObject({ id: someone.id, phone });
  const providers = done.data.user?.app_metadata.providers;
  expect(providers).toEqual(["email", "phone"]);
});

test("with one confirmation only, and with the current password required", async () => {
  const own = await startAuthServer({
    env: {
      GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED: "false",
      GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD: "true",
    },
  });
  const someone = await person(own);
  const next = freshEmail("next");
  await someone.client.auth.updateUser({ email: next });
  await expect(own.mailTo(someone.email)).rejects.toThrow("no mail");
  expect((await follow((await own.mailTo(next)).link)).values.get("access_token")).toBeTruthy();
  const bare = await someone.client.auth.updateUser({ password: "a new password" });
  expect(bare.error?.code).toBe("invalid_credentials");
  const right = await someone.client.auth.updateUser({
    password: "a new password",
    current_password: PASSWORD,
  });
  expect(right.error).toBeNull();
  await own.close();
});
