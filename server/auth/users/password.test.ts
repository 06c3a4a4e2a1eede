import { afterAll, beforeAll, expect, test } from "vitest";
import {
  PASSWORD,
  claimsOf,
  follow,
  freshEmail,
  freshPhone,
  person,
  sessionOf,
} from "../../../testing/auth/people.ts";
import { startAuthServer, type AuthServer, type Call } from "../../../testing/auth/server.ts";

let server: AuthServer;
let open: AuthServer;

beforeAll(async () => {
  const phones = { GOTRUE_EXTERNAL_PHONE_ENABLED: "true", GOTRUE_SMS_OTP_EXP: "60" };
  server = await startAuthServer({ env: phones });
  open = await startAuthServer({
    env: {
      GOTRUE_MAILER_AUTOCONFIRM: "true",
      GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: "true",
      GOTRUE_PASSWORD_REQUIRED_CHARACTERS: "abcdefghijklmnopqrstuvwxyz:0123456789",
    },
  });
});

afterAll(async () => {
  await server.close();
  await open.close();
});

test("AUTH-1 a sign-up waits for its mail's link, which signs in once", async () => {
  const client = server.client();
  const email = freshEmail("Ada").replace("example", "EXAMPLE");
  const stored = email.toLowerCase();
  const { data, error } = await client.auth.signUp({
    email,
    password: PASSWORD,
    options: { data: { name: "Ada" } },
  });
  expect(error).toBeNull();
  expect(data.session).toBeNull();
  expect(data.user?.email).toBe(stored);
  expect(data.user?.user_metadata["name"]).toBe("Ada");
  expect(data.user?.identities?.[0]?.provider).toBe("email");

  const { url, values } = await follow((await server.mailTo(stored)).link);
  expect(url.origin).toBe("http://localhost:3000");
  expect(values.get("type")).toBe("signup");
  const tokens = {
    access_token: values.get("access_token") ?? "",
    refresh_token: values.get("refresh_token") ?? "",
  };
  const signedIn = await client.auth.setSession(tokens);
  expect(signedIn.data.user?.email_confirmed_at).toBeTruthy();

  const again = await follow((await server.mailTo(stored)).link);
  expect(again.values.get("error_code")).toBe("otp_expired");
  expect(again.values.get("access_token")).toBeNull();
});

test("AUTH-2 the response to a sign-up is the same whether the address has an account or not", async () => {
  const known = await person(server);
  const fresh = await server
    .client()
    .auth.signUp({ email: freshEmail(), password: PASSWORD, options: { data: { a: 1 } } });
  const taken = await server.client().auth.signUp({
    email: known.email,
    password: "another password",
    options: { data: { a: 1 } },
  });
  expect(taken.error).toBeNull();
  expect(shape(taken.data.user)).toEqual(shape(fresh.data.user));
  expect(taken.data.user?.id).not.toBe(known.id);
  await expect(server.mailTo(known.email)).rejects.toThrow("no mail");
  const old = await server
    .client()
    .auth.signInWithPassword({ email: known.email, password: PASSWORD });
  expect(old.error).toBeNull();
});

test("AUTH-1 with autoconfirm a sign-up is a session, and a taken address is user_already_exists", async () => {
  const email = freshEmail();
  const first = await open.client().auth.signUp({ email, password: "letters and 1" });
  expect(first.data.session?.token_type).toBe("bearer");
  expect(first.data.user?.email_confirmed_at).toBeTruthy();
  const second = await open.client().auth.signUp({ email, password: "letters and 2" });
  expect(second.error?.code).toBe("user_already_exists");
});

test("a weak password is refused with its reasons, one over 72 bytes because bcrypt ignores the rest", async () => {
  const short = await open.client().auth.signUp({ email: freshEmail(), password: "abc" });
  expect(short.error?.name).toBe("AuthWeakPasswordError");
  expect(short.error).toMatchObject({ reasons: ["length", "characters"] });
  const long = await open.client().auth.signUp({ email: freshEmail(), password: "a1".repeat(40) });
  expect(long.error?.code).toBe("validation_failed");
  const none = await open.call("/signup", json({ email: freshEmail() }));
  expect(await none.json()).toMatchObject({ error_code: "validation_failed" });
});

test("AUTH-1 a phone number is confirmed by a code that is valid for 60 seconds", async () => {
  const phone = freshPhone();
  const client = server.client();
  const { data, error } = await client.auth.signUp({ phone: `+${phone}`, password: PASSWORD });
  expect(error).toBeNull();
  expect(data.user?.phone).toBe(phone);
  const unconfirmed = await client.auth.signInWithPassword({ phone, password: PASSWORD });
  expect(unconfirmed.error?.code).toBe("phone_not_confirmed");
  const { code } = await server.mailTo(`+${phone}`);
  server.advance(61_000);
  const expired = await client.auth.verifyOtp({ phone, token: code, type: "sms" });
  expect(expired.error?.code).toBe("otp_expired");
  await client.auth.resend({ phone, type: "sms" });
  const fresh = await server.mailTo(`+${phone}`);
  const verified = await client.auth.verifyOtp({ phone, token: fresh.code, type: "sms" });
  expect(verified.error).toBeNull();
  const signedIn = await client.auth.signInWithPassword({
    phone: `+${phone}`,
    password: PASSWORD,
  });
  expect(signedIn.data.user?.phone_confirmed_at).toBeTruthy();
});

test("anonymous users need the setting, and become permanent with an address", async () => {
  const refused = await server.client().auth.signInAnonymously();
  expect(refused.error?.code).toBe("anonymous_provider_disabled");
  const client = open.client();
  const { data } = await client.auth.signInAnonymously({ options: { data: { colour: "teal" } } });
  expect(data.user?.is_anonymous).toBe(true);
  expect(claimsOf(data.session?.access_token ?? "")["is_anonymous"]).toBe(true);
  const bare = await client.auth.updateUser({ password: "letters and 1" });
  expect(bare.error?.code).toBe("validation_failed");
  const email = freshEmail();
  const named = await client.auth.updateUser({ email, password: "letters and 1" });
  expect(named.data.user).toMatchObject({
    email,
    is_anonymous: false,
    user_metadata: { colour: "teal" },
  });
  const newLogin = await open
    .client()
    .auth.signInWithPassword({ email, password: "letters and 1" });
  expect(newLogin.data.user?.id).toBe(data.user?.id);
});

test("an unconfirmed account takes the password of the last sign-up", async () => {
  const email = freshEmail();
  await server.client().auth.signUp({ email, password: "the first one's password" });
  server.advance(1_000);
  await server.client().auth.signUp({ email, password: PASSWORD });
  await follow((await server.mailTo(email)).link);
  const first = await server
    .client()
    .auth.signInWithPassword({ email, password: "the first one's password" });
  expect(first.error?.code).toBe("invalid_credentials");
  const last = await server.client().auth.signInWithPassword({ email, password: PASSWORD });
  expect(last.error).toBeNull();
});

test("AUTH-6 a repeated sign-up that is refused for the size of its data changes neither password nor data, and sends nothing", async () => {
  const email = freshEmail();
  await server.client().auth.signUp({ email, password: PASSWORD });
  const again = await server.client().auth.signUp({
    email,
    password: "the attacker's own",
    options: { data: { text: "x".repeat(50_000) } },
  });
  expect(again.error?.code).toBe("validation_failed");
  const mails = (await server.mails()).filter((mail) => mail.to === email);
  expect(mails).toHaveLength(1);
  await follow(mails[0]?.link ?? "");
  const client = server.client();
  expect((await client.auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull();
  expect((await client.auth.getUser()).data.user?.user_metadata).not.toHaveProperty("text");
});

test("AUTH-2 a wrong password, an unknown address and an unconfirmed one with a wrong password get the same response", async () => {
  const known = await person(server);
  const pending = freshEmail();
  await server.client().auth.signUp({ email: pending, password: PASSWORD });
  const wrong = await server
    .client()
    .auth.signInWithPassword({ email: known.email, password: "not this" });
  const unknown = await server
    .client()
    .auth.signInWithPassword({ email: freshEmail(), password: "not this" });
  const unconfirmed = await server
    .client()
    .auth.signInWithPassword({ email: pending, password: "not this" });
  for (const { error } of [wrong, unknown, unconfirmed])
    expect(error).toMatchObject({
      code: "invalid_credentials",
      message: "Invalid login credentials",
      status: 400,
    });
  const right = await server
    .client()
    .auth.signInWithPassword({ email: pending, password: PASSWORD });
  expect(right.error?.code).toBe("email_not_confirmed");
});

test("AUTH-6 an access token contains the claims by which the table API and the socket decide", async () => {
  const someone = await person(server);
  const claims = claimsOf((await someone.session()).access_token);
  expect(claims).toMatchObject({
    sub: someone.id,
    aud: "authenticated",
    role: "authenticated",
    email: someone.email,
    phone: "",
    aal: "aal1",
    is_anonymous: false,
    app_metadata: { provider: "email", providers: ["email"] },
    iss: `${server.url}/auth/v1`,
  });
  expect(claims["amr"]).toEqual([{ method: "password", timestamp: expect.any(Number) as number }]);
  expect(Number(claims["exp"]) - Number(claims["iat"])).toBe(3600);
  expect(String(claims["session_id"])).toMatch(/^[0-9a-f-]{36}$/);
});

test("where sign-ups are off, none creates an account", async () => {
  const closed = await startAuthServer({ env: { GOTRUE_DISABLE_SIGNUP: "true" } });
  const email = freshEmail();
  const { error } = await closed.client().auth.signUp({ email, password: PASSWORD });
  expect(error?.code).toBe("signup_disabled");
  const otp = await closed.client().auth.signInWithOtp({ email });
  expect(otp.error).toBeNull();
  const { data } = await closed.admin().auth.admin.listUsers();
  expect(data.users).toEqual([]);
  await closed.close();
});

test("AUTH-6 getUser accepts only the token of an open session", async () => {
  const someone = await person(server);
  const { access_token: token } = await someone.session();
  expect((await server.client().auth.getUser(token)).data.user?.id).toBe(someone.id);
  const forged = `${token.slice(0, -8)}${token.endsWith("AAAAAAAA") ? "BBBBBBBB" : "AAAAAAAA"}`;
  expect((await server.client().auth.getUser(forged)).error?.code).toBe("bad_jwt");
  expect((await server.client().auth.getUser(server.anonKey)).error?.code).toBe("bad_jwt");
  expect((await server.call("/user")).status).toBe(401);
  server.advance(3_601_000);
  expect((await server.client().auth.getUser(token)).error?.code).toBe("bad_jwt");
});

test("signing out ends this session, the others, or all of them", async () => {
  const someone = await person(server);
  const second = server.client();
  const third = server.client();
  for (const client of [second, third])
    await client.auth.signInWithPassword({ email: someone.email, password: PASSWORD });
  const tokens = [await someone.session(), await sessionOf(second), await sessionOf(third)].map(
    (one) => one.access_token,
  );
  const alive = async (): Promise<boolean[]> =>
    Promise.all(
      tokens.map(async (token) => (await server.client().auth.getUser(token)).error === null),
    );
  await third.auth.signOut({ scope: "local" });
  expect(await alive()).toEqual([true, true, false]);
  await second.auth.signOut({ scope: "others" });
  expect(await alive()).toEqual([false, true, false]);
  await second.auth.signOut();
  expect(await alive()).toEqual([false, false, false]);
  const gone = await server.client().auth.getUser(tokens[0]);
  expect(gone.error?.name).toBe("AuthSessionMissingError");
});

function json(body: object): Call {
  return {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" },
  };
}

/** Returns names and types, without the values. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shape);
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, own]) => [key, shape(own)]));
}

test("a sign-up with an unconfirmed address changes no account whose number is confirmed", async () => {
  const email = freshEmail();
  const phone = freshPhone();
  await server
    .admin()
    .auth.admin.createUser({ email, phone, password: PASSWORD, phone_confirm: true });
  const { error } = await server.client().auth.signUp({ email, password: "the attacker's own" });
  expect(error).toBeNull();
  const attacker = await server
    .client()
    .auth.signInWithPassword({ phone, password: "the attacker's own" });
  expect(attacker.error?.code).toBe("invalid_credentials");
  const owner = await server.client().auth.signInWithPassword({ phone, password: PASSWORD });
  expect(owner.error).toBeNull();
});
