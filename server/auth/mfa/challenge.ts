/** POST /factors/:id/challenge. */

import { randomUUID } from "node:crypto";
import { audit } from "../audit.ts";
import { requireUser } from "../caller.ts";
import type { Caller } from "../caller.ts";
import type { Auth } from "../context.ts";
import { stamp } from "../context.ts";
import { takeText } from "../counters.ts";
import { AuthFault } from "../errors.ts";
import { network } from "../limits.ts";
import { ok } from "../request.ts";
import type { Answer, AuthRequest } from "../request.ts";
import { randomCode } from "../secrets.ts";
import { fillText } from "../sms/messages.ts";
import type { StoredFactor } from "../store/factors.ts";
import { insert } from "../store/rows.ts";
import { testCode } from "../users/messages.ts";
import { readChannel } from "../users/signup.ts";
import { ownFactor, requireSwitch } from "./enroll.ts";
import { startCeremony } from "./webauthn.ts";

/** What a challenge keeps, and what the client is told beside its id. */
interface Prepared {
  readonly codeHash?: string;
  readonly ceremony?: string;
  readonly shown?: Readonly<Record<string, unknown>>;
  readonly afterwards?: () => void;
}

export async function challengeFactor(auth: Auth, request: AuthRequest): Promise<Answer> {
  const caller = await requireUser(auth, request);
  const factor = await ownFactor(auth, request, caller);
  requireSwitch(auth, factor.type, "verify");
  const id = randomUUID();
  const prepared = await prepare(auth, request, { caller, factor, id });
  const lifeMs = auth.settings.GOTRUE_MFA_CHALLENGE_EXPIRY_DURATION * 1000;
  await auth.database.transaction(async (tx) => {
    await insert(tx, "auth_challenges", {
      id,
      factor_id: factor.id,
      ip: network(request.ip),
      code_hash: prepared.codeHash ?? null,
      ceremony: prepared.ceremony ?? null,
      expires_at: stamp(auth, lifeMs),
      created_at: stamp(auth),
    });
    await tx.query("update auth_factors set last_challenged_at = $2 where id = $1", [
      factor.id,
      stamp(auth),
    ]);
    const traits = { factor_id: factor.id, factor_status: factor.status };
    await audit(auth, tx, {
      action: "challenge_created",
      ip: request.ip,
      actor: caller.user,
      traits,
    });
  });
  prepared.afterwards?.();
  const expiresAt = Math.floor((auth.clock() + lifeMs) / 1000);
  return ok({ id, type: factor.type, expires_at: expiresAt, ...prepared.shown });
}

interface Subject {
  readonly caller: Caller;
  readonly factor: StoredFactor;
  /** Of the challenge. */
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
  const channel = readChannel(request);
  await takeText(auth, `factor ${factor.id}`, phone, auth.settings.GOTRUE_MFA_PHONE_MAX_FREQUENCY);
  const fixed = testCode(auth, phone);
  const code = fixed ?? randomCode(auth.settings.GOTRUE_MFA_PHONE_OTP_LENGTH);
  const text = fillText(auth.settings.GOTRUE_MFA_PHONE_TEMPLATE, code);
  const user = { id: caller.user.id, phone, role: caller.user.role, aud: caller.user.aud };
  return {
    codeHash: auth.pepper.code(`challenge ${id}`, code),
    afterwards: () => {
      if (fixed === undefined) auth.texts.post({ phone, code, text, channel, user });
    },
  };
}
