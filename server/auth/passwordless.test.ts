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
  server = await startAuthServer({
    env: { GOTRUE_EXTERNAL_PHONE_ENABLED: "true", GOTRUE_SMS_TEST_OTP: "4915559999:424242" },
  });
});

afterAll(() => server.close());

describe("links and codes", () => {
  test("AUTH-13 a magic link's mail carries a link and a code, and either signs in once", async () => {
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

  test("AUTH-14 a link or code for somebody new makes the account; with shouldCreateUser false it answers the same and makes none", async () => {
    const fresh = freshEmail();
    const client = server.client();
    await client.auth.signInWithOtp({ email: fresh, options: { data: { name: "New" } } });
    const { code } = await server.mailTo(fresh);
    const { data } = await client.auth.verifyOtp({ email: fresh, token: code, type: "email" });
    expect(data.user).toMatchObject({ email: fresh, user_metadata: { name: "New" } });

    const known = await person(server);
    const stranger = freshEmail();
    const options = { shouldCreateUser: false };
    const asked = await Promise.all(
      [known.email, stranger].map((email) =>
        server.client().auth.signInWithOtp({ email, options }),
      ),
    );
    expect(asked[0]).toEqual(asked[1]);
    expect(asked[1]?.error).toBeNull();
    await expect(server.mailTo(stranger)).rejects.toThrow("no mail");
    await server.mailTo(known.email);
  });

  test("AUTH-15 a code dies after 5 wrong guesses; the link of the same mail stays good", async () => {
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

  test("AUTH-16 a link or code that is too old, of another type or somebody else's is otp_expired", async () => {
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
    const late = await client.auth.verifyOtp({ token_hash: hash, type: "recovery" });
    expect(late.error?.code).toBe("otp_expired");
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
});

describe("recovery", () => {
  test("AUTH-17 a recovery answers the same for everybody, and its link lets the owner set a new password", async () => {
    const someone = await person(server);
    const stranger = freshEmail();
    const known = await server.client().auth.resetPasswordForEmail(someone.email);
    const unknown = await server.client().auth.resetPasswordForEmail(stranger);
    expect(known).toEqual(unknown);
    await expect(server.mailTo(stranger)).rejects.toThrow("no mail");
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

  test("resend repeats sign-up, email change, sms and phone change, and tells nothing about strangers", async () => {
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
    const odd = await client.auth.resend({ type: "recovery" as "signup", email });
    expect(odd.error?.code).toBe("validation_failed");
  });
});

describe("PKCE", () => {
  test("AUTH-18 a mail link asked for with PKCE ends in a code, which only the asking browser can exchange, once", async () => {
    const someone = await person(server);
    const client = server.client({ flowType: "pkce" });
    await client.auth.signInWithOtp({ email: someone.email });
    const { url } = await follow((await server.mailTo(someone.email)).link);
    const code = url.searchParams.get("code") ?? "";
    expect(url.hash).toBe("");
    const stranger = server.client({ flowType: "pkce" });
    await stranger.auth.signInWithOtp({ email: freshEmail() });
    const stolen = await stranger.auth.exchangeCodeForSession(code);
    expect(stolen.error?.code).toBe("bad_code_verifier");
    const { data, error } = await client.auth.exchangeCodeForSession(code);
    expect(error).toBeNull();
    expect(data.user?.id).toBe(someone.id);
    await client.auth.signInWithOtp({ email: someone.email });
    const again = await client.auth.exchangeCodeForSession(code);
    expect(again.error?.code).toBe("flow_state_not_found");
  });

  test("a PKCE code is good for five minutes, and sign-up, recovery and email change hand one out too", async () => {
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
    const late = await client.auth.exchangeCodeForSession(
      recovery.url.searchParams.get("code") ?? "",
    );
    expect(late.error?.code).toBe("flow_state_expired");
    const odd = await server.call("/otp", {
      method: "POST",
      body: JSON.stringify({ email, code_challenge: "short", code_challenge_method: "s256" }),
      headers: { "content-type": "application/json" },
    });
    expect(await odd.json()).toMatchObject({ error_code: "validation_failed" });
  });
});
