/** Tests attacks on codes of text messages, and on the secrets of reset links by the header Referer. */

import { randomInt } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshPhone, person } from "../../../testing/auth/people.ts";
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
