/** Tests the counters of guesses on each database, with simultaneous guesses from many addresses and to several processes. */

import { randomInt } from "node:crypto";
import { hashSync } from "@node-rs/bcrypt";
import { Secret, TOTP } from "otpauth";
import { expect } from "vitest";
import { PASSWORD, freshEmail } from "./people.ts";
import { freshAddress, type AuthServer } from "./server.ts";
import { GUESSES_PER_ACCOUNT } from "../../server/auth/context/counters.ts";

/** Guesses at the same time: two processes that counted for themselves would compare more of them than one may. */
const AT_ONCE = GUESSES_PER_ACCOUNT * 1.5;

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

const wrongCode = (): string => String(randomInt(1_000_000)).padStart(6, "0");

/** Sends many passwords and as many codes together, from as many addresses, to accounts with and without an owner. */
export async function guessAtOnce(servers: readonly [AuthServer, AuthServer]): Promise<void> {
  const email = await victim(servers[0]);
  for (const account of [email, freshEmail("nobody")])
    for (const [path, code, secret] of [
      [
        "/token?grant_type=password",
        "invalid_credentials",
        (): object => ({ password: "a guess" }),
      ],
      ["/verify", "otp_expired", (): object => ({ type: "email", token: wrongCode() })],
    ] as const) {
      const guesses = Array.from({ length: AT_ONCE }, () => ({
        path,
        ip: freshAddress(),
        body: { email: account, ...secret() },
      }));
      const outcomes = await sendAll(servers, guesses);
      // Passwords that get no thread in time are refused as well: on a busy machine fewer are compared.
      const compared = outcomes[code] ?? 0;
      expect(compared).toBeLessThanOrEqual(GUESSES_PER_ACCOUNT);
      if (path === "/verify") expect(compared).toBe(GUESSES_PER_ACCOUNT);
      expect(outcomes).toEqual({ [code]: compared, over_request_rate_limit: AT_ONCE - compared });
    }
}

/** Expects that right passwords do not count: 105 sign-ins, 15 at a time, leave the owner's account open. */
export async function signInOften(servers: readonly [AuthServer, AuthServer]): Promise<void> {
  const email = await victim(servers[0]);
  for (let round = 0; round < 7; round++) {
    const right = Array.from({ length: 15 }, () => ({
      path: "/token?grant_type=password",
      ip: freshAddress(),
      body: { email, password: PASSWORD },
    }));
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
  const outcomes = await sendAll(servers, guesses);
  // The owner's own right code no longer counts.
  expect(outcomes).toEqual({
    mfa_verification_failed: GUESSES_PER_ACCOUNT,
    over_request_rate_limit: AT_ONCE - GUESSES_PER_ACCOUNT,
  });
  // The owner continues where a session has the second factor.
  expect((await raise(server.now() + 30_000)).error).toBeNull();
}
