/**
 * Tests that addresses with and without an account get the same response after the same statements. Statements are
 * counted and times in responses compared, and no time is measured.
 */

import { afterAll, beforeAll, expect, test } from "vitest";
import { PASSWORD, freshEmail, freshPhone, person } from "../../../testing/auth/people.ts";
import { startAuthServer, type AuthServer } from "../../../testing/auth/server.ts";
import { createLogger } from "../../process/log.ts";
import { createDeliveries } from "../mail/deliveries.ts";

let server: AuthServer;
let closed: AuthServer;
let ticking: AuthServer;

beforeAll(async () => {
  const env = { GOTRUE_EXTERNAL_PHONE_ENABLED: "true" };
  server = await startAuthServer({ env });
  closed = await startAuthServer({ env: { ...env, GOTRUE_DISABLE_SIGNUP: "true" } });
  ticking = await startAuthServer({
    env: { ...env, GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: "true" },
    ticking: true,
  });
});

afterAll(async () => {
  await server.close();
  await ticking.close();
  await closed.close();
});

/** Returns a response, and the statements that ran before it. */
async function work(
  at: AuthServer,
  path: string,
  body: object,
): Promise<{ readonly status: number; readonly text: string; readonly statements: string[] }> {
  const before = at.statements.length;
  const response = await at.call(path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" },
  });
  const text = await response.text();
  // The kind of mail decides which column stores the time of sending.
  const statements = at.statements
    .slice(before)
    .map((sql) => sql.replace(/(?:confirmation|recovery)_sent_at/, "..._sent_at"));
  return { status: response.status, text, statements };
}

const PKCE = { code_challenge: "c".repeat(43), code_challenge_method: "s256" };

test("AUTH-13 a recovery takes the same statements for an address with and without an account", async () => {
  const known = await person(server);
  for (const more of [{}, PKCE]) {
    const mine = await work(server, "/recover", { email: known.email, ...more });
    const other = await work(server, "/recover", { email: freshEmail(), ...more });
    expect(mine.status).toBe(200);
    expect(other).toEqual(mine);
  }
  expect((await server.mails()).map((mail) => mail.to)).toEqual([known.email, known.email]);
});

test("AUTH-13 a link or code takes the same statements for an address or number with and without an account", async () => {
  const known = await person(server);
  const phone = freshPhone();
  await server.admin().auth.admin.createUser({ phone, phone_confirm: true });
  const unconfirmed = freshEmail();
  await server.admin().auth.admin.createUser({ email: unconfirmed });
  for (const more of [{}, PKCE, { data: { name: "Ada" } }]) {
    const mine = await work(server, "/otp", { email: known.email, ...more });
    expect(mine.status).toBe(200);
    for (const email of [freshEmail(), unconfirmed])
      expect(await work(server, "/otp", { email, ...more })).toEqual(mine);
  }
  const byPhone = await work(server, "/otp", { phone });
  expect(byPhone).toMatchObject({ status: 200, text: "{}" });
  expect(await work(server, "/otp", { phone: freshPhone() })).toEqual(byPhone);
});

test("AUTH-13 so does a link or code where sign-ups are off, and it creates no account", async () => {
  const known = await person(closed);
  const phone = freshPhone();
  await closed.admin().auth.admin.createUser({ phone, phone_confirm: true });
  const before = await closed.database.query("select id from auth_users");
  for (const more of [{}, PKCE]) {
    const mine = await work(closed, "/otp", { email: known.email, ...more });
    expect(mine.status).toBe(200);
    expect(await work(closed, "/otp", { email: freshEmail(), ...more })).toEqual(mine);
  }
  const byPhone = await work(closed, "/otp", { phone });
  expect(await work(closed, "/otp", { phone: freshPhone() })).toEqual(byPhone);
  const after = await closed.database.query("select id from auth_users");
  expect(after.rows).toEqual(before.rows);
  const tokens = await closed.database.query("select distinct user_id from auth_one_time_tokens");
  expect(tokens.rows).toHaveLength(2);
});

test("data that is too large is refused whether the address has an account or not", async () => {
  const known = await person(server);
  const data = { text: "x".repeat(10_000) };
  const mine = await work(server, "/otp", { email: known.email, data });
  expect(mine.status).toBe(400);
  expect(await work(server, "/otp", { email: freshEmail(), data })).toEqual(mine);
});

test("AUTH-2 all times in the response to a sign-up are the same, whether the address or number has an account or not", async () => {
  const known = await person(ticking);
  const phone = freshPhone();
  await ticking.admin().auth.admin.createUser({ phone, phone_confirm: true });
  for (const contact of [
    { email: known.email },
    { email: freshEmail() },
    { phone },
    { phone: freshPhone() },
  ]) {
    const { data } = await ticking.client().auth.signUp({ ...contact, password: PASSWORD });
    const times = JSON.stringify(data.user).match(/"[^"]+_at":"[^"]+"/g) ?? [];
    expect(times.length).toBeGreaterThan(5);
    expect(new Set(times.map((time) => time.replace(/"[^"]+_at":/, ""))).size).toBe(1);
  }
});

test("AUTH-19 the times after a change are those of its response, whether the address or number has an account or not", async () => {
  const known = await person(ticking);
  const phone = freshPhone();
  await ticking.admin().auth.admin.createUser({ phone, phone_confirm: true });
  for (const change of [
    { email: known.email },
    { email: freshEmail() },
    { phone },
    { phone: freshPhone() },
  ]) {
    const { auth } = ticking.client();
    await auth.signInAnonymously();
    const { user } = (await auth.updateUser(change)).data;
    expect(
      user?.email_change_sent_at ?? Reflect.get(user ?? {}, "phone_change_sent_at"),
    ).toBeTruthy();
    expect((await auth.getUser()).data.user).toEqual(user);
  }
});

test("a delivery starts after the response was handed over, and a fault in it is logged", async () => {
  const lines: string[] = [];
  const log = createLogger("info", (line) => lines.push(line), Date.now);
  const deliveries = createDeliveries(log, () => new Promise(() => {}));
  let started = 0;
  deliveries.start(async () => void started++);
  deliveries.start(async () => {
    started++;
    throw new Error("broken");
  });
  // A response is written in the same pass of the event loop, after a few promises at most.
  for (let tick = 0; tick < 100; tick++) await Promise.resolve();
  expect(started).toBe(0);
  await deliveries.settle(1_000);
  expect(started).toBe(2);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("a delivery failed");
});
