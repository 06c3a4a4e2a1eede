import { afterAll, beforeAll, expect, test } from "vitest";
import {
  PASSWORD,
  claimsOf,
  follow,
  freshEmail,
  freshPhone,
  person,
} from "../../../testing/auth/people.ts";
import { startAuthServer, type AuthServer } from "../../../testing/auth/server.ts";

let server: AuthServer;

beforeAll(async () => {
  server = await startAuthServer({
    env: { GOTRUE_EXTERNAL_PHONE_ENABLED: "true", GOTRUE_SMS_TEST_OTP: "4915559999:424242" },
  });
});

afterAll(() => server.close());

test("AUTH-13 a magic link's mail contains a link and a code, and either signs in once", async () => {
  const someone = await person(server);
  const client = server.client();
  const { error } = await client.auth.signInWithOtp({ email: someone.email });
  expect(error).toBeNull();
  const mail = await server.mailTo(someone.email);
  expect(mail.subject).toBe("Your Magic Link");
  const byCode = await client.auth.verifyOtp({
    email: someone.email,
    token: mail.code,
    type: "email",
  });
  expect(byCode.data.user?.id).toBe(someone.id);
  expect(claimsOf(byCode.data.session?.access_token ?? "")["amr"]).toMatchObject([
    { method: "otp" },
  ]);
  const codeAgain = await client.auth.verifyOtp({
    email: someone.email,
    token: mail.code,
    type: "email",
  });
  expect(codeAgain.error?.code).toBe("otp_expired");
  const linkAfterCode = await follow(mail.link);
  expect(linkAfterCode.values.get("error_code")).toBe("otp_expired");

  await client.auth.signInWithOtp({
    email: someone.email,
    options: { emailRedirectTo: "http://localhost:3000/board" },
  });
  const link = new URL((await server.mailTo(someone.email)).link);
  expect(link.searchParams.get("redirect_to")).toBe("http://localhost:3000/board");
  const hash = link.searchParams.get("token") ?? "";
  const byHash = await client.auth.verifyOtp({ token_hash: hash, type: "magiclink" });
  expect(byHash.data.user?.id).toBe(someone.id);
});

test("AUTH-13 a link or code for an unknown address creates the account; with shouldCreateUser false it is otp_disabled and creates none", async () => {
  const fresh = freshEmail();
  const client = server.client();
  await client.auth.signInWithOtp({ email: fresh, options: { data: { name: "New" } } });
  const { code } = await server.mailTo(fresh);
  const { data } = await client.auth.verifyOtp({ email: fresh, token: code, type: "email" });
  expect(data.user).toMatchObject({ email: fresh, user_metadata: { name: "New" } });

  const known = await person(server);
  const unknown = freshEmail();
  const options = { shouldCreateUser: false };
  const accepted = await server.client().auth.signInWithOtp({ email: known.email, options });
  expect(accepted.error).toBeNull();
  for (const contact of [{ email: unknown }, { phone: freshPhone() }]) {
    const refused = await server.client().auth.signInWithOtp({ ...contact, options });
    expect(refused.error).toMatchObject({
      code: "otp_disabled",
      message: "Signups not allowed for otp",
      status: 422,
    });
  }
  await expect(server.mailTo(unknown)).rejects.toThrow("no mail");
  const users = await server.database.query("select id from auth_users where email = $1", [
    unknown,
  ]);
  expect(users.rows).toEqual([]);
  await server.mailTo(known.email);
});

test("AUTH-15 a code is void after 5 wrong guesses; the link of the same mail still works", async () => {
  const someone = await person(server);
  await server.client().auth.signInWithOtp({ email: someone.email });
  const mail = await server.mailTo(someone.email);
  const wrong = mail.code === "000000" ? "111111" : "000000";
  const attacker = server.client();
  for (let guess = 0; guess < 5; guess++) {
    const { error } = await attacker.auth.verifyOtp({
      email: someone.email,
      token: wrong,
      type: "magiclink",
    });
    expect(error?.code).toBe("otp_expired");
  }
  const right = await server
    .client()
    .auth.verifyOtp({ email: someone.email, token: mail.code, type: "magiclink" });
  expect(right.error?.code).toBe("otp_expired");
  expect((await follow(mail.link)).values.get("access_token")).toBeTruthy();
});

test("AUTH-15 a link or code that is too old, of another type or another user's is otp_expired", async () => {
  const someone = await person(server);
  const other = await person(server);
  const client = server.client();
  await client.auth.resetPasswordForEmail(someone.email);
  const mail = await server.mailTo(someone.email);
  const hash = new URL(mail.link).searchParams.get("token") ?? "";
  const tries = [
    client.auth.verifyOtp({ email: other.email, token: mail.code, type: "recovery" }),
    client.auth.verifyOtp({ email: freshEmail(), token: mail.code, type: "recovery" }),
    client.auth.verifyOtp({ email: someone.email, token: mail.code, type: "signup" }),
    client.auth.verifyOtp({ token_hash: hash, type: "email_change" }),
    client.auth.verifyOtp({ token_hash: "0".repeat(56), type: "recovery" }),
  ];
  for (const { error } of await Promise.all(tries))
    expect(error).toMatchObject({ code: "otp_expired", status: 403 });
  const nonsense = await client.auth.verifyOtp({
    token_hash: hash,
    type: "constructor" as "email",
  });
  expect(nonsense.error?.code).toBe("validation_failed");
  server.advance(86_401_000);
  const expired = await client.auth.verifyOtp({ token_hash: hash, type: "recovery" });
  expect(expired.error?.code).toBe("otp_expired");
});

test("a text message's code signs in; a test number has a fixed code and gets no message", async () => {
  const phone = freshPhone();
  const client = server.client();
  await client.auth.signInWithOtp({ phone });
  const { code } = await server.mailTo(`+${phone}`);
  const { data } = await client.auth.verifyOtp({ phone, token: code, type: "sms" });
  expect(data.user?.phone).toBe(phone);
  await client.auth.signInWithOtp({ phone: "+4915559999" });
  await expect(server.mailTo("+4915559999")).rejects.toThrow("no mail");
  const fixed = await client.auth.verifyOtp({
    phone: "4915559999",
    token: "424242",
    type: "sms",
  });
  expect(fixed.error).toBeNull();
});

test("AUTH-13 a recovery gets the same response for every address, and its link lets the owner set a new password", async () => {
  const someone = await person(server);
  const unregistered = freshEmail();
  const known = await server.client().auth.resetPasswordForEmail(someone.email);
  const unknown = await server.client().auth.resetPasswordForEmail(unregistered);
  expect(known).toEqual(unknown);
  await expect(server.mailTo(unregistered)).rejects.toThrow("no mail");
  const client = server.client();
  const events: string[] = [];
  client.auth.onAuthStateChange((event) => void events.push(event));
  const { code } = await server.mailTo(someone.email);
  await client.auth.verifyOtp({ email: someone.email, token: code, type: "recovery" });
  expect(events).toContain("PASSWORD_RECOVERY");
  const { error } = await client.auth.updateUser({ password: "a new password" });
  expect(error).toBeNull();
  const old = await server
    .client()
    .auth.signInWithPassword({ email: someone.email, password: PASSWORD });
  expect(old.error?.code).toBe("invalid_credentials");
});

test("resend repeats sign-up, email change, sms and phone change", async () => {
  const email = freshEmail();
  const client = server.client();
  await client.auth.signUp({ email, password: PASSWORD });
  const first = await server.mailTo(email);
  expect((await client.auth.resend({ type: "signup", email })).error).toBeNull();
  const second = await server.mailTo(email);
  expect(second.link).not.toBe(first.link);
  expect((await follow(first.link)).values.get("error_code")).toBe("otp_expired");
  expect((await follow(second.link)).values.get("access_token")).toBeTruthy();

  const someone = await person(server);
  const next = freshEmail("next");
  await someone.client.auth.updateUser({ email: next });
  const before = (await server.mails()).filter((mail) => mail.to === next).length;
  await someone.client.auth.resend({ type: "email_change", email: someone.email });
  expect((await server.mails()).filter((mail) => mail.to === next)).toHaveLength(before + 1);
  const phone = freshPhone();
  await someone.client.auth.updateUser({ phone });
  await someone.client.auth.resend({ type: "phone_change", phone });
  expect((await server.mails()).filter((mail) => mail.to === `+${phone}`)).toHaveLength(2);
  for (const type of ["signup", "email_change"] as const)
    expect((await client.auth.resend({ type, email: freshEmail() })).error).toBeNull();
  expect((await client.auth.resend({ type: "sms", phone: freshPhone() })).error).toBeNull();
  const unknownType = await client.auth.resend({ type: "recovery" as "signup", email });
  expect(unknownType.error?.code).toBe("validation_failed");
});

test("AUTH-42 a second resend within its minute is refused whether there was something to send or not, and none is sent", async () => {
  const own = await startAuthServer({
    still: true,
    env: {
      GOTRUE_EXTERNAL_PHONE_ENABLED: "true",
      GOTRUE_SMTP_MAX_FREQUENCY: "",
      GOTRUE_SMS_MAX_FREQUENCY: "",
    },
  });
  const resend = async (body: object): Promise<readonly [number, string]> => {
    const response = await own.call("/resend", {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    });
    return [response.status, (await response.text()).replace(/\d+ seconds/, "so many seconds")];
  };
  const known = await person(own);
  const open = freshEmail("open");
  await own.admin().auth.admin.createUser({ email: open });
  const openPhone = freshPhone();
  await own.admin().auth.admin.createUser({ phone: openPhone });
  const answers = new Map<string, Set<string>>();
  for (const body of [
    { type: "signup", email: open },
    { type: "signup", email: known.email },
    { type: "signup", email: freshEmail() },
    { type: "email_change", email: known.email },
    { type: "email_change", email: freshEmail() },
    { type: "sms", phone: openPhone },
    { type: "sms", phone: freshPhone() },
    { type: "phone_change", phone: freshPhone() },
  ]) {
    const medium = "phone" in body ? "phone" : "email";
    const both = JSON.stringify([await resend(body), await resend(body)]);
    answers.set(medium, (answers.get(medium) ?? new Set()).add(both));
  }
  expect([...answers.values()].map((each) => each.size)).toEqual([1, 1]);
  expect([...(answers.get("email") ?? [])][0]).toContain("over_email_send_rate_limit");
  const sent = (await own.mails()).map((mail) => mail.to);
  expect(sent.toSorted()).toEqual([`+${openPhone}`, open].toSorted());
  await own.close();
});

test("AUTH-18 a mail link asked for with PKCE ends in a code, which only the asking browser can exchange, once", async () => {
  const someone = await person(server);
  const client = server.client({ flowType: "pkce" });
  await client.auth.signInWithOtp({ email: someone.email });
  const { url } = await follow((await server.mailTo(someone.email)).link);
  const code = url.searchParams.get("code") ?? "";
  expect(url.hash).toBe("");
  const thief = server.client({ flowType: "pkce" });
  await thief.auth.signInWithOtp({ email: freshEmail() });
  const stolen = await thief.auth.exchangeCodeForSession(code);
  expect(stolen.error?.code).toBe("bad_code_verifier");
  const { data, error } = await client.auth.exchangeCodeForSession(code);
  expect(error).toBeNull();
  expect(data.user?.id).toBe(someone.id);
  await client.auth.signInWithOtp({ email: someone.email });
  const again = await client.auth.exchangeCodeForSession(code);
  expect(again.error?.code).toBe("flow_state_not_found");
});

test("AUTH-18 the token hash of a PKCE link signs in without a verifier, once; the code of its link is not exchanged without one", async () => {
  const someone = await person(server);
  const asking = server.client({ flowType: "pkce" });
  await asking.auth.signInWithOtp({ email: someone.email });
  const { link } = await server.mailTo(someone.email);
  const hash = new URL(link).searchParams.get("token") ?? "";
  expect(hash).toMatch(/^pkce_/);
  const elsewhere = server.client();
  const verify = () => elsewhere.auth.verifyOtp({ token_hash: hash, type: "magiclink" });
  expect((await verify()).data.session?.user.id).toBe(someone.id);
  expect((await verify()).error?.code).toBe("otp_expired");
  const { url } = await follow(link);
  expect(url.searchParams.get("error_code")).toBe("otp_expired");
  const bare = hash.replace("pkce_", "");
  const without = await elsewhere.auth.verifyOtp({ token_hash: bare, type: "magiclink" });
  expect(without.error?.code).toBe("otp_expired");

  await asking.auth.signInWithOtp({ email: someone.email });
  const opened = await follow((await server.mailTo(someone.email)).link);
  const code = opened.url.searchParams.get("code") ?? "";
  expect(opened.values.get("access_token")).toBeNull();
  for (const more of [{}, { code_verifier: "" }, { code_verifier: "v".repeat(43) }]) {
    const response = await server.call("/token?grant_type=pkce", {
      method: "POST",
      body: JSON.stringify({ auth_code: code, ...more }),
      headers: { "content-type": "application/json" },
    });
    expect([more, response.status]).toEqual([more, 400]);
  }
  expect((await asking.auth.exchangeCodeForSession(code)).error).toBeNull();
});

test("a PKCE code works for five minutes, after a sign-up and a recovery too", async () => {
  const email = freshEmail();
  const client = server.client({ flowType: "pkce" });
  await client.auth.signUp({ email, password: PASSWORD });
  const signUp = await follow((await server.mailTo(email)).link);
  expect(
    (await client.auth.exchangeCodeForSession(signUp.url.searchParams.get("code") ?? "")).error,
  ).toBeNull();
  await client.auth.resetPasswordForEmail(email);
  const recovery = await follow((await server.mailTo(email)).link);
  server.advance(301_000);
  const expired = await client.auth.exchangeCodeForSession(
    recovery.url.searchParams.get("code") ?? "",
  );
  expect(expired.error?.code).toBe("flow_state_expired");
  const tooShort = await server.call("/otp", {
    method: "POST",
    body: JSON.stringify({ email, code_challenge: "short", code_challenge_method: "s256" }),
    headers: { "content-type": "application/json" },
  });
  expect(await tooShort.json()).toMatchObject({ error_code: "validation_failed" });
});
