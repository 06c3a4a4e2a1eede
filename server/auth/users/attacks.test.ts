/**
 * Tests attacks on codes of text messages, on the secrets of reset links by the header Referer, and by sign-ups with
 * a victim's address or number.
 */

import { randomInt } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { follow, freshEmail, freshPhone, person } from "../../../testing/auth/people.ts";
import { freshAddress, startAuthServer, type AuthServer } from "../../../testing/auth/server.ts";

let server: AuthServer;

beforeAll(async () => {
  server = await startAuthServer({ env: { GOTRUE_EXTERNAL_PHONE_ENABLED: "true" } });
});

afterAll(() => server.close());

async function guess(phone: string, token: string, ip = freshAddress()): Promise<string> {
  const response = await server.call("/verify", {
    method: "POST",
    body: JSON.stringify({ type: "sms", phone, token }),
    headers: { "content-type": "application/json", "x-test-address": ip },
  });
  const body = (await response.json()) as Record<string, unknown>;
  return response.ok ? "in" : String(body["error_code"]);
}

const wrong = (code: string): string => {
  const other = String(randomInt(1_000_000)).padStart(6, "0");
  return other === code ? wrong(code) : other;
};

/** Returns the number of guesses that were compared with the stored code: each counts at the code. */
async function compared(phone: string): Promise<number> {
  const { rows } = await server.database.query(
    "select guesses from auth_one_time_tokens where sent_to = $1",
    [phone],
  );
  return Number(rows[0]?.["guesses"] ?? 0);
}

test("AUTH-15 of 200 codes of a text message that are tried at once, from as many addresses, 5 are compared, and the right one is void", async () => {
  const phone = freshPhone();
  await server.admin().auth.admin.createUser({ phone, phone_confirm: true });
  await server.client().auth.signInWithOtp({ phone });
  const { code } = await server.mailTo(`+${phone}`);
  const outcomes = await Promise.all(Array.from({ length: 200 }, () => guess(phone, wrong(code))));
  expect(outcomes.filter((outcome) => outcome === "otp_expired")).toHaveLength(100);
  expect(outcomes.filter((outcome) => outcome === "over_request_rate_limit")).toHaveLength(100);
  expect(await compared(phone)).toBe(5);
  expect(await guess(phone, code)).not.toBe("in");
  // New codes give the attacker no more: 100 guesses in an hour for the number, whatever was sent.
  for (let round = 0; round < 3; round++) {
    await server.client().auth.signInWithOtp({ phone });
    expect(await guess(phone, wrong(code))).toBe("over_request_rate_limit");
  }
  expect(await compared(phone)).toBe(0);
  server.advance(3_600_001);
  await server.client().auth.signInWithOtp({ phone });
  expect(await guess(phone, (await server.mailTo(`+${phone}`)).code)).toBe("in");
});

test("AUTH-15 a code of one number, of one use or of another purpose opens nothing else", async () => {
  const [mine, other] = [freshPhone(), freshPhone()];
  for (const phone of [mine, other]) {
    await server.admin().auth.admin.createUser({ phone, phone_confirm: true });
    await server.client().auth.signInWithOtp({ phone });
  }
  const { code } = await server.mailTo(`+${mine}`);
  expect(await guess(other, code)).toBe("otp_expired");
  for (const shape of [`${code} `, ` ${code}`, `+${code}`, code.slice(1), `${code}0`])
    expect([shape, await guess(mine, shape)]).toEqual([shape, "otp_expired"]);
  await server.client().auth.signInWithOtp({ phone: mine });
  const fresh = (await server.mailTo(`+${mine}`)).code;
  expect(await guess(mine, fresh)).toBe("in");
  expect(await guess(mine, fresh)).toBe("otp_expired");
});

test("AUTH-36 no page of this server can hand a reset link on by Referer: it redirects, and its session is in the fragment", async () => {
  const someone = await person(server);
  await someone.client.auth.resetPasswordForEmail(someone.email);
  const { link } = await server.mailTo(someone.email);
  const token = new URL(link).searchParams.get("token") ?? "none";
  for (const expected of ["access_token=", "error_code=otp_expired"]) {
    const response = await fetch(link, { redirect: "manual" });
    expect(response.status).toBe(303);
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.text()).toBe("");
    const location = new URL(response.headers.get("location") ?? "");
    expect(location.hash).toContain(expected);
    // The Referer that a browser sends with the next page's requests is the address without its fragment.
    location.hash = "";
    expect(location.href).toBe("http://localhost:3000/");
    expect(location.href).not.toContain(token);
  }
  // A link of PKCE ends in a code in the query, which is useless without the browser's verifier.
  const browser = server.client({ flowType: "pkce" });
  await browser.auth.resetPasswordForEmail(someone.email);
  const ends = await fetch((await server.mailTo(someone.email)).link, { redirect: "manual" });
  const code = new URL(ends.headers.get("location") ?? "").searchParams.get("code") ?? "";
  expect(code).not.toBe("");
  const thief = await server.client({ flowType: "pkce" }).auth.exchangeCodeForSession(code);
  expect(thief.error).not.toBeNull();
  const guessed = await server.call("/token?grant_type=pkce", {
    method: "POST",
    body: JSON.stringify({ auth_code: code, code_verifier: "v".repeat(43) }),
    headers: { "content-type": "application/json" },
  });
  expect(await guessed.json()).toMatchObject({ error_code: "bad_code_verifier" });
  expect((await browser.auth.exchangeCodeForSession(code)).error).toBeNull();
  // The development mailbox shows links: nothing that it loads or links to learns its address.
  const mailbox = await server.call("/dev/mailbox");
  expect(mailbox.headers.get("referrer-policy")).toBe("no-referrer");
});

const STRANGERS = "password of a stranger";

type Client = ReturnType<AuthServer["client"]>;

const ASKS: Readonly<Record<string, (client: Client, email: string) => Promise<unknown>>> = {
  "a magic link": ({ auth }, email) => auth.signInWithOtp({ email }),
  "a magic link that is sent again": async ({ auth }, email) => {
    await auth.signInWithOtp({ email });
    await auth.resend({ type: "signup", email });
  },
  "a recovery": ({ auth }, email) => auth.resetPasswordForEmail(email),
  "a link of the service key": async (_client, email) => {
    const { data } = await server.admin().auth.admin.generateLink({ type: "magiclink", email });
    return data.properties?.action_link;
  },
  "an invitation": (_client, email) => server.admin().auth.admin.inviteUserByEmail(email),
};

test.each(Object.entries(ASKS))(
  "AUTH-27 %s gives the owner of an address the account without the password and data of a stranger's sign-up",
  async (_name, ask) => {
    const email = freshEmail("victim");
    const options = { data: { name: "Mallory" } };
    await server.client().auth.signUp({ email, password: STRANGERS, options });
    const asked = await ask(server.client(), email);
    const { values } = await follow(
      typeof asked === "string" ? asked : (await server.mailTo(email)).link,
    );
    const owner = await server.client().auth.getUser(values.get("access_token") ?? "");
    expect(owner.data.user).toMatchObject({
      email,
      user_metadata: { email_verified: true },
      app_metadata: { provider: "email", providers: ["email"] },
    });
    expect(owner.data.user?.user_metadata).not.toHaveProperty("name");
    const stranger = await server.client().auth.signInWithPassword({ email, password: STRANGERS });
    expect(stranger.error?.code).toBe("invalid_credentials");
  },
);

test("AUTH-27 so does a magic link with PKCE, whose code is exchanged", async () => {
  const email = freshEmail("victim");
  await server.client().auth.signUp({ email, password: STRANGERS });
  const { auth } = server.client({ flowType: "pkce" });
  await auth.signInWithOtp({ email });
  const { url } = await follow((await server.mailTo(email)).link);
  const owner = await auth.exchangeCodeForSession(url.searchParams.get("code") ?? "");
  expect(owner.data.user?.email).toBe(email);
  const stranger = await server.client().auth.signInWithPassword({ email, password: STRANGERS });
  expect(stranger.error?.code).toBe("invalid_credentials");
});

test.each(["once", "again"])(
  "AUTH-27 a code by text message that is sent %s ends the password of a stranger's sign-up",
  async (times) => {
    const phone = freshPhone();
    const { auth } = server.client();
    await server.client().auth.signUp({ phone, password: STRANGERS });
    await auth.signInWithOtp({ phone });
    if (times === "again") await auth.resend({ type: "sms", phone });
    const { code } = await server.mailTo(`+${phone}`);
    const owner = await auth.verifyOtp({ phone, token: code, type: "sms" });
    expect(owner.data.user?.phone).toBe(phone);
    const stranger = await server.client().auth.signInWithPassword({ phone, password: STRANGERS });
    expect(stranger.error?.code).toBe("invalid_credentials");
  },
);

test("AUTH-27 a sign-up's own mail keeps its password, and what nobody else can have set stays", async () => {
  const { admin } = server.admin().auth;
  const email = freshEmail();
  await server.client().auth.signUp({ email, password: "the owner's" });
  const { link } = await server.mailTo(email);
  await server.client().auth.signInWithOtp({ email });
  await follow(link);
  const own = await server.client().auth.signInWithPassword({ email, password: "the owner's" });
  expect(own.error).toBeNull();

  const newcomer = freshEmail();
  const options = { data: { name: "Ada" } };
  for (let round = 0; round < 2; round++)
    await server.client().auth.signInWithOtp({ email: newcomer, options });
  const { values } = await follow((await server.mailTo(newcomer)).link);
  const { data } = await server.client().auth.getUser(values.get("access_token") ?? "");
  expect(data.user?.user_metadata).toMatchObject({ name: "Ada", email: newcomer });

  const [known, phone] = [freshEmail(), freshPhone()];
  const contacts = { email: known, email_confirm: true, phone };
  await admin.createUser({ ...contacts, password: "the owner's", app_metadata: { plan: "ink" } });
  const { auth } = server.client();
  await auth.signInWithOtp({ phone });
  const { code } = await server.mailTo(`+${phone}`);
  const byCode = await auth.verifyOtp({ phone, token: code, type: "sms" });
  expect(byCode.data.user).toMatchObject({ email: known, phone, app_metadata: { plan: "ink" } });
  const still = await auth.signInWithPassword({ email: known, password: "the owner's" });
  expect(still.error).toBeNull();
});
