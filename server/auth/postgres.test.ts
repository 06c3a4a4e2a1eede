import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PASSWORD, follow, freshEmail, person } from "../../testing/auth/people.ts";
import { startAuthServer, type AuthServer } from "../../testing/auth/server.ts";
import { openTestPostgres } from "../../testing/servers/postgres.ts";
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

async function post(
  server: AuthServer,
  path: string,
  body: object,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const headers = { "content-type": "application/json" };
  const response = await server.call(path, {
    method: "POST",
    body: JSON.stringify(body),
    headers,
  });
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
  "AUTH-38 of guesses at once on two processes 100 are compared, and a right one is given back",
  async () => {
    await guessAtOnce([one, other]);
    await guessFactorAtOnce([one, other]);
    await signInOften([one, other]);
  },
  180_000,
);

onPostgres("no role of the table API reads the auth tables", async () => {
  const { rows } = await one.database.query(
    "select c.relname from pg_class c where c.relname like 'auth_%' and c.relkind = 'r' and (not c.relrowsecurity or has_table_privilege('anon', c.oid, 'select') or has_table_privilege('authenticated', c.oid, 'select'))",
  );
  expect(rows).toEqual([]);
});
