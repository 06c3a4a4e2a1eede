import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PASSWORD, freshEmail, freshPhone, person } from "../../../testing/auth/people.ts";
import { startAuthServer } from "../../../testing/auth/server.ts";
import { startSmtp } from "../../../testing/auth/smtp.ts";
import { fillTemplate, templateProblem } from "../mail/templates.ts";
import { signWebhook } from "../sms/messages.ts";

test("mails go through the mail server, with the operator's templates, subjects, sender and headers, and are tried again", async () => {
  const folder = mkdtempSync(join(tmpdir(), "inkpool-mail-"));
  const template = join(folder, "confirm.html");
  writeFileSync(
    template,
    "<p>Hello {{ .Data.name }}, use {{ .Token }} at {{ .ConfirmationURL }}</p>",
  );
  const smtp = await startSmtp({ user: "mailer", pass: "mail secret" });
  const server = await startAuthServer({
    env: {
      INKPOOL_DEV_MAILBOX: "",
      GOTRUE_SMTP_HOST: "127.0.0.1",
      GOTRUE_SMTP_PORT: String(smtp.port),
      GOTRUE_SMTP_USER: "mailer",
      GOTRUE_SMTP_PASS: "mail secret",
      GOTRUE_SMTP_ADMIN_EMAIL: "board@example.org",
      GOTRUE_SMTP_SENDER_NAME: "The Board",
      GOTRUE_SMTP_HEADERS: '{"X-Tag":["auth"]}',
      GOTRUE_MAILER_SUBJECTS_CONFIRMATION: "Welcome aboard",
      GOTRUE_MAILER_TEMPLATES_CONFIRMATION: template,
    },
  });
  smtp.refuse(1);
  const email = freshEmail();
  const { error } = await server
    .client()
    .auth.signUp({ email, password: PASSWORD, options: { data: { name: "<Ada>" } } });
  expect(error).toBeNull();
  await smtp.arrived(1);
  const [mail] = smtp.mails;
  expect(mail).toMatchObject({ from: "board@example.org", to: [email] });
  expect(mail?.text).toContain("Subject: Welcome aboard");
  expect(mail?.text).toContain("From: The Board <board@example.org>");
  expect(mail?.text).toContain("X-Tag: auth");
  expect(mail?.text).toContain("Hello &lt;Ada&gt;, use ");
  const token = /use (\d{6}) at/.exec(mail?.text ?? "")?.[1] ?? "";
  expect((await server.client().auth.verifyOtp({ email, token, type: "signup" })).error).toBeNull();
  await server.close();
  await smtp.close();
  rmSync(folder, { recursive: true });
});

test("SRV-11 without a mail server the log notes each mail, and no log line contains a link, a code, a token or a password", async () => {
  const server = await startAuthServer({ env: { GOTRUE_EXTERNAL_PHONE_ENABLED: "true" } });
  const someone = await person(server);
  const { access_token: token, refresh_token: refreshToken } = await someone.session();
  await server.client().auth.resetPasswordForEmail(someone.email);
  const phone = freshPhone();
  await server.client().auth.signInWithOtp({ phone });
  const mail = await server.mailTo(someone.email);
  const text = await server.mailTo(`+${phone}`);
  const link = new URL(mail.link).searchParams.get("token") ?? "";
  await server
    .client()
    .auth.signInWithPassword({ email: someone.email, password: "a wrong guess" });
  await server.client().auth.refreshSession({ refresh_token: "nobody's refresh token" });
  const log = server.log.join("");
  expect(log).toContain("mail not sent");
  expect(log).toContain(someone.email);
  for (const secret of [
    token,
    refreshToken,
    link,
    mail.code,
    text.code,
    PASSWORD,
    "a wrong guess",
    "nobody's refresh token",
    server.serviceKey,
  ])
    expect(log).not.toContain(secret);
  await server.close();
});

test("AUTH-45 the development mailbox exists only with its setting, and only for this machine", async () => {
  const plain = await startAuthServer({ env: { INKPOOL_DEV_MAILBOX: "" } });
  const off = await plain.call("/dev/mailbox", { headers: { "x-test-address": "127.0.0.1" } });
  expect(off.status).toBe(404);
  await plain.close();
  const server = await startAuthServer();
  const far = await server.call("/dev/mailbox", { headers: { "x-test-address": "203.0.113.9" } });
  expect(far.status).toBe(404);
  const page = await server.call("/dev/mailbox", {
    headers: { "x-test-address": "127.0.0.1", origin: "https://evil.example" },
  });
  expect(page.headers.get("access-control-allow-origin")).toBeNull();
  const near = await server.call("/dev/mailbox", { headers: { "x-test-address": "127.0.0.1" } });
  expect(near.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(await near.text()).toContain("No mails yet.");
  await server.close();
});

test("text messages go to the webhook, signed in the Standard Webhooks form", async () => {
  const calls: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
  const arrived: (() => void)[] = [];
  const hook = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      calls.push({ headers: request.headers, body });
      response.end("{}");
      arrived.shift()?.();
    });
  });
  await new Promise<void>((resolve) => hook.listen(0, "127.0.0.1", resolve));
  const key = `v1,whsec_${Buffer.from("0123456789abcdef01234567").toString("base64")}`;
  const server = await startAuthServer({
    env: {
      GOTRUE_EXTERNAL_PHONE_ENABLED: "true",
      GOTRUE_HOOK_SEND_SMS_ENABLED: "true",
      GOTRUE_HOOK_SEND_SMS_URI: `http://127.0.0.1:${(hook.address() as AddressInfo).port}/sms`,
      GOTRUE_HOOK_SEND_SMS_SECRETS: key,
      GOTRUE_SMS_TEMPLATE: "Inkpool: {{ .Code }}",
    },
  });
  const phone = freshPhone();
  const called = new Promise<void>((resolve) => arrived.push(resolve));
  await server.client().auth.signInWithOtp({ phone, options: { channel: "whatsapp" } });
  await called;
  const [call] = calls;
  if (call === undefined) throw new Error("the webhook was not called");
  const sent = JSON.parse(call.body) as { sms: { otp: string; phone: string; message: string } };
  expect(sent.sms).toMatchObject({
    channel: "whatsapp",
    phone,
    message: `Inkpool: ${sent.sms.otp}`,
  });
  const content = `${String(call.headers["webhook-id"])}.${String(call.headers["webhook-timestamp"])}.${call.body}`;
  expect(call.headers["webhook-signature"]).toBe(`v1,${signWebhook(key, content)}`);
  const { error } = await server
    .client()
    .auth.verifyOtp({ phone, token: sent.sms.otp, type: "sms" });
  expect(error).toBeNull();
  await server.close();
  await new Promise((resolve) => hook.close(resolve));
});

const VALUES = {
  SiteURL: "",
  ConfirmationURL: "",
  Email: "ada+1@example.org",
  NewEmail: "",
  Token: "1",
  TokenHash: "",
  RedirectTo: "https://app.example/a%20b",
  Data: { a: { b: "<" }, half: "\ud800" },
};

test("a template may name values and nothing else", () => {
  expect(templateProblem("{{ .Token }} {{.ConfirmationURL}} {{ .Data.name }}")).toBeUndefined();
  expect(templateProblem("{{ if .Token }}x{{ end }}")).toContain("more than a name");
  expect(templateProblem("{{ .Password }}")).toContain("names nothing");
  expect(
    fillTemplate("{{ .Token }} {{ .Data.a.b }} {{ .Data.none.x }}|{{ .Data.constructor }}", VALUES),
  ).toBe("1 &lt; |");
});

test("AUTH-36 a value in the query of a template's link is one value, and one that begins the link is its address", () => {
  const query = "type=email&email={{ .Email }}&next={{ .RedirectTo }}&x={{ .Data.half }}";
  for (const quote of ['"', "'"]) {
    const link = `<a href=${quote}{{ .RedirectTo }}/{{ .Token }}?${query}${quote}>{{ .Email }}</a>`;
    const filled = fillTemplate(`<a href="?">y</a> ${link}`, VALUES);
    const address = filled.split(quote).at(-2)?.replaceAll("&amp;", "&") ?? "";
    expect(address.startsWith("https://app.example/a%20b/1?type=email&")).toBe(true);
    expect(Object.fromEntries(new URL(address).searchParams)).toEqual({
      type: "email",
      email: "ada+1@example.org",
      next: "https://app.example/a%20b",
      x: "\ufffd",
    });
    expect(filled.endsWith(">ada+1@example.org</a>")).toBe(true);
  }
});

test("without anything that could send a text message its routes are unexpected_failure, count nothing and create no account", async () => {
  const server = await startAuthServer({
    env: {
      INKPOOL_DEV_MAILBOX: "",
      GOTRUE_EXTERNAL_PHONE_ENABLED: "true",
      GOTRUE_MFA_PHONE_ENROLL_ENABLED: "true",
      GOTRUE_MFA_PHONE_VERIFY_ENABLED: "true",
      GOTRUE_SMS_TEST_OTP: "4915559999:424242",
    },
  });
  const { admin } = server.admin().auth;
  const someone = await person(server);
  const factor = await someone.client.auth.mfa.enroll({ factorType: "phone", phone: freshPhone() });
  const phone = freshPhone();
  await admin.createUser({ phone, password: PASSWORD, phone_confirm: true });
  const byPhone = server.client();
  await byPhone.auth.signInWithPassword({ phone, password: PASSWORD });
  const open = freshPhone();
  await admin.createUser({ phone: open });
  const { data } = await byPhone.auth.getSession();
  const owner = `Bearer ${data.session?.access_token ?? ""}`;
  const mine = `Bearer ${(await someone.session()).access_token}`;
  const calls: readonly (readonly [string, string, object, string])[] = [
    ["POST", "/otp", { phone: freshPhone() }, ""],
    ["POST", "/otp", { phone }, ""],
    ["POST", "/signup", { phone: freshPhone(), password: PASSWORD }, ""],
    ["POST", "/resend", { type: "sms", phone: open }, ""],
    ["PUT", "/user", { phone: freshPhone() }, mine],
    ["GET", "/reauthenticate", {}, owner],
    ["POST", `/factors/${factor.data?.id ?? ""}/challenge`, {}, mine],
  ];
  const before = await server.database.query("select id from auth_users");
  for (const [method, path, body, authorization] of calls) {
    const response = await server.call(path, {
      method,
      headers: { "content-type": "application/json", ...(authorization && { authorization }) },
      ...(method === "GET" ? {} : { body: JSON.stringify(body) }),
    });
    expect([path, response.status, await response.json()]).toEqual([
      path,
      500,
      { code: 500, error_code: "unexpected_failure", msg: "Unable to get SMS provider" },
    ]);
  }
  const after = await server.database.query("select id from auth_users");
  expect(after.rows).toEqual(before.rows);
  const counted = await server.database.query(
    "select key from auth_counters where key like 'text%'",
  );
  expect(counted.rows).toEqual([]);
  expect(server.log.join("")).toContain("GOTRUE_HOOK_SEND_SMS_ENABLED");
  const client = server.client();
  expect((await client.auth.signInWithOtp({ phone: "4915559999" })).error).toBeNull();
  const fixed = { phone: "4915559999", token: "424242", type: "sms" } as const;
  expect((await client.auth.verifyOtp(fixed)).error).toBeNull();
  await server.close();
});

test("text messages go through Twilio, by SMS and by WhatsApp, and its faults are logged without the number", async () => {
  const calls: { readonly request: string; readonly form: URLSearchParams }[] = [];
  const arrived: (() => void)[] = [];
  let status = 201;
  const twilio = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const { method, url, headers } = request;
      const line = `${method} ${url} ${headers.authorization} ${headers["content-type"]}`;
      calls.push({ request: line, form: new URLSearchParams(body) });
      response.writeHead(status).end('{"code": 21211, "message": "a bad number"}');
      arrived.shift()?.();
    });
  });
  await new Promise<void>((resolve) => twilio.listen(0, "127.0.0.1", resolve));
  const server = await startAuthServer({
    env: {
      INKPOOL_DEV_MAILBOX: "",
      GOTRUE_EXTERNAL_PHONE_ENABLED: "true",
      GOTRUE_SMS_PROVIDER: "twilio",
      GOTRUE_SMS_TWILIO_ACCOUNT_SID: "AC1",
      GOTRUE_SMS_TWILIO_AUTH_TOKEN: "secret token",
      GOTRUE_SMS_TWILIO_MESSAGE_SERVICE_SID: "+15550100",
      GOTRUE_SMS_TWILIO_CONTENT_SID: "HX1",
      INKPOOL_TWILIO_URL: `http://127.0.0.1:${(twilio.address() as AddressInfo).port}`,
    },
  });
  const phone = freshPhone();
  const ask = async (channel: "sms" | "whatsapp"): Promise<(typeof calls)[number]> => {
    const called = new Promise<void>((resolve) => arrived.push(resolve));
    server.advance(5);
    const { error } = await server.client().auth.signInWithOtp({ phone, options: { channel } });
    expect(error).toBeNull();
    await called;
    const call = calls.at(-1);
    if (call === undefined) throw new Error("Twilio was not called");
    return call;
  };
  const sms = await ask("sms");
  const basic = Buffer.from("AC1:secret token").toString("base64");
  expect(sms.request).toBe(
    `POST /2010-04-01/Accounts/AC1/Messages.json Basic ${basic} application/x-www-form-urlencoded;charset=UTF-8`,
  );
  const token = /^Your code is (\d{6})$/.exec(sms.form.get("Body") ?? "")?.[1] ?? "";
  expect(Object.fromEntries(sms.form)).toMatchObject({ To: `+${phone}`, From: "+15550100" });
  const { error } = await server.client().auth.verifyOtp({ phone, token, type: "sms" });
  expect(error).toBeNull();
  const whatsapp = Object.fromEntries((await ask("whatsapp")).form);
  expect(whatsapp).toMatchObject({ To: `whatsapp:+${phone}`, From: "whatsapp:+15550100" });
  expect(whatsapp).toMatchObject({ ContentSid: "HX1" });
  expect(whatsapp["ContentVariables"]).toMatch(/^\{"1":"\d{6}"\}$/);
  status = 400;
  await ask("sms");
  await server.close();
  await new Promise((resolve) => twilio.close(resolve));
  await expect.poll(() => server.log.join("")).toContain("status 400 with error 21211");
  expect(server.log.join("")).not.toMatch(/secret token|a bad number/);
  expect(server.log.join("")).not.toContain(phone);
});

test("WhatsApp needs the webhook or Twilio", async () => {
  const server = await startAuthServer({ env: { GOTRUE_EXTERNAL_PHONE_ENABLED: "true" } });
  for (const channel of ["whatsapp", "pigeon"] as const) {
    const options = { channel: channel as "whatsapp" };
    const { error } = await server.client().auth.signInWithOtp({ phone: freshPhone(), options });
    expect(error).toMatchObject({ code: "validation_failed", status: 400 });
    expect(error?.message).toContain("'whatsapp' is only supported if Twilio");
  }
  await server.close();
});
