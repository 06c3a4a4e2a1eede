import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PASSWORD, freshEmail, person } from "../../testing/auth/people.ts";
import { freshAddress, startAuthServer } from "../../testing/auth/server.ts";
import type { AuthServer } from "../../testing/auth/server.ts";
import { globToRegExp } from "./redirects.ts";

let server: AuthServer;

beforeAll(async () => {
  server = await startAuthServer({
    env: {
      GOTRUE_URI_ALLOW_LIST:
        "https://*.preview.example.org/**,inkpool://back,https://exact.example.org/in",
    },
  });
});

afterAll(() => server.close());

async function post(
  path: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return server.call(path, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", ...headers },
  });
}

describe("faults", () => {
  test("a fault is JSON with its code: under `code` for the newer version of the API, under `error_code` before it", async () => {
    const body = JSON.stringify({ email: freshEmail(), password: "not this" });
    const newer = await post("/token?grant_type=password", body, {
      "x-supabase-api-version": "2024-01-01",
    });
    expect(newer.status).toBe(400);
    expect(await newer.json()).toEqual({
      code: "invalid_credentials",
      message: "Invalid login credentials",
    });
    expect(newer.headers.get("x-supabase-api-version")).toBe("2024-01-01");
    expect(newer.headers.get("x-sb-error-code")).toBe("invalid_credentials");
    const older = await post("/token?grant_type=password", body);
    expect(await older.json()).toEqual({
      code: 400,
      error_code: "invalid_credentials",
      msg: "Invalid login credentials",
    });
    expect(older.headers.get("x-supabase-api-version")).toBeNull();
  });

  test("AUTH-35 what is no JSON object, too large, of a wrong type or on no route gets its error, never a 5xx or a text", async () => {
    const cases: readonly (readonly [string, string, number])[] = [
      ["/signup", "{", 400],
      ["/signup", "[]", 400],
      ["/signup", "null", 400],
      ["/signup", '{"email":{"a":1},"password":"correct horse"}', 400],
      ["/signup", '{"email":"a@b.example","password":["x"]}', 400],
      ["/signup", '{"email":"a@b.example","password":"correct horse","data":[]}', 400],
      ["/signup", '{"__proto__":{"email":"a@b.example"}}', 400],
      ["/signup", '{"email":"a@b.example\\u0000","password":"correct horse"}', 400],
      ["/signup", `{"data":${"[".repeat(20_000)}${"]".repeat(20_000)}}`, 400],
      ["/otp", "{}", 400],
      ["/verify", '{"type":"__proto__","token_hash":"x"}', 400],
      ["/token?grant_type=toString", "{}", 400],
      ["/token?grant_type=password&grant_type=pkce", "{}", 400],
      ["/resend", '{"type":"signup"}', 400],
      ["/signup", `{"email":"${"x".repeat(600_000)}"}`, 413],
      ["/nothing", "{}", 404],
      ["/admin/users/../../users", "{}", 404],
    ];
    for (const [path, body, status] of cases) {
      const answer = await post(path, body);
      expect([path, body.slice(0, 60), answer.status]).toEqual([path, body.slice(0, 60), status]);
      const json = (await answer.json()) as Record<string, unknown>;
      if (!path.includes("..")) expect(typeof json["error_code"]).toBe("string");
    }
    const grant = await post("/token?grant_type=magic", "{}");
    expect(await grant.json()).toMatchObject({ error_code: "unsupported_grant_type" });
  });
});

describe("redirects", () => {
  test("AUTH-36 a redirect goes to the site or to the allow-list, else to the site", async () => {
    const someone = await person(server);
    const choose = async (target: string): Promise<string> => {
      await server.client().auth.resetPasswordForEmail(someone.email, { redirectTo: target });
      const link = (await server.mailTo(someone.email)).link;
      return new URL(link).searchParams.get("redirect_to") ?? "";
    };
    for (const good of [
      "http://localhost:3000/board?x=1",
      "http://127.0.0.1:3000/",
      "https://a.preview.example.org/deep/er",
      "inkpool://back",
      "https://exact.example.org/in",
    ])
      expect(await choose(good)).toBe(good);
    for (const bad of [
      "https://evil.example/",
      "http://localhost:3001/",
      "https://a.b.preview.example.org/x",
      "https://preview.example.org.evil.example/x",
      "https://evil.example/?https://exact.example.org/in",
      "https://exact.example.org@evil.example/in",
      "https://exact.example.org/in/deeper",
      "https://a.preview.example.org\\@evil.example/x",
      "//evil.example",
      "javascript:alert(1)",
      "http://user@localhost:3000/",
    ])
      expect(await choose(bad)).toBe("http://localhost:3000");
    const tampered = await server.call(
      "/verify?token=x&type=signup&redirect_to=https://evil.example/",
    );
    expect(tampered.headers.get("location")).toContain("http://localhost:3000/#error=");
  });

  test("globs stop at dots and slashes unless they are doubled", () => {
    expect(globToRegExp("https://*.a.example/*").test("https://x.a.example/y")).toBe(true);
    expect(globToRegExp("https://*.a.example/*").test("https://x.a.example/y/z")).toBe(false);
    expect(globToRegExp("https://{a,b}.example/?").test("https://b.example/1")).toBe(true);
    expect(globToRegExp("https://a[12].example").test("https://a3.example")).toBe(false);
    expect(globToRegExp("https://a.example").test("https://aXexample")).toBe(false);
  });
});

describe("about this server", () => {
  test("settings, health and keys are told in GoTrue's form", async () => {
    const settings = (await (await server.call("/settings")).json()) as Record<string, unknown>;
    expect(settings).toMatchObject({
      external: { email: true, phone: false, google: false, anonymous_users: false },
      disable_signup: false,
      mailer_autoconfirm: false,
      phone_autoconfirm: false,
      saml_enabled: false,
    });
    expect(await (await server.call("/health")).json()).toMatchObject({ name: "GoTrue" });
    expect(await (await server.call("/.well-known/jwks.json")).json()).toEqual({ keys: [] });
    const preflight = await server.call("/token", {
      method: "OPTIONS",
      headers: { origin: "https://elsewhere.example" },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-headers")).toContain(
      "x-supabase-api-version",
    );
  });

  test("AUTH-37 getClaims holds with HS256, RS256 and ES256, and a new key breaks no session", async () => {
    const someone = await person(server);
    const plain = await someone.client.auth.getClaims();
    expect(plain.data?.claims.sub).toBe(someone.id);
    for (const alg of ["RS256", "ES256"]) {
      const first = await signingKey(alg, "first");
      const own = await startAuthServer({ env: { GOTRUE_JWT_KEYS: JSON.stringify([first]) } });
      const before = await person(own);
      const claims = await before.client.auth.getClaims();
      expect(claims.data).toMatchObject({
        claims: { sub: before.id },
        header: { alg, kid: "first" },
      });
      const jwks = (await (await own.call("/.well-known/jwks.json")).json()) as {
        keys: Record<string, unknown>[];
      };
      expect(jwks.keys).toMatchObject([{ kid: "first", alg }]);
      expect(jwks.keys[0]).not.toHaveProperty("d");

      const second = await signingKey(alg, "second");
      const keys = JSON.stringify([{ ...first, key_ops: ["verify"] }, second]);
      const rotated = await startAuthServer({ beside: own, env: { GOTRUE_JWT_KEYS: keys } });
      const { access_token: token, refresh_token: refreshToken } = await before.session();
      expect((await rotated.client().auth.getUser(token)).data.user?.id).toBe(before.id);
      const client = rotated.client();
      const renewed = await client.auth.refreshSession({ refresh_token: refreshToken });
      expect(renewed.error).toBeNull();
      expect((await client.auth.getClaims()).data?.header.kid).toBe("second");
      await rotated.close();
      await own.close();
    }
  });
});

async function signingKey(alg: string, kid: string): Promise<Record<string, unknown>> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), kid, alg, key_ops: ["sign"] };
}

describe("limits", () => {
  const attempt = async (
    at: AuthServer,
    email: string,
    password: string,
    ip: string,
  ): Promise<string> => {
    const { error } = await at.client({ ip }).auth.signInWithPassword({ email, password });
    return error === null ? "in" : (error.code ?? "");
  };

  test("AUTH-38 ten wrong passwords from one address are the last; the person still signs in from elsewhere", async () => {
    const victim = await person(server);
    const attacker = freshAddress();
    const answers: string[] = [];
    for (let guess = 0; guess < 12; guess++)
      answers.push(await attempt(server, victim.email, `guess ${guess}`, attacker));
    expect(answers.slice(0, 10)).toEqual(Array<string>(10).fill("invalid_credentials"));
    expect(answers.slice(10)).toEqual(["over_request_rate_limit", "over_request_rate_limit"]);
    expect(await attempt(server, victim.email, PASSWORD, attacker)).toBe("over_request_rate_limit");
    expect(await attempt(server, victim.email, PASSWORD, freshAddress())).toBe("in");
    server.advance(301_000);
    expect(await attempt(server, victim.email, PASSWORD, attacker)).toBe("in");
  });

  test("AUTH-39 after a hundred wrong passwords from everywhere only addresses that the account knows may go on", async () => {
    const home = freshAddress();
    const victim = await person(server, { ip: home });
    const unknown = freshEmail();
    for (const email of [victim.email, unknown]) {
      expect(await attempt(server, email, "a guess", freshAddress())).toBe("invalid_credentials");
      // 98 more from as many addresses, without their bcrypt; the last one is a real one again.
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

  test("AUTH-40 codes under attack meet the limit, and the person concerned still signs in", async () => {
    const victim = await person(server);
    const attacker = server.client({ ip: freshAddress() });
    const answers: string[] = [];
    for (let round = 0; round < 3; round++) {
      await server.client().auth.signInWithOtp({ email: victim.email });
      for (let guess = 0; guess < 5; guess++) {
        const token = String(100_000 + round * 5 + guess);
        const { error } = await attacker.auth.verifyOtp({
          email: victim.email,
          token,
          type: "email",
        });
        answers.push(error?.code ?? "in");
      }
    }
    expect(answers.slice(0, 10)).toEqual(Array<string>(10).fill("otp_expired"));
    expect(answers.slice(10)).toEqual(Array<string>(5).fill("over_request_rate_limit"));
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
      let taken = 0;
      for (;;) {
        const ip = `2001:db8:0:1::${taken.toString(16)}`;
        const headers = { "content-type": "application/json", "x-test-address": ip };
        const answer = await own.call(path, { method: "POST", body: '{"email":"x"}', headers });
        if (answer.status === 429) {
          expect(await answer.json()).toMatchObject({ error_code: "over_request_rate_limit" });
          break;
        }
        taken++;
      }
      expect([path, taken]).toEqual([path, limit]);
      const neighbour = await own.call(path, {
        method: "POST",
        body: '{"email":"x"}',
        headers: { "x-test-address": "2001:db8:0:2::1" },
      });
      expect(neighbour.status).toBe(400);
    }
    await own.close();
  });

  test("AUTH-42 one address gets a mail of a kind once in 60 s, the installation sends 30 an hour, and a stranger's address counts the same", async () => {
    const own = await startAuthServer({
      env: { GOTRUE_SMTP_MAX_FREQUENCY: "", GOTRUE_RATE_LIMIT_EMAIL_SENT: "" },
    });
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
    let sent = 3;
    for (; sent < 40; sent++) {
      const { error } = await own.client().auth.resetPasswordForEmail(freshEmail());
      if (error !== null) {
        expect(error).toMatchObject({
          code: "over_email_send_rate_limit",
          message: "email rate limit exceeded",
        });
        break;
      }
    }
    expect(sent).toBe(30);
    await own.close();
  });
});

describe("captcha", () => {
  test("AUTH-43 with captchas on, sign-up and sign-in need a solved one; what cannot be checked lets nobody in", async () => {
    const asked: URLSearchParams[] = [];
    const checker = createServer((request, response) => {
      let text = "";
      request.on("data", (chunk: Buffer) => (text += chunk.toString()));
      request.on("end", () => {
        asked.push(new URLSearchParams(text));
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
    expect(asked.at(-1)?.get("secret")).toBe("captcha-key");
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
});

test("more headers for other origins, and HEAD uses no link up", async () => {
  const own = await startAuthServer({ env: { GOTRUE_CORS_ALLOWED_HEADERS: "x-board,x-team" } });
  const preflight = await own.call("/token", {
    method: "OPTIONS",
    headers: { origin: "https://elsewhere.example" },
  });
  expect(preflight.headers.get("access-control-allow-headers")).toContain("x-board, x-team");
  const email = freshEmail();
  await own.client().auth.signUp({ email, password: PASSWORD });
  const { link } = await own.mailTo(email);
  const scanned = await fetch(link, { method: "HEAD", redirect: "manual" });
  expect(scanned.status).toBe(404);
  const opened = await fetch(link, { redirect: "manual" });
  expect(opened.headers.get("location")).toContain("access_token=");
  await own.close();
});
