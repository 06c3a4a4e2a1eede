import { exportJWK, generateKeyPair } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PASSWORD, freshEmail, person } from "../../../testing/auth/people.ts";
import { startAuthServer, type AuthServer } from "../../../testing/auth/server.ts";
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

  test("AUTH-35 a body that is no JSON object, too large or mistyped, or an unknown route gets a JSON error, never a 5xx", async () => {
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
      const response = await post(path, body);
      expect([path, body.slice(0, 60), response.status]).toEqual([path, body.slice(0, 60), status]);
      const json = (await response.json()) as Record<string, unknown>;
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

  test("AUTH-36 a link with a null character is answered with a redirect to the site, too", async () => {
    for (const query of ["token=x&redirect_to=%00", "token=%00"]) {
      const { status, headers } = await server.call(`/verify?type=signup&${query}`);
      const { origin, hash } = new URL(headers.get("location") ?? "about:blank");
      expect([status, origin]).toEqual([303, "http://localhost:3000"]);
      expect(hash).toMatch(/^#error=/);
    }
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
  test("settings, health and keys have GoTrue's form", async () => {
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

  test("KEY-5 getClaims works with HS256, RS256 and ES256, and a new key ends no session", async () => {
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
