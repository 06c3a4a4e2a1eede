import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PASSWORD, follow, freshEmail, person, type Person } from "../../testing/auth/people.ts";
import { startAuthServer, type AuthServer } from "../../testing/auth/server.ts";
import { openTestPostgres } from "../../testing/servers/postgres.ts";
import type { Queryable } from "../storage/port.ts";
import { removeExpired } from "./context/counters.ts";
import { parseAuthSettings } from "./settings/settings.ts";
import { guessAtOnce, guessFactorAtOnce, signInOften } from "../../testing/auth/guesses.ts";

const opened = await openTestPostgres();

/** Runs a test of several processes on one database; it is skipped where PostgreSQL is not installed. */
const onPostgres = test.skipIf(!opened.ok);

let one: AuthServer;
let other: AuthServer;

beforeAll(async () => {
  if (!opened.ok) return;
  const env = {
    DATABASE_URL: await opened.postgres.createDatabase(),
    GOTRUE_MAILER_AUTOCONFIRM: "false",
  };
  [one, other] = await Promise.all([startAuthServer({ env }), startAuthServer({ env })]);
});

afterAll(async () => {
  await one?.close();
  await other?.close();
  if (opened.ok) await opened.postgres.stop();
});

function call(server: AuthServer, path: string, body: object): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return server.call(path, { method: "POST", body: JSON.stringify(body), headers });
}

async function post(
  server: AuthServer,
  path: string,
  body: object,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await call(server, path, body);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

onPostgres(
  "AUTH-48 processes that share PostgreSQL are one: sessions, codes, links and second factors of one work in the other",
  async () => {
    const email = freshEmail();
    await one.client().auth.signUp({ email, password: PASSWORD });
    const { code } = await one.mailTo(email);
    const client = other.client();
    expect((await client.auth.verifyOtp({ email, token: code, type: "signup" })).error).toBeNull();
    const factor = await client.auth.mfa.enroll({ factorType: "totp", friendlyName: "phone" });
    const totp = new TOTP({ secret: Secret.fromBase32(factor.data?.totp.secret ?? "") });
    const here = one.client();
    const { data } = await client.auth.getSession();
    if (data.session === null || factor.data === null) throw new Error("nobody is signed in");
    await here.auth.setSession(data.session);
    const raised = await here.auth.mfa.challengeAndVerify({
      factorId: factor.data.id,
      code: totp.generate(),
    });
    expect(raised.error).toBeNull();
    await one.client().auth.resetPasswordForEmail(email);
    expect(
      (await follow((await one.mailTo(email)).link.replace(one.url, other.url))).values.get(
        "access_token",
      ),
    ).toBeTruthy();
    await one.admin().auth.admin.deleteUser(data.session.user.id);
    expect((await here.auth.getUser()).error).not.toBeNull();
  },
);

onPostgres(
  "of 50 refreshes on two processes one wins, and of 50 sign-ups there is one user",
  async () => {
    const someone = await person(one);
    const { refresh_token: refreshToken } = await someone.session();
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        post(index % 2 === 0 ? one : other, "/token?grant_type=refresh_token", {
          refresh_token: refreshToken,
        }),
      ),
    );
    expect(new Set(responses.map((response) => response.status))).toEqual(new Set([200]));
    expect(new Set(responses.map((response) => response.body["refresh_token"])).size).toBe(1);
    const email = freshEmail();
    const signUps = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        post(index % 2 === 0 ? one : other, "/signup", { email, password: PASSWORD }),
      ),
    );
    expect(signUps.filter((response) => response.status >= 500)).toEqual([]);
    const { rows } = await one.database.query(
      "select count(*) as users from auth_users where email = $1",
      [email],
    );
    expect(Number(rows[0]?.["users"])).toBe(1);
  },
);

onPostgres("of 20 requests for a code to an unknown address one creates the account", async () => {
  const email = freshEmail();
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      post(index % 2 === 0 ? one : other, "/otp", { email }),
    ),
  );
  expect(responses.filter((response) => response.status >= 500)).toEqual([]);
  const { rows } = await one.database.query(
    "select count(*) as users, count(distinct i.id) as identities from auth_users u join auth_identities i on i.user_id = u.id where u.email = $1",
    [email],
  );
  expect(rows.map((row) => [Number(row["users"]), Number(row["identities"])])).toEqual([[1, 1]]);
  const nobody = await post(one, "/recover", { email: freshEmail() });
  expect(nobody).toEqual({ status: 200, body: {} });
});

onPostgres(
  "AUTH-38 of guesses at once on two processes those up to 100 are compared, and a right one is given back",
  async () => {
    await guessAtOnce([one, other]);
    await guessFactorAtOnce([one, other]);
    await signInOften([one, other]);
  },
  180_000,
);

/** Requests about one account; the last one ends the account. */
const REQUESTS: Readonly<Record<string, (someone: Person, link: string) => Promise<Response>>> = {
  otp: ({ email }) => call(other, "/otp", { email }),
  recover: ({ email }) => call(other, "/recover", { email }),
  password: ({ email }) => call(other, "/token?grant_type=password", { email, password: PASSWORD }),
  link: (_someone, link) => fetch(link.replace(one.url, other.url), { redirect: "manual" }),
  delete: ({ id }) =>
    other.call(`/admin/users/${id}`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${other.serviceKey}` },
    }),
};

/** Changes a user in a transaction that ends when the request waits for its lock, and returns the status of that request. */
async function statusBeside(
  name: string,
  change: (tx: Queryable, userId: string) => Promise<unknown>,
): Promise<number> {
  const someone = await person(one);
  await one.client().auth.resetPasswordForEmail(someone.email);
  const { link } = await one.mailTo(someone.email);
  const response = await one.database.transaction(async (tx) => {
    await tx.query("update auth_users set updated_at = updated_at where id = $1", [someone.id]);
    const waiting = REQUESTS[name]?.(someone, link);
    const blocked =
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    while ((await other.database.query(blocked)).rowCount === 0);
    await change(tx, someone.id);
    return { waiting };
  });
  return (await response.waiting)?.status ?? 0;
}

onPostgres(
  "AUTH-48 a request locks its user before other rows of the user, so that two requests never wait for each other",
  async () => {
    const statuses = new Map<string, number>();
    for (const name of Object.keys(REQUESTS))
      statuses.set(
        name,
        await statusBeside(name, async (tx, id) => {
          await tx.query("select 1 from auth_users where id = $1 for update nowait", [id]);
          for (const table of ["auth_one_time_tokens", "auth_sessions"])
            await tx.query(`select 1 from ${table} where user_id = $1 for update nowait`, [id]);
        }),
      );
    expect(Object.fromEntries(statuses)).toEqual({
      otp: 200,
      recover: 200,
      password: 200,
      link: 303,
      delete: 200,
    });
  },
);

onPostgres(
  "AUTH-48 a request beside the deletion of its user begins anew, or is refused below 500",
  async () => {
    const statuses = new Map<string, number>();
    for (const name of Object.keys(REQUESTS))
      statuses.set(
        name,
        await statusBeside(name, (tx, id) =>
          tx.query("delete from auth_users where id = $1", [id]),
        ),
      );
    expect(Object.fromEntries(statuses)).toEqual({
      otp: 200,
      recover: 409,
      password: 400,
      link: 303,
      delete: 200,
    });
  },
);

onPostgres("no role of the table API reads the auth tables", async () => {
  const { rows } = await one.database.query(
    "select c.relname from pg_class c where c.relname like 'auth_%' and c.relkind = 'r' and (not c.relrowsecurity or has_table_privilege('anon', c.oid, 'select') or has_table_privilege('authenticated', c.oid, 'select'))",
  );
  expect(rows).toEqual([]);
});

onPostgres("AUTH-8 a refresh token that was used over 30 days ago is removed", async () => {
  const someone = await person(one);
  await someone.client.auth.refreshSession();
  await someone.client.auth.refreshSession();
  one.advance(31 * 86_400_000);
  const parsed = parseAuthSettings({});
  if (!parsed.ok) throw new Error(parsed.problems.join());
  await removeExpired({ settings: parsed.settings, database: one.database, clock: one.now });
  const { rows } = await one.database.query(
    `select count(*) as left from auth_refresh_tokens t join auth_sessions s on s.id = t.session_id
     where s.user_id = $1`,
    [someone.id],
  );
  expect(Number(rows[0]?.["left"])).toBe(2);
});
