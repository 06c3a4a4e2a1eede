import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PASSWORD, follow, freshEmail, person } from "../../testing/auth/people.ts";
import { startAuthServer } from "../../testing/auth/server.ts";
import type { AuthServer } from "../../testing/auth/server.ts";
import { openTestPostgres } from "../../testing/postgres.ts";

const opened = await openTestPostgres();

describe.skipIf(!opened.ok)("several processes on PostgreSQL", () => {
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

  test("AUTH-48 processes that share PostgreSQL are one: sessions, codes, links and second factors of one work in the other", async () => {
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
  });

  test("of 50 refreshes on two processes one wins, and of 50 sign-ups there is one user", async () => {
    const someone = await person(one);
    const { refresh_token: refreshToken } = await someone.session();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        post(index % 2 === 0 ? one : other, "/token?grant_type=refresh_token", {
          refresh_token: refreshToken,
        }),
      ),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(new Set(answers.map((answer) => answer.body["refresh_token"])).size).toBe(1);
    const email = freshEmail();
    const signUps = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        post(index % 2 === 0 ? one : other, "/signup", { email, password: PASSWORD }),
      ),
    );
    expect(signUps.filter((answer) => answer.status >= 500)).toEqual([]);
    const { rows } = await one.database.query(
      "select count(*) as users from auth_users where email = $1",
      [email],
    );
    expect(Number(rows[0]?.["users"])).toBe(1);
  });

  test("no role of the table API reads the auth tables", async () => {
    const { rows } = await one.database.query(
      "select c.relname from pg_class c where c.relname like 'auth_%' and c.relkind = 'r' and (not c.relrowsecurity or has_table_privilege('anon', c.oid, 'select') or has_table_privilege('authenticated', c.oid, 'select'))",
    );
    expect(rows).toEqual([]);
  });
});
