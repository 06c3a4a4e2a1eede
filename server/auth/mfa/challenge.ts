/** POST /factors/:factor_id/challenge. */

import { randomUUID } from "node:crypto";
import { audit } from "../context/audit.ts";
import { memberShare, requireText } from "../context/budgets.ts";
import { requireUser, type Caller } from "../context/caller.ts";
import { timestamp, type Auth } from "../context/context.ts";
import { AuthFault } from "../http/errors.ts";
import { addressKey } from "../../limits/client-key.ts";
import { ok, parseChannel, type AuthRequest, type AuthResponse } from "../http/request.ts";
import { randomCode } from "../secrets/secrets.ts";
import { fillText } from "../sms/messages.ts";
import type { StoredFactor } from "../store/factors.ts";
import { insert } from "../store/rows.ts";
import { requireSmsSender, testCode } from "../users/send.ts";
import { ownFactor, requireEnabled, requireToVerify } from "./enroll.ts";
import { startCeremony } from "./webauthn.ts";

/** A prepared challenge: the stored values, the client's values beside its id, and the work that follows. */
interface Prepared {
  readonly codeHash?: string;
  readonly ceremony?: string;
  readonly shown?: Readonly<Record<string, unknown>>;
  readonly send?: () => void;
}

/**
 * Starts a challenge, and sends the code of a phone factor. @throws AuthFault mfa_factor_not_found,
 * mfa_<type>_verify_not_enabled, insufficient_aal, over_sms_send_rate_limit
 */
export async function challengeFactor(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  const caller = await requireUser(auth, request);
  const factor = await ownFactor(auth, request, caller);
  requireEnabled(auth, factor.type, "verify");
  await requireToVerify(auth, auth.database, caller, factor);
  const id = randomUUID();
  const prepared = await prepare(auth, request, { caller, factor, id });
  const validMs = auth.settings.GOTRUE_MFA_CHALLENGE_EXPIRY_DURATION * 1000;
  await auth.database.transaction(async (tx) => {
    await insert(tx, "auth_challenges", {
      id,
      factor_id: factor.id,
      ip: addressKey(request.ip),
      code_hash: prepared.codeHash ?? null,
      ceremony: prepared.ceremony ?? null,
      expires_at: timestamp(auth, validMs),
      created_at: timestamp(auth),
    });
    await tx.query("update auth_factors set last_challenged_at = $2 where id = $1", [
      factor.id,
      timestamp(auth),
    ]);
    const traits = { factor_id: factor.id, factor_status: factor.status };
    await audit(auth, tx, {
      action: "challenge_created",
      ip: request.ip,
      actor: caller.user,
      traits,
    });
  });
  prepared.send?.();
  const expiresAt = Math.floor((auth.clock() + validMs) / 1000);
  return ok({ id, type: factor.type, expires_at: expiresAt, ...prepared.shown });
}

interface Subject {
  readonly caller: Caller;
  readonly factor: StoredFactor;
  /** Id of the challenge. */
  readonly id: string;
}

async function prepare(auth: Auth, request: AuthRequest, subject: Subject): Promise<Prepared> {
  switch (subject.factor.type) {
    case "totp":
      return {};
    case "phone":
      return preparePhone(auth, request, subject);
    case "webauthn": {
      const { ceremony, shown } = await startCeremony(auth, request, subject);
      return { ceremony, shown: { webauthn: shown } };
    }
  }
}

async function preparePhone(auth: Auth, request: AuthRequest, subject: Subject): Promise<Prepared> {
  const { caller, factor, id } = subject;
  const phone = factor.phone;
  if (phone === null) throw new AuthFault("mfa_factor_not_found", "Factor not found");
  const channel = parseChannel(auth.settings, request.body);
  requireSmsSender(auth, phone);
  const message = { kind: `factor ${factor.id}`, to: phone, ip: request.ip };
  const frequencyMs = auth.settings.GOTRUE_MFA_PHONE_MAX_FREQUENCY;
  await requireText(auth, { ...message, ...memberShare(caller.user) }, frequencyMs);
  const fixed = testCode(auth, phone);
  const code = fixed ?? randomCode(auth.settings.GOTRUE_MFA_PHONE_OTP_LENGTH);
  const text = fillText(auth.settings.GOTRUE_MFA_PHONE_TEMPLATE, code);
  const user = { id: caller.user.id, phone, role: caller.user.role, aud: caller.user.aud };
  return {
    codeHash: auth.pepper.code(`challenge ${id}`, code),
    send: () => {
      if (fixed === undefined) auth.sms?.post({ phone, code, text, channel, user });
    },
  };
}
