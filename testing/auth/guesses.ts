/** Tests the counters of guesses on each database, with simultaneous guesses from many addresses and to several processes. */

import { randomInt } from "node:crypto";
import { hashSync } from "@node-rs/bcrypt";
import { Secret, TOTP } from "otpauth";
import { expect } from "vitest";
import { PASSWORD, freshEmail } from "./people.ts";
import { freshAddress, type AuthServer } from "./server.ts";
import { GUESSES_PER_ACCOUNT } from "../../server/auth/context/counters.ts";

/** Guesses that count at an account before those at the same time. */
const BEFORE = 80;
const LEFT = GUESSES_PER_ACCOUNT - BEFORE;

/** Guesses at the same time: two processes that counted for themselves would compare more of them than are left. */
const AT_ONCE = 60;

/** The outcomes of requests by their code; "in" for a success. */
type Outcomes = Readonly<Record<string, number>>;

interface Guess {
  readonly path: string;
  readonly ip: string;
  readonly body: object;
  readonly token?: string;
}

/** Sends all requests together, in rotation to each server. */
async function sendAll(
  servers: readonly AuthServer[],
  guesses: readonly Guess[],
): Promise<Outcomes> {
  const codes = await Promise.all(
    guesses.map(async ({ path, ip, body, token }, index) => {
      const response = await servers[index % servers.length]?.call(path, {
        method: "POST",
        body: JSON.stringify(body),
        headers: {
          "content-type": "application/json",
          "x-test-address": ip,
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
      });
      const answer = (await response?.json()) as Record<string, unknown>;
      return response?.ok === true ? "in" : String(answer["error_code"] ?? answer["code"]);
    }),
  );
  const sums: Record<string, number> = {};
  for (const code of codes) sums[code] = (sums[code] ?? 0) + 1;
  return sums;
}

/** Makes a user whose password costs little to compare, since the comparisons are counted. */
async function victim(server: AuthServer): Promise<string> {
  const email = freshEmail("victim");
  const { error } = await server.admin().auth.admin.createUser({
    email,
    password_hash: hashSync(PASSWORD, { cost: 4 }),
    email_confirm: true,
  } as never);
  expect(error).toBeNull();
  return email;
}

/** Raises the newest count of a kind and of this value, as guesses from other addresses would. */
async function countAlso(
  { database }: AuthServer,
  kind: "password" | "code" | "factor",
  [from, to]: readonly [number, number],
): Promise<void> {
  const { rowCount } = await database.query(
    `update auth_counters set count = $3 where key = (select key from auth_counters
      where key like $1 and key not like $2 and count = $4 order by until_at desc limit 1)`,
    [`${kind} %`, `${kind} % %`, to, from],
  );
  expect(rowCount).toBe(1);
}

const wrongCode = (): string => String(randomInt(1_000_000)).padStart(6, "0");

/**
 * Sends many passwords and as many codes together, from as many addresses, to accounts with and without an owner, at
 * which others were sent before.
 */
export async function guessAtOnce(servers: readonly [AuthServer, AuthServer]): Promise<void> {
  const email = await victim(servers[0]);
  for (const account of [email, freshEmail("nobody")])
    for (const [kind, path, code, secret] of [
      [
        "password",
        "/token?grant_type=password",
        "invalid_credentials",
        (): object => ({ password: "a guess" }),
      ],
      ["code", "/verify", "otp_expired", (): object => ({ type: "email", token: wrongCode() })],
    ] as const) {
      const guess = (): Guess => ({
        path,
        ip: freshAddress(),
        body: { email: account, ...secret() },
      });
      expect(await sendAll(servers, [guess()])).toEqual({ [code]: 1 });
      await countAlso(servers[0], kind, [1, BEFORE]);
      const guesses = Array.from({ length: AT_ONCE }, guess);
      const outcomes = await sendAll(servers, guesses);
      // Passwords that get no thread in time are refused as well: on a busy machine fewer are compared.
      const compared = outcomes[code] ?? 0;
      expect(compared).toBeLessThanOrEqual(LEFT);
      if (path === "/verify") expect(compared).toBe(LEFT);
      expect(outcomes).toEqual({ [code]: compared, over_request_rate_limit: AT_ONCE - compared });
    }
}

/**
 * Expects that right passwords do not count: beside 80 wrong ones, 30 sign-ins, 15 at a time, leave the owner's account
 * open.
 */
export async function signInOften(servers: readonly [AuthServer, AuthServer]): Promise<void> {
  const email = await victim(servers[0]);
  const signIn = (password: string): Guess => ({
    path: "/token?grant_type=password",
    ip: freshAddress(),
    body: { email, password },
  });
  expect(await sendAll(servers, [signIn("a guess")])).toEqual({ invalid_credentials: 1 });
  await countAlso(servers[0], "password", [1, BEFORE]);
  for (let round = 0; round < 2; round++) {
    const right = Array.from({ length: 15 }, () => signIn(PASSWORD));
    expect(await sendAll(servers, right)).toEqual({ in: 15 });
  }
}

/**
 * Expects that a thief of the password, with sessions from many addresses, cannot guess more codes of the
 * authenticator at the same time.
 */
export async function guessFactorAtOnce(servers: readonly [AuthServer, AuthServer]): Promise<void> {
  const [server] = servers;
  const email = await victim(server);
  const home = freshAddress();
  const owner = server.client({ ip: home });
  await owner.auth.signInWithPassword({ email, password: PASSWORD });
  const { data: factor } = await owner.auth.mfa.enroll({ factorType: "totp" });
  if (factor === null) throw new Error("no factor");
  const totp = new TOTP({ secret: Secret.fromBase32(factor.totp.secret) });
  const raise = (at: number): ReturnType<typeof owner.auth.mfa.challengeAndVerify> =>
    owner.auth.mfa.challengeAndVerify({
      factorId: factor.id,
      code: totp.generate({ timestamp: at }),
    });
  expect((await raise(server.now())).error).toBeNull();
  const guesses: Guess[] = [];
  for (let thief = 0; thief < AT_ONCE / 10; thief++) {
    const ip = freshAddress();
    const client = server.client({ ip });
    const signed = await client.auth.signInWithPassword({ email, password: PASSWORD });
    for (let challenge = 0; challenge < 2; challenge++) {
      const { data } = await client.auth.mfa.challenge({ factorId: factor.id });
      for (let guess = 0; guess < 5; guess++)
        guesses.push({
          path: `/factors/${factor.id}/verify`,
          ip,
          token: signed.data.session?.access_token ?? "",
          body: { challenge_id: data?.id, code: wrongCode() },
        });
    }
  }
  // The owner's own right code no longer counts.
  await countAlso(server, "factor", [0, BEFORE]);
  const outcomes = await sendAll(servers, guesses);
  expect(outcomes).toEqual({
    mfa_verification_failed: LEFT,
    over_request_rate_limit: AT_ONCE - LEFT,
  });
  // The owner continues where a session has the second factor.
  expect((await raise(server.now() + 30_000)).error).toBeNull();
}
