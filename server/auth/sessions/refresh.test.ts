import { afterAll, beforeAll, expect, test } from "vitest";
import { PASSWORD, claimsOf, follow, person, sessionOf } from "../../../testing/auth/people.ts";
import { freshAddress, startAuthServer, type AuthServer } from "../../../testing/auth/server.ts";
import { removeExpired } from "../context/counters.ts";
import { parseAuthSettings } from "../settings/settings.ts";

let server: AuthServer;

beforeAll(async () => {
  server = await startAuthServer();
});

afterAll(() => server.close());

interface Refreshed {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Refreshes without the client, which itself lets only one refresh through. */
async function refresh(at: AuthServer, refreshToken: string): Promise<Refreshed> {
  const response = await at.call("/token?grant_type=refresh_token", {
    method: "POST",
    body: JSON.stringify({ refresh_token: refreshToken }),
    headers: { "content-type": "application/json", "x-test-address": freshAddress() },
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

test("AUTH-8 a refresh gives a new pair; the old token again within 10 s gives the same new session", async () => {
  const someone = await person(server);
  const before = await someone.session();
  const { data, error } = await someone.client.auth.refreshSession();
  expect(error).toBeNull();
  expect(data.session?.refresh_token).not.toBe(before.refresh_token);
  server.advance(9_000);
  const again = await refresh(server, before.refresh_token);
  expect(again.status).toBe(200);
  expect(again.body["refresh_token"]).toBe(data.session?.refresh_token);
  const next = await refresh(server, data.session?.refresh_token ?? "");
  expect(next.status).toBe(200);
});

test("AUTH-8 the last token that was used gives the same new session after 10 s too, until that is refreshed; with the strict setting it ends the session", async () => {
  const someone = await person(server);
  const before = (await someone.session()).refresh_token;
  const lost = await refresh(server, before);
  server.advance(86_400_000);
  const again = await refresh(server, before);
  expect([again.status, again.body["refresh_token"]]).toEqual([200, lost.body["refresh_token"]]);
  const strict = await startAuthServer({ env: { INKPOOL_STRICT_REFRESH_TOKEN_REUSE: "true" } });
  const other = await person(strict);
  const used = (await other.session()).refresh_token;
  const next = await refresh(strict, used);
  strict.advance(11_000);
  expect((await refresh(strict, used)).body["error_code"]).toBe("refresh_token_already_used");
  const ended = await refresh(strict, String(next.body["refresh_token"]));
  expect(ended.body["error_code"]).toBe("refresh_token_not_found");
  await strict.close();
});

test("AUTH-8 an older refresh token ends its session, for the thief and for the owner", async () => {
  const someone = await person(server);
  const stolen = (await someone.session()).refresh_token;
  await someone.client.auth.refreshSession();
  await someone.client.auth.refreshSession();
  const newest = await someone.session();
  server.advance(11_000);
  const thief = await refresh(server, stolen);
  expect(thief).toMatchObject({ status: 400, body: { error_code: "refresh_token_already_used" } });
  const owner = await refresh(server, newest.refresh_token);
  expect(owner).toMatchObject({ status: 400, body: { error_code: "refresh_token_not_found" } });
  const { error } = await server.client().auth.getUser(newest.access_token);
  expect(error?.name).toBe("AuthSessionMissingError");
});

test("AUTH-8 a token that was used over 30 days ago is removed, but for the last used one of its session", async () => {
  const someone = await person(server);
  const tokens = [(await someone.session()).refresh_token];
  const next = async (): Promise<void> => {
    const { body } = await refresh(server, tokens.at(-1) ?? "");
    tokens.push(String(body["refresh_token"]));
  };
  const day = 86_400_000;
  await next();
  await next();
  server.advance(29 * day);
  await next();
  await next();
  server.advance(day);
  const { session_id: sessionId } = claimsOf((await someone.session()).access_token);
  const left = async (): Promise<number> => {
    const sql = "select 1 from auth_refresh_tokens where session_id = $1";
    return (await server.database.query(sql, [String(sessionId)])).rows.length;
  };
  const parsed = parseAuthSettings({});
  if (!parsed.ok) throw new Error(parsed.problems.join());
  const clean = (): Promise<void> =>
    removeExpired({ settings: parsed.settings, database: server.database, clock: server.now });
  await clean();
  expect(await left()).toBe(3);
  const first = await refresh(server, tokens[0] ?? "");
  expect(first.body["error_code"]).toBe("refresh_token_not_found");
  server.advance(60 * day);
  await clean();
  expect(await left()).toBe(2);
  expect((await refresh(server, tokens[3] ?? "")).body["refresh_token"]).toBe(tokens[4]);
  await next();
  await next();
  server.advance(29 * day);
  await clean();
  const stolen = await refresh(server, tokens[4] ?? "");
  expect(stolen.body["error_code"]).toBe("refresh_token_already_used");
  expect(await left()).toBe(0);
}, 30_000);

test("an unknown refresh token and one of a session that was signed out are refused", async () => {
  const someone = await person(server);
  const { refresh_token: token } = await someone.session();
  expect((await refresh(server, "nobody's")).body["error_code"]).toBe("refresh_token_not_found");
  expect((await refresh(server, "")).body["error_code"]).toBe("validation_failed");
  await someone.client.auth.signOut();
  expect((await refresh(server, token)).body["error_code"]).toBe("refresh_token_not_found");
});

test("AUTH-8 of 50 refreshes of one token at once, on two processes, one wins and all get its session", async () => {
  const beside = await startAuthServer({ beside: server });
  const someone = await person(server);
  const { refresh_token: token } = await someone.session();
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, index) => refresh(index % 2 === 0 ? server : beside, token)),
  );
  expect(responses.map((response) => response.status)).toEqual(Array<number>(50).fill(200));
  expect(new Set(responses.map((response) => response.body["refresh_token"])).size).toBe(1);
  const { rows } = await server.database.query(
    "select count(*) as open from auth_refresh_tokens t join auth_sessions s on s.id = t.session_id where s.user_id = $1 and t.used_at is null",
    [someone.id],
  );
  expect(Number(rows[0]?.["open"])).toBe(1);
  await beside.close();
});

test("AUTH-48 of 50 sign-ups of one address at once there is one user, and no response above 499", async () => {
  for (const autoconfirm of ["false", "true"]) {
    const own = await startAuthServer({
      env: { GOTRUE_MAILER_AUTOCONFIRM: autoconfirm, GOTRUE_SMTP_MAX_FREQUENCY: "60s" },
    });
    const body = JSON.stringify({ email: "all@example.org", password: "correct horse battery" });
    const headers = { "content-type": "application/json" };
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => own.call("/signup", { method: "POST", body, headers })),
    );
    const statuses = responses.map((response) => response.status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    const { data } = await own.admin().auth.admin.listUsers();
    expect(data.users).toHaveLength(1);
    await own.close();
  }
});

test("of 20 uses at once of a link, of a code and of a PKCE code one wins, and of 20 wrong guesses at once 5 count", async () => {
  const someone = await person(server);
  const admin = server.admin().auth.admin;
  const { data } = await admin.generateLink({ type: "magiclink", email: someone.email });
  const token_hash = data.properties?.hashed_token ?? "";
  const wins = async (use: () => Promise<{ readonly error: unknown }>): Promise<number> =>
    (await Promise.all(Array.from({ length: 20 }, use))).filter(({ error }) => error === null)
      .length;
  expect(await wins(() => server.client().auth.verifyOtp({ token_hash, type: "magiclink" }))).toBe(
    1,
  );

  const next = await admin.generateLink({ type: "magiclink", email: someone.email });
  const token = next.data.properties?.email_otp ?? "";
  const byCode = { email: someone.email, token, type: "magiclink" } as const;
  expect(await wins(() => server.client().auth.verifyOtp(byCode))).toBe(1);

  const verifier = "v".repeat(64);
  const body = JSON.stringify({
    email: someone.email,
    code_challenge: verifier,
    code_challenge_method: "plain",
  });
  await server.call("/otp", {
    method: "POST",
    body,
    headers: { "content-type": "application/json" },
  });
  const { url } = await follow((await server.mailTo(someone.email)).link);
  const exchange = JSON.stringify({
    auth_code: url.searchParams.get("code"),
    code_verifier: verifier,
  });
  const exchanged = await Promise.all(
    Array.from({ length: 20 }, () =>
      server.call("/token?grant_type=pkce", { method: "POST", body: exchange }),
    ),
  );
  expect(exchanged.filter((response) => response.status === 200)).toHaveLength(1);

  const last = await admin.generateLink({ type: "magiclink", email: someone.email });
  const right = last.data.properties?.email_otp ?? "";
  const wrong = {
    email: someone.email,
    token: right === "000000" ? "111111" : "000000",
    type: "magiclink",
  } as const;
  expect(await wins(() => server.client().auth.verifyOtp(wrong))).toBe(0);
  const { rows } = await server.database.query(
    "select guesses from auth_one_time_tokens where user_id = $1",
    [someone.id],
  );
  expect(Number(rows[0]?.["guesses"])).toBe(5);
  const voided = await server.client().auth.verifyOtp({ ...wrong, token: right });
  expect(voided.error?.code).toBe("otp_expired");
});

test("sessions end by their time box, by idleness, and by the next sign-in where only one is allowed", async () => {
  const env = {
    GOTRUE_SESSIONS_TIMEBOX: "24h",
    GOTRUE_SESSIONS_INACTIVITY_TIMEOUT: "8h",
    GOTRUE_SESSIONS_SINGLE_PER_USER: "true",
  };
  const own = await startAuthServer({ env });
  const someone = await person(own);
  const first = await someone.session();
  const second = own.client();
  await second.auth.signInWithPassword({ email: someone.email, password: "correct horse battery" });
  expect((await refresh(own, first.refresh_token)).body["error_code"]).toBe(
    "refresh_token_not_found",
  );
  own.advance(10 * 3_600_000);
  const idle = await refresh(own, (await sessionOf(second)).refresh_token);
  expect(idle.body["error_code"]).toBe("session_expired");
  await own.close();
});

test("AUTH-12 the database contains no secret that opens an account: tokens and codes are stored as hashes", async () => {
  const someone = await person(server);
  const session = await someone.session();
  await server.client().auth.resetPasswordForEmail(someone.email);
  const mail = await server.mailTo(someone.email);
  const link = new URL(mail.link).searchParams.get("token") ?? "";
  const factor = await someone.client.auth.mfa.enroll({
    factorType: "totp",
    friendlyName: "phone",
  });
  const { rows } = await server.database.query(
    "select name from sqlite_master where type = 'table' and name like 'auth_%'",
  );
  let everything = "";
  for (const row of rows) {
    const found = await server.database.query(`select * from ${String(row["name"])}`);
    everything += JSON.stringify(found.rows);
  }
  const seed = factor.data?.totp.secret ?? "";
  for (const secret of [session.refresh_token, session.access_token, link, seed, PASSWORD])
    expect(everything).not.toContain(secret);
  const codes = await server.database.query(
    "select code_hash from auth_one_time_tokens where user_id = $1",
    [someone.id],
  );
  expect(String(codes.rows[0]?.["code_hash"])).toMatch(/^[0-9a-f]{64}$/);
});
