/** POST /factors/:id/verify: a second proof raises the session to aal2. */

import { Secret, TOTP } from "otpauth";
import type { Queryable } from "../../storage/port.ts";
import { audit } from "../audit.ts";
import { requireUser } from "../caller.ts";
import type { Caller } from "../caller.ts";
import type { Auth } from "../context.ts";
import { isPast, stamp } from "../context.ts";
import { guardGuess } from "../counters.ts";
import { AuthFault } from "../errors.ts";
import { network } from "../limits.ts";
import { isUuid, ok, textField } from "../request.ts";
import type { Answer, AuthRequest } from "../request.ts";
import { randomSecret, sameText } from "../secrets.ts";
import { addRefreshToken, writeSession } from "../sessions/grant.ts";
import type { Grant } from "../sessions/grant.ts";
import type { AmrEntry, StoredSession } from "../sessions/store.ts";
import { consumeChallenge, takeGuess } from "../store/factors.ts";
import type { StoredChallenge, StoredFactor } from "../store/factors.ts";
import { update } from "../store/rows.ts";
import type { Values } from "../store/rows.ts";
import { lockUser } from "../store/users.ts";
import { MAX_GUESSES } from "../tokens/onetime.ts";
import { ownFactor, requireSwitch } from "./enroll.ts";
import { finishCeremony } from "./webauthn.ts";

const METHODS = { totp: "totp", phone: "mfa/phone", webauthn: "mfa/webauthn" } as const;

export async function verifyFactor(auth: Auth, request: AuthRequest): Promise<Answer> {
  const caller = await requireUser(auth, request);
  const factor = await ownFactor(auth, request, caller);
  requireSwitch(auth, factor.type, "verify");
  const who = { account: `factor ${factor.id}`, ip: request.ip, userId: caller.user.id };
  const guard = await guardGuess(auth, "factor", who);
  const challenge = await readChallenge(auth, request, factor);
  const proof = await prove(auth, request, { caller, factor, challenge });
  if (proof === undefined) {
    await guard.wrong();
    const traits = { factor_id: factor.id, verified: false };
    await audit(auth, auth.database, {
      action: "verification_attempted",
      ip: request.ip,
      actor: caller.user,
      traits,
    });
    throw new AuthFault("mfa_verification_failed", WRONG[factor.type]);
  }
  await guard.right();
  const grant = await auth.database.transaction((tx) =>
    raise(auth, tx, { caller, factor, request, challengeId: challenge.id, proof }),
  );
  return ok(await writeSession(auth, grant));
}

const WRONG = {
  totp: "Invalid TOTP code entered",
  phone: "Invalid MFA Phone code entered",
  webauthn: "Invalid WebAuthn response",
} as const;

async function readChallenge(
  auth: Auth,
  request: AuthRequest,
  factor: StoredFactor,
): Promise<StoredChallenge> {
  const id = textField(request.body, "challenge_id") ?? "";
  const challenge = isUuid(id)
    ? await takeGuess(auth.database, factor.id, id.toLowerCase())
    : undefined;
  if (challenge === undefined)
    throw new AuthFault(
      "mfa_factor_not_found",
      "MFA factor with the provided challenge ID not found",
      { status: 422 },
    );
  if (challenge.ip !== network(request.ip))
    throw new AuthFault("mfa_ip_address_mismatch", "Challenge and verify IP addresses mismatch.");
  if (isPast(auth, challenge.expiresAt) || challenge.guesses > MAX_GUESSES)
    throw new AuthFault(
      "mfa_challenge_expired",
      `MFA challenge ${challenge.id} has expired, verify against another challenge or create a new challenge.`,
    );
  return challenge;
}

export interface Attempt {
  readonly caller: Caller;
  readonly factor: StoredFactor;
  readonly challenge: StoredChallenge;
}

/** What the factor's row becomes when the proof is right; undefined when it is wrong. */
type Proof = Values | undefined;

async function prove(auth: Auth, request: AuthRequest, attempt: Attempt): Promise<Proof> {
  const code = textField(request.body, "code") ?? "";
  switch (attempt.factor.type) {
    case "totp":
      return proveTotp(auth, attempt.factor, code);
    case "phone": {
      const own = auth.pepper.code(`challenge ${attempt.challenge.id}`, code);
      return sameText(own, attempt.challenge.codeHash ?? "") ? {} : undefined;
    }
    case "webauthn":
      return finishCeremony(auth, request, attempt);
  }
}

const PERIOD_MS = 30_000;

/** A code is good for its 30 seconds and the ones beside them, and only once. */
function proveTotp(auth: Auth, factor: StoredFactor, code: string): Proof {
  if (factor.secret === null || !/^\d{6}$/.test(code)) return undefined;
  const secret = Secret.fromBase32(auth.pepper.open(factor.secret, `factor ${factor.id}`));
  const timestamp = auth.clock();
  const delta = new TOTP({ secret }).validate({ token: code, timestamp, window: 1 });
  if (delta === null) return undefined;
  const step = Math.floor(timestamp / PERIOD_MS) + delta;
  if (factor.lastUsedStep !== null && step <= factor.lastUsedStep) return undefined;
  return { last_used_step: step };
}

interface Raise {
  readonly caller: Caller;
  readonly factor: StoredFactor;
  readonly request: AuthRequest;
  readonly challengeId: string;
  readonly proof: Values;
}

async function raise(auth: Auth, tx: Queryable, order: Raise): Promise<Grant> {
  const { factor, request } = order;
  const user = await lockUser(tx, order.caller.user.id);
  // One winner: somebody else may have used this challenge, or this TOTP step, a moment ago.
  if (user === undefined || !(await consumeChallenge(tx, order.challengeId)))
    throw new AuthFault("mfa_ip_address_mismatch", "Challenge was used already.");
  await useStep(tx, factor, order.proof);
  const now = stamp(auth);
  await update(tx, "auth_factors", factor.id, {
    ...order.proof,
    status: "verified",
    updated_at: now,
  });
  const entry: AmrEntry = {
    method: METHODS[factor.type],
    timestamp: Math.floor(auth.clock() / 1000),
  };
  const before = order.caller.session.amr.filter((one) => one.method !== entry.method);
  const session: StoredSession = { ...order.caller.session, aal: "aal2", amr: [entry, ...before] };
  await update(tx, "auth_sessions", session.id, {
    aal: session.aal,
    amr: JSON.stringify(session.amr),
    factor_id: factor.id,
    updated_at: now,
  });
  await endWeaker(tx, user.id, session.id);
  await tx.query(
    "delete from auth_factors where user_id = $1 and status = 'unverified' and factor_type = $2",
    [user.id, factor.type],
  );
  const refreshToken = randomSecret();
  await tx.query("delete from auth_refresh_tokens where session_id = $1 and used_at is null", [
    session.id,
  ]);
  await addRefreshToken(auth, tx, session.id, refreshToken);
  const traits = { factor_id: factor.id, verified: true };
  await audit(auth, tx, { action: "verification_attempted", ip: request.ip, actor: user, traits });
  return { user, session, refreshToken };
}

async function useStep(tx: Queryable, factor: StoredFactor, proof: Values): Promise<void> {
  const step = proof["last_used_step"];
  if (step === undefined || step === null) return;
  const won = await tx.query(
    "update auth_factors set last_used_step = $2 where id = $1 and (last_used_step is null or last_used_step < $2) returning id",
    [factor.id, step],
  );
  if (won.rows.length === 0) throw new AuthFault("mfa_verification_failed", WRONG.totp);
}

/** With a second factor, sessions that never showed one are over. */
async function endWeaker(tx: Queryable, userId: string, keep: string): Promise<void> {
  const weaker = "select id from auth_sessions where user_id = $1 and id <> $2 and aal = 'aal1'";
  await tx.query(`delete from auth_refresh_tokens where session_id in (${weaker})`, [userId, keep]);
  await tx.query("delete from auth_sessions where user_id = $1 and id <> $2 and aal = 'aal1'", [
    userId,
    keep,
  ]);
}
