import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { startAuthServer } from "../../../testing/auth/server.ts";
import { ERRORS } from "../http/errors.ts";
import { ROUTES } from "../routes.ts";
import { parseDuration } from "./kinds.ts";
import { PROVIDER_SUFFIXES, parseAuthSettings } from "./settings.ts";
import { ALIASES, IGNORED } from "./names.ts";
import { SETTINGS } from "./table.ts";

function problems(env: Record<string, string>): readonly string[] {
  const parsed = parseAuthSettings(env);
  return parsed.ok ? [] : parsed.problems;
}

test("SRV-2 an unknown or malformed setting is refused at the start by its name, without a secret's value", async () => {
  expect(problems({ GOTRUE_MAILER_AUTOCONFIM: "true" })).toEqual([
    "GOTRUE_MAILER_AUTOCONFIM is unknown; expected GOTRUE_MAILER_AUTOCONFIRM",
  ]);
  expect(problems({ GOTRUE_MAILER_AUTOCONFIRM: "yes" })).toEqual([
    'GOTRUE_MAILER_AUTOCONFIRM "yes" is neither true nor false; expected true or false',
  ]);
  expect(problems({ GOTRUE_JWT_EXP: "5" })[0]).toContain("out of range");
  expect(problems({ GOTRUE_SITE_URL: "board.example.org" })[0]).toContain("is not a URL");
  expect(problems({ GOTRUE_SMS_PROVIDER: "pigeon" })[0]).toContain("expected one of webhook, ");
  const secret = problems({ GOTRUE_SMS_TEST_OTP: "4915550100:topsecret" })[0] ?? "";
  expect(secret).toContain("GOTRUE_SMS_TEST_OTP");
  expect(secret).not.toContain("topsecret");
  await expect(startAuthServer({ env: { GOTRUE_NOTHING: "1" } })).rejects.toThrow(
    "GOTRUE_NOTHING is unknown",
  );
  await expect(
    startAuthServer({ env: { GOTRUE_MAILER_TEMPLATES_INVITE: "/no/such/file" } }),
  ).rejects.toThrow("GOTRUE_MAILER_TEMPLATES_INVITE");
});

test("SRV-2 a name of INKPOOL_ that is nearly one of the table is refused; any other may be the environment's own", () => {
  for (const name of ["INKPOOL_STRICT_AAL", "INKPOOL_STRICT_REFRESH_TOKENS_REUSE"]) {
    const said = problems({ [name]: "true" });
    expect(said).toEqual([expect.stringMatching(`^${name} is unknown; expected INKPOOL_STRICT_`)]);
  }
  const service = { INKPOOL_SERVICE_HOST: "10.0.0.1", INKPOOL_PORT: "tcp://10.0.0.1:80" };
  expect(problems({ ...service, constructor: "x", toString: "y" })).toEqual([]);
});

test("settings that contradict each other are refused at the start", () => {
  const cases: readonly (readonly [Record<string, string>, string])[] = [
    [
      {
        GOTRUE_MAILER_AUTOCONFIRM: "true",
        GOTRUE_MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS: "true",
      },
      "contradicts",
    ],
    [{ GOTRUE_SMTP_USER: "x", GOTRUE_SMTP_PASS: "y" }, "GOTRUE_SMTP_HOST is missing"],
    [
      { GOTRUE_SMTP_HOST: "m", GOTRUE_SMTP_ADMIN_EMAIL: "a@b", INKPOOL_DEV_MAILBOX: "true" },
      "INKPOOL_DEV_MAILBOX",
    ],
    [{ GOTRUE_SECURITY_CAPTCHA_ENABLED: "true" }, "GOTRUE_SECURITY_CAPTCHA_SECRET is missing"],
    [{ GOTRUE_SAML_ENABLED: "true" }, "GOTRUE_SAML_PRIVATE_KEY is missing"],
    [{ GOTRUE_SAML_PRIVATE_KEY: "bm90IGEga2V5" }, "is not an RSA key"],
    [{ GOTRUE_EXTERNAL_GOOGLE_ENABLED: "true" }, "GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID is missing"],
    [
      { GOTRUE_EXTERNAL_ACME_ENABLED: "true", GOTRUE_EXTERNAL_ACME_CLIENT_ID: "x" },
      "GOTRUE_EXTERNAL_ACME_URL is missing",
    ],
    [{ GOTRUE_HOOK_SEND_SMS_ENABLED: "true" }, "GOTRUE_HOOK_SEND_SMS_URI is missing"],
    [{ GOTRUE_HOOK_SEND_SMS_URI: "http://sms.example.org" }, "wrong scheme"],
    [
      { GOTRUE_SMS_PROVIDER: "twilio", GOTRUE_SMS_TWILIO_ACCOUNT_SID: "AC1" },
      "GOTRUE_SMS_TWILIO_AUTH_TOKEN",
    ],
    [{ INKPOOL_TWILIO_URL: "http://twilio.example.org" }, "INKPOOL_TWILIO_URL"],
    [{ GOTRUE_OAUTH_SERVER_ENABLED: "true" }, "GOTRUE_OAUTH_SERVER_AUTHORIZATION_PATH is missing"],
    [{ GOTRUE_OAUTH_SERVER_DEFAULT_SCOPE: "all" }, "GOTRUE_OAUTH_SERVER_DEFAULT_SCOPE"],
    [{ GOTRUE_MAILER_URLPATHS_INVITE: "https://[" }, "is not a URL"],
    [{ GOTRUE_MAILER_URLPATHS_RECOVERY: "ftp://a/verify" }, "wrong scheme"],
    [{ GOTRUE_MFA_MAX_ENROLLED_FACTORS: "1" }, "GOTRUE_MFA_MAX_VERIFIED_FACTORS"],
    [
      { GOTRUE_WEBAUTHN_RP_ID: "a.example", GOTRUE_WEBAUTHN_RP_ORIGINS: "https://b.example" },
      "GOTRUE_WEBAUTHN_RP_ORIGINS",
    ],
  ];
  for (const [env, said] of cases) {
    const found = problems(env).join("\n");
    expect([env, found.includes(said)]).toEqual([env, true]);
    expect(found).toMatch(/; expected /);
  }
});

test("an operator's settings of another GoTrue carry over", () => {
  const env = {
    GOTRUE_API_HOST: "0.0.0.0",
    GOTRUE_DB_DRIVER: "postgres",
    API_EXTERNAL_URL: "https://board.example.org",
    GOTRUE_SITE_URL: "https://board.example.org/",
    GOTRUE_URI_ALLOW_LIST: "https://a.example, https://b.example",
    GOTRUE_JWT_SECRET: "x".repeat(32),
    GOTRUE_MAILER_URLPATHS_CONFIRMATION: "/auth/v1/verify",
    GOTRUE_MAILER_URLPATHS_INVITE: "https://accounts.example.org/welcome?by=mail",
    GOTRUE_MAILER_URLPATHS_RECOVERY: "verify",
    GOTRUE_RATE_LIMIT_EMAIL_SENT: "100/30m",
    GOTRUE_EXTERNAL_GITHUB_ENABLED: "true",
    GOTRUE_EXTERNAL_GITHUB_CLIENT_ID: "id",
    GOTRUE_EXTERNAL_GITHUB_SECRET: "secret",
    GOTRUE_PASSWORD_REQUIRED_CHARACTERS: "abc:\\::123",
    HOME: "/root",
  };
  const parsed = parseAuthSettings(env);
  expect(parsed).toMatchObject({
    ok: true,
    settings: {
      GOTRUE_SITE_URL: "https://board.example.org",
      GOTRUE_URI_ALLOW_LIST: ["https://a.example", "https://b.example"],
      GOTRUE_RATE_LIMIT_EMAIL_SENT: { count: 100, perMs: 1_800_000 },
      GOTRUE_PASSWORD_REQUIRED_CHARACTERS: ["abc", ":", "123"],
    },
  });
  expect(parseDuration("1m30s")).toBe(90_000);
  expect(parseDuration("soon")).toBeUndefined();
});

test("a setting without effect here is taken with a warning, once for each name and without its value", async () => {
  const env = {
    GOTRUE_JWT_VALID_METHODS: "HS256",
    GOTRUE_JWT_KEY_ID: "k1",
    GOTRUE_MAILER_TEMPLATE_RELOADING_ENABLED: "true",
    GOTRUE_OAUTH_SERVER_OF_TOMORROW: "true",
    GOTRUE_SMS_PROVIDER: "vonage",
    GOTRUE_SMS_VONAGE_API_KEY: "key",
    GOTRUE_SMS_TWILIO_VERIFY_AUTH_TOKEN: "the token",
    GOTRUE_COOKIE_KEY: "the cookie",
    GOTRUE_API_HOST: "0.0.0.0",
  };
  const server = await startAuthServer({ env });
  const warnings = server.log.filter((line) => line.includes("has no effect"));
  for (const name of Object.keys(env))
    expect(warnings.filter((line) => line.includes(`${name} has no effect`))).toHaveLength(1);
  expect(warnings).toHaveLength(Object.keys(env).length);
  expect(warnings.join("")).toContain(
    "GOTRUE_OAUTH_SERVER_OF_TOMORROW has no effect; here it is: fixed",
  );
  expect(server.log.join("")).not.toMatch(/the token|the cookie/);
  await server.close();
  expect(problems({ GOTRUE_SMS_SENDER: "x" })[0]).toContain("GOTRUE_SMS_SENDER is unknown");
});

describe("docs/auth.md", () => {
  const path = new URL("../../../docs/auth.md", import.meta.url);
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";

  test("the document names every setting with its default, every route and every error code, and no others", () => {
    const rows = cells(text)
      .filter(([name = ""]) => /^`[A-Z][A-Z0-9_]+`$/.test(name))
      .map(([name = "", shown]) => [name.replaceAll("`", ""), shown]);
    const expected = Object.entries(SETTINGS).map(([name, row]) => [
      name,
      row.shown === "" ? "" : `\`${row.shown}\``,
    ]);
    expect(rows).toEqual(expected);
    for (const name of [...Object.keys(ALIASES), ...Object.keys(IGNORED)])
      expect(text).toContain(`\`${name}\``);
    for (const suffix of PROVIDER_SUFFIXES)
      expect(text).toContain(`\`GOTRUE_EXTERNAL_<NAME>_${suffix}\``);
    const codes = cells(text)
      .filter(([code = "", status = ""]) => /^`[a-z0-9_]+`$/.test(code) && /^\d{3}$/.test(status))
      .map(([code = "", status, says]) => [code.replaceAll("`", ""), Number(status), says]);
    expect(codes).toEqual(
      Object.entries(ERRORS).map(([code, [status, says]]) => [code, status, says]),
    );
    const routes = cells(text)
      .filter(([method = "", path = ""]) => /^[A-Z]+$/.test(method) && path.startsWith("`/"))
      .map(([method, path = ""]) => `${method} ${path.replaceAll("`", "")}`);
    expect(routes).toEqual(ROUTES.map((route) => `${route.method} ${route.path}`));
  });
});

/** Returns the rows of a document's tables, cell by cell. */
function cells(document: string): readonly (readonly string[])[] {
  return document
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}
