import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PASSWORD, freshEmail, person } from "../../../testing/auth/people.ts";
import { freshAddress, startAuthServer, type AuthServer } from "../../../testing/auth/server.ts";

let server: AuthServer;

beforeAll(async () => {
  server = await startAuthServer();
});

afterAll(() => server.close());

async function attempt(
  at: AuthServer,
  email: string,
  password: string,
  ip: string,
): Promise<string> {
  const { error } = await at.client({ ip }).auth.signInWithPassword({ email, password });
  return error === null ? "in" : (error.code ?? "");
}

test("AUTH-38 after ten wrong passwords one address has to wait; the person still signs in from elsewhere", async () => {
  const victim = await person(server);
  const attacker = freshAddress();
  const outcomes: string[] = [];
  for (let guess = 0; guess < 12; guess++)
    outcomes.push(await attempt(server, victim.email, `guess ${guess}`, attacker));
  expect(outcomes.slice(0, 10)).toEqual(Array<string>(10).fill("invalid_credentials"));
  expect(outcomes.slice(10)).toEqual(["over_request_rate_limit", "over_request_rate_limit"]);
  expect(await attempt(server, victim.email, PASSWORD, attacker)).toBe("over_request_rate_limit");
  expect(await attempt(server, victim.email, PASSWORD, freshAddress())).toBe("in");
  server.advance(301_000);
  expect(await attempt(server, victim.email, PASSWORD, attacker)).toBe("in");
});

test("AUTH-38 after 100 wrong passwords from everywhere only addresses with a session of the account may try", async () => {
  const home = freshAddress();
  const victim = await person(server, { ip: home });
  const unknown = freshEmail();
  for (const email of [victim.email, unknown]) {
    expect(await attempt(server, email, "a guess", freshAddress())).toBe("invalid_credentials");
    // These are 98 more from as many addresses, without bcrypt; the last one is real again.
    await server.database.query(
      "update auth_counters set count = count + 98 where key like 'password %' and key not like 'password % %' and count = 1",
    );
    expect(await attempt(server, email, "a guess", freshAddress())).toBe("invalid_credentials");
    expect(await attempt(server, email, "one more", freshAddress())).toBe(
      "over_request_rate_limit",
    );
  }
  expect(await attempt(server, victim.email, PASSWORD, home)).toBe("in");
});

test("AUTH-38 guesses at codes are limited, and the owner still signs in", async () => {
  const victim = await person(server);
  const attacker = server.client({ ip: freshAddress() });
  const outcomes: string[] = [];
  for (let round = 0; round < 3; round++) {
    await server.client().auth.signInWithOtp({ email: victim.email });
    for (let guess = 0; guess < 5; guess++) {
      const token = String(100_000 + round * 5 + guess);
      const { error } = await attacker.auth.verifyOtp({
        email: victim.email,
        token,
        type: "email",
      });
      outcomes.push(error?.code ?? "in");
    }
  }
  expect(outcomes.slice(0, 10)).toEqual(Array<string>(10).fill("otp_expired"));
  expect(outcomes.slice(10)).toEqual(Array<string>(5).fill("over_request_rate_limit"));
  await server.client().auth.signInWithOtp({ email: victim.email });
  const { code } = await server.mailTo(victim.email);
  const { error } = await server
    .client()
    .auth.verifyOtp({ email: victim.email, token: code, type: "email" });
  expect(error).toBeNull();
});

test("AUTH-41 one address has 30 sign-ups, codes, recoveries and verifications in 5 minutes and 150 tokens, a network of IPv6 counts as one", async () => {
  const own = await startAuthServer({ still: true });
  const table: readonly (readonly [string, number])[] = [
    ["/otp", 30],
    ["/signup", 30],
    ["/recover", 30],
    ["/resend", 30],
    ["/verify", 30],
    ["/token?grant_type=password", 150],
  ];
  for (const [path, limit] of table) {
    const statuses = await Promise.all(
      Array.from({ length: limit + 1 }, async (_, at) => {
        const ip = `2001:db8:0:1::${at.toString(16)}`;
        const headers = { "content-type": "application/json", "x-test-address": ip };
        const response = await own.call(path, { method: "POST", body: '{"email":"x"}', headers });
        const body: unknown = await response.json();
        if (response.status === 429)
          expect(body).toMatchObject({ error_code: "over_request_rate_limit" });
        return response.status;
      }),
    );
    expect([path, statuses.filter((status) => status === 429)]).toEqual([path, [429]]);
    const neighbour = await own.call(path, {
      method: "POST",
      body: '{"email":"x"}',
      headers: { "x-test-address": "2001:db8:0:2::1" },
    });
    expect(neighbour.status).toBe(400);
  }
  await own.close();
});

test("AUTH-42 one address gets a mail of a kind once in 60 s, whether it has an account or not", async () => {
  const own = await startAuthServer({ env: { GOTRUE_SMTP_MAX_FREQUENCY: "" } });
  const someone = await person(own);
  for (const email of [someone.email, freshEmail("nobody")]) {
    expect((await own.client().auth.resetPasswordForEmail(email)).error).toBeNull();
    const { error } = await own.client().auth.resetPasswordForEmail(email);
    expect(error).toMatchObject({ code: "over_email_send_rate_limit", status: 429 });
    expect(error?.message).toMatch(
      /^For security purposes, you can only request this after \d+ seconds\.$/,
    );
  }
  own.advance(60_001);
  expect((await own.client().auth.resetPasswordForEmail(someone.email)).error).toBeNull();
  await own.close();
});

test("AUTH-43 with captchas on, sign-up and sign-in need a solved one; a captcha that cannot be checked counts as not solved", async () => {
  const calls: URLSearchParams[] = [];
  const checker = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      calls.push(new URLSearchParams(text));
      response.end(JSON.stringify({ success: text.includes("response=solved") }));
    });
  });
  await new Promise<void>((resolve) => checker.listen(0, "127.0.0.1", resolve));
  const own = await startAuthServer({
    env: {
      GOTRUE_SECURITY_CAPTCHA_ENABLED: "true",
      GOTRUE_SECURITY_CAPTCHA_PROVIDER: "turnstile",
      GOTRUE_SECURITY_CAPTCHA_SECRET: "captcha-key",
      INKPOOL_CAPTCHA_URL: `http://127.0.0.1:${(checker.address() as AddressInfo).port}`,
    },
  });
  const signUp = async (captchaToken?: string): Promise<string | undefined> => {
    const options = captchaToken === undefined ? {} : { captchaToken };
    return (await own.client().auth.signUp({ email: freshEmail(), password: PASSWORD, options }))
      .error?.code;
  };
  expect(await signUp()).toBe("captcha_failed");
  expect(await signUp("unsolved")).toBe("captcha_failed");
  expect(await signUp("solved")).toBeUndefined();
  expect(calls.at(-1)?.get("secret")).toBe("captcha-key");
  await own
    .admin()
    .auth.admin.createUser({ email: "c@example.org", password: PASSWORD, email_confirm: true });
  const client = own.client();
  const signIn = { email: "c@example.org", password: PASSWORD };
  expect((await client.auth.signInWithPassword(signIn)).error?.code).toBe("captcha_failed");
  expect(
    (await client.auth.signInWithPassword({ ...signIn, options: { captchaToken: "solved" } }))
      .error,
  ).toBeNull();
  expect((await client.auth.refreshSession()).error).toBeNull();
  await new Promise((resolve) => checker.close(resolve));
  expect(await signUp("solved")).toBe("captcha_failed");
  await own.close();
});
