/** POST /factors/:factor_id/verify: a right code or signature raises the session to aal2. */

import { Secret, TOTP } from "otpauth";
import type { Queryable } from "../../storage/port.ts";
import { audit } from "../context/audit.ts";
import { requireUser, type Caller } from "../context/caller.ts";
import { isExpired, timestamp, type Auth } from "../context/context.ts";
import { guardGuess } from "../context/counters.ts";
import { AuthFault } from "../http/errors.ts";
import { addressKey } from "../../limits/client-key.ts";
import { isUuid, ok, textField, type AuthResponse, type AuthRequest } from "../http/request.ts";
import { randomSecret, sameText } from "../secrets/secrets.ts";
import { addRefreshToken, writeSession, type Grant } from "../sessions/grant.ts";
import {
  consumeChallenge,
  takeGuess,
  type StoredChallenge,
  type StoredFactor,
} from "../store/factors.ts";
import { update, type Values } from "../store/rows.ts";
import {
  endOtherSessions,
  endOtherAal1Sessions,
  type AmrEntry,
  type StoredSession,
} from "../store/sessions.ts";
import { cancelPending, lockUser } from "../store/users.ts";
import { MAX_GUESSES } from "../tokens/onetime.ts";
import { ownFactor, requireEnabled, requireToVerify } from "./enroll.ts";
import { finishCeremony } from "./webauthn.ts";

const METHODS = { totp: "totp", phone: "mfa/phone", webauthn: "mfa/webauthn" } as const;

/**
 * Verifies a factor by a code or a signature.
 * @throws AuthFault mfa_verification_failed, mfa_challenge_expired, mfa_factor_not_found, mfa_ip_address_mismatch, insufficient_aal, over_request_rate_limit
 */
export async function verifyFactor(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  const caller = await requireUser(auth, request);
  const factor = await ownFactor(auth, request, caller);
  requireEnabled(auth, factor.type, "verify");
  await requireToVerify(auth, auth.database, caller, factor);
  const who = { account: `factor ${factor.id}`, ip: request.ip, userId: caller.user.id };
  const guard = await guardGuess(auth, "factor", who);
  const challenge = await readChallenge(auth, request, factor);
  const proof = await checkProof(auth, request, factor, challenge);
  if (proof === undefined) {
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
  if (challenge.ip !== addressKey(request.ip))
    throw new AuthFault("mfa_ip_address_mismatch", "Challenge and verify IP addresses mismatch.");
  if (isExpired(auth, challenge.expiresAt) || challenge.guesses > MAX_GUESSES)
    throw new AuthFault(
      "mfa_challenge_expired",
      `MFA challenge ${challenge.id} has expired, verify against another challenge or create a new challenge.`,
    );
  return challenge;
}

/** The changes to the factor's row when the proof is right; undefined when it is wrong. */
type Proof = Values | undefined;

async function checkProof(
  auth: Auth,
  request: AuthRequest,
  factor: StoredFactor,
  challenge: StoredChallenge,
): Promise<Proof> {
  const code = textField(request.body, "code") ?? "";
  switch (factor.type) {
    case "totp":
      return checkTotp(auth, factor, code);
    case "phone": {
      const hash = auth.pepper.code(`challenge ${challenge.id}`, code);
      return sameText(hash, challenge.codeHash ?? "") ? {} : undefined;
    }
    case "webauthn":
      return finishCeremony(request, factor, challenge);
  }
}

const PERIOD_MS = 30_000;

/** Checks a TOTP code, which works once, in its own 30 seconds and in those before and after them. */
function checkTotp(auth: Auth, factor: StoredFactor, code: string): Proof {
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

/** Raises the session to aal2. The user's sessions without a second factor end. */
async function raise(auth: Auth, tx: Queryable, order: Raise): Promise<Grant> {
  const { factor, request } = order;
  let user = await lockUser(tx, order.caller.user.id);
  // Only one request succeeds: another may have used this challenge, or this TOTP code, at the same time.
  if (user === undefined || !(await consumeChallenge(tx, order.challengeId)))
    throw new AuthFault("mfa_ip_address_mismatch", "Challenge was used already.");
  // This is checked again behind the lock: another factor may have been verified in the meantime.
  await requireToVerify(auth, tx, order.caller, factor);
  await useStep(tx, factor, order.proof);
  const now = timestamp(auth);
  await update(tx, "auth_factors", factor.id, {
    ...order.proof,
    status: "verified",
    updated_at: now,
  });
  const entry: AmrEntry = {
    method: METHODS[factor.type],
    timestamp: Math.floor(auth.clock() / 1000),
  };
  const earlier = order.caller.session.amr.filter((one) => one.method !== entry.method);
  const session: StoredSession = { ...order.caller.session, aal: "aal2", amr: [entry, ...earlier] };
  await update(tx, "auth_sessions", session.id, {
    aal: session.aal,
    amr: JSON.stringify(session.amr),
    factor_id: factor.id,
    updated_at: now,
  });
  if (auth.settings.GOTRUE_SESSIONS_SINGLE_PER_USER)
    await endOtherSessions(tx, user.id, session.id);
  else await endOtherAal1Sessions(tx, user.id, session.id);
  if (factor.status === "unverified") {
    // What a session without the factor began is not completed.
    user = await cancelPending(tx, user.id);
    // A challenge from before would set another credential.
    await tx.query("delete from auth_challenges where factor_id = $1", [factor.id]);
  }
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

/** Marks a TOTP code as used. @throws AuthFault mfa_verification_failed when another request used it first */
async function useStep(tx: Queryable, factor: StoredFactor, proof: Values): Promise<void> {
  const step = proof["last_used_step"];
  if (step === undefined || step === null) return;
  const won = await tx.query(
    "update auth_factors set last_used_step = $2 where id = $1 and (last_used_step is null or last_used_step < $2) returning id",
    [factor.id, step],
  );
  if (won.rows.length === 0) throw new AuthFault("mfa_verification_failed", WRONG.totp);
}
