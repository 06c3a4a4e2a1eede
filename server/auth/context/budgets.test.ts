/**
 * Tests how many mails and text messages strangers and accounts may cause. Each client has an address of its own
 * unless a test says otherwise.
 */

import { afterEach, expect, test } from "vitest";
import { PASSWORD, freshEmail, freshPhone, person } from "../../../testing/auth/people.ts";
import {
  freshAddress,
  startAuthServer,
  type AuthServer,
  type Env,
} from "../../../testing/auth/server.ts";

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

/** Starts a server with the product's own limits, but with one message of a kind to one address at any time. */
async function start(env: Env = {}): Promise<AuthServer> {
  const server = await startAuthServer({
    env: {
      GOTRUE_RATE_LIMIT_EMAIL_SENT: "",
      GOTRUE_RATE_LIMIT_SMS_SENT: "",
      GOTRUE_EXTERNAL_PHONE_ENABLED: "true",
      ...env,
    },
  });
  stops.push(server.close);
  return server;
}

interface Asked {
  readonly status: number;
  readonly body: unknown;
  /** The statements that ran before the response; a mail's kind decides which column stores the time of sending. */
  readonly statements: readonly string[];
}

async function ask(
  server: AuthServer,
  path: string,
  body: object,
  ip = freshAddress(),
): Promise<Asked> {
  // No two requests arrive within the millisecond in which one address gets one mail.
  server.advance(5);
  const before = server.statements.length;
  const response = await server.call(path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", "x-test-address": ip },
  });
  const answer: unknown = await response.json();
  const statements = server.statements
    .slice(before)
    .map((sql) => sql.replace(/(?:confirmation|recovery)_sent_at/, "..._sent_at"));
  return { status: response.status, body: answer, statements };
}

const OVER = {
  status: 429,
  body: {
    code: 429,
    error_code: "over_email_send_rate_limit",
    msg: "email rate limit exceeded",
  },
};
const TAKEN = { status: 200, body: {} };

/** Asks for as many messages as there are bodies, at once. */
async function askAll(
  server: AuthServer,
  path: string,
  bodies: readonly object[],
  ip?: string,
): Promise<void> {
  for (const answer of await Promise.all(bodies.map((body) => ask(server, path, body, ip))))
    expect(answer).toMatchObject(TAKEN);
}

const inventedEmails = (times: number): readonly object[] =>
  Array.from({ length: times }, () => ({ email: freshEmail("invented") }));
const inventedPhones = (times: number): readonly object[] =>
  Array.from({ length: times }, () => ({ phone: freshPhone() }));

/** Asks for codes for so many invented addresses. */
const invented = (server: AuthServer, times: number, ip?: string): Promise<void> =>
  askAll(server, "/otp", inventedEmails(times), ip);

const received = async (server: AuthServer, to: string): Promise<number> =>
  (await server.mails()).filter((mail) => mail.to === to).length;

test("AUTH-42 codes for 30 invented addresses from one client are 10 mails, and leave an account its own, from that client too", async () => {
  const server = await start();
  const known = await person(server);
  const ip = freshAddress();
  await invented(server, 30, ip);
  expect(await server.mails()).toHaveLength(10);
  expect(await ask(server, "/recover", { email: known.email }, ip)).toMatchObject(TAKEN);
  expect(await ask(server, "/otp", { email: known.email })).toMatchObject(TAKEN);
  expect(await received(server, known.email)).toBe(2);
  await invented(server, 1);
  expect(await server.mails()).toHaveLength(13);
});

test("AUTH-42 from many clients invented addresses get 15 mails an hour; beyond them the response and its statements are the same for every address", async () => {
  const server = await start();
  const known = await person(server);
  await invented(server, 20);
  expect(await server.mails()).toHaveLength(15);
  const unconfirmed = freshEmail();
  await server.admin().auth.admin.createUser({ email: unconfirmed });
  for (const path of ["/otp", "/recover"]) {
    const mine = await ask(server, path, { email: known.email });
    expect(mine).toMatchObject(TAKEN);
    for (const email of [freshEmail(), unconfirmed])
      expect(await ask(server, path, { email })).toEqual(mine);
  }
  expect(await received(server, known.email)).toBe(2);
  expect(await received(server, unconfirmed)).toBe(0);
  expect(await ask(server, "/signup", { email: freshEmail(), password: PASSWORD })).toMatchObject(
    OVER,
  );
  server.advance(3_600_000);
  expect(await ask(server, "/otp", { email: unconfirmed })).toMatchObject(TAKEN);
  expect(await received(server, unconfirmed)).toBe(1);
});

test("AUTH-42 a mail that is not sent leaves an open link of its address as it is", async () => {
  const server = await start();
  const email = freshEmail();
  await ask(server, "/signup", { email, password: PASSWORD });
  const { code } = await server.mailTo(email);
  await invented(server, 14);
  expect(await ask(server, "/otp", { email })).toMatchObject(TAKEN);
  expect(await received(server, email)).toBe(1);
  const { error } = await server.client().auth.verifyOtp({ email, token: code, type: "signup" });
  expect(error).toBeNull();
});

test("AUTH-42 recoveries of invented addresses send nothing and take nothing from the others", async () => {
  const server = await start();
  const ip = freshAddress();
  await askAll(server, "/recover", inventedEmails(30), ip);
  const signUp = await ask(server, "/signup", { email: freshEmail(), password: PASSWORD }, ip);
  expect(signUp.status).toBe(200);
  expect(await server.mails()).toHaveLength(1);
});

test("AUTH-42 the installation sends 30 mails an hour, 10 for one client; then every address is over_email_send_rate_limit", async () => {
  const server = await start();
  const people = [await person(server), await person(server), await person(server)];
  const ip = freshAddress();
  for (let n = 0; n < 30; n++) {
    const email = people[n % 3]?.email ?? "";
    if (n === 10)
      for (const any of [email, freshEmail()])
        expect(await ask(server, "/otp", { email: any }, ip)).toMatchObject(OVER);
    expect(await ask(server, "/otp", { email }, n < 10 ? ip : undefined)).toMatchObject(TAKEN);
  }
  expect(await server.mails()).toHaveLength(30);
  const another = await person(server);
  for (const email of [another.email, freshEmail()])
    for (const path of ["/otp", "/recover"])
      expect(await ask(server, path, { email })).toMatchObject(OVER);
  expect(await server.mails()).toHaveLength(30);
});

test("AUTH-42 one address gets 10 mails an hour, whether it has an account or not; a client with a session of the account may go on", async () => {
  const server = await start();
  const home = freshAddress();
  const known = await person(server, { ip: home });
  for (const email of [known.email, freshEmail()]) {
    for (let n = 0; n < 10; n++)
      expect(await ask(server, "/recover", { email })).toMatchObject(TAKEN);
    expect(await ask(server, "/recover", { email })).toMatchObject(OVER);
  }
  expect(await ask(server, "/recover", { email: known.email }, home)).toMatchObject(TAKEN);
  expect(await received(server, known.email)).toBe(11);
});

test("AUTH-42 a request over a budget does not make the recipient wait 60 s", async () => {
  const server = await start({ GOTRUE_SMTP_MAX_FREQUENCY: "60s" });
  const known = await person(server);
  const ip = freshAddress();
  for (let n = 0; n < 10; n++) {
    const email = freshEmail("other");
    await server.admin().auth.admin.createUser({ email, email_confirm: true });
    expect(await ask(server, "/otp", { email }, ip)).toMatchObject(TAKEN);
  }
  expect(await ask(server, "/otp", { email: known.email }, ip)).toMatchObject(OVER);
  expect(await ask(server, "/otp", { email: known.email })).toMatchObject(TAKEN);
  expect(await received(server, known.email)).toBe(1);
});

test("AUTH-42 text messages have the same budgets", async () => {
  const server = await start();
  const phone = freshPhone();
  await server.admin().auth.admin.createUser({ phone, phone_confirm: true });
  const ip = freshAddress();
  await askAll(server, "/otp", inventedPhones(12), ip);
  expect(await server.mails()).toHaveLength(10);
  await askAll(server, "/otp", inventedPhones(12));
  expect(await server.mails()).toHaveLength(15);
  const mine = await ask(server, "/otp", { phone });
  expect(mine).toMatchObject(TAKEN);
  expect(await ask(server, "/otp", { phone: freshPhone() })).toEqual(mine);
  expect(await received(server, `+${phone}`)).toBe(1);
  const refused = await ask(server, "/signup", { phone: freshPhone(), password: PASSWORD });
  expect(refused.body).toMatchObject({ error_code: "over_sms_send_rate_limit" });
});

test("AUTH-42 an account without a confirmed contact changes its address out of the strangers' share, a confirmed one does not", async () => {
  const server = await start({ GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: "true" });
  const known = await person(server);
  const visitor = server.client();
  await visitor.auth.signInAnonymously();
  await invented(server, 15);
  const refused = await visitor.auth.updateUser({ email: freshEmail() });
  expect(refused.error?.code).toBe("over_email_send_rate_limit");
  expect((await known.client.auth.updateUser({ email: freshEmail() })).error).toBeNull();
});

test("AUTH-42 the shares are settings: without them any request takes from one budget", async () => {
  const server = await start({
    INKPOOL_MESSAGES_PER_CLIENT: "100",
    INKPOOL_MESSAGES_PER_RECIPIENT: "100",
    INKPOOL_MESSAGES_RESERVE: "0",
  });
  const known = await person(server);
  await invented(server, 30, freshAddress());
  expect(await server.mails()).toHaveLength(30);
  expect(await ask(server, "/otp", { email: known.email })).toMatchObject(OVER);
});
