/** GET /reauthenticate: a nonce for a change of password, by mail or otherwise by text message; and its redemption. */

import type { Queryable } from "../../storage/port.ts";
import { audit } from "../context/audit.ts";
import { memberShare, requireMail, requireText } from "../context/budgets.ts";
import { requireUser } from "../context/caller.ts";
import type { Auth } from "../context/context.ts";
import { guardGuess } from "../context/counters.ts";
import { AuthFault } from "../http/errors.ts";
import { empty, type AuthRequest, type AuthResponse } from "../http/request.ts";
import { one, text } from "../store/rows.ts";
import type { StoredUser } from "../store/users.ts";
import { guessCode, redeemGuessed, type GuessedToken } from "../tokens/onetime.ts";
import { prepareMail, prepareText, requireSmsSender, sendMail, sendText } from "./send.ts";

/**
 * Sends a nonce.
 * @throws AuthFault validation_failed without a confirmed contact, over_email_send_rate_limit, over_sms_send_rate_limit
 */
export async function reauthenticate(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  const { user } = await requireUser(auth, request);
  const { email, phone } = user;
  const entry = { action: "user_reauthenticate_requested", ip: request.ip, actor: user } as const;
  const asked = { kind: "reauthentication", ip: request.ip, ...memberShare(user) };
  if (email !== null && user.emailConfirmedAt !== null) {
    await requireMail(auth, { ...asked, to: email });
    const back = { redirectTo: auth.urls.site() };
    const mail = await auth.database.transaction(async (tx) => {
      await audit(auth, tx, entry);
      return prepareMail(auth, tx, user, { name: "reauthentication", to: email, back });
    });
    sendMail(auth, mail);
    return empty;
  }
  if (phone === null || user.phoneConfirmedAt === null)
    throw new AuthFault(
      "validation_failed",
      "Reauthentication requires the user to have an email or a phone number",
    );
  requireSmsSender(auth, phone);
  await requireText(auth, { ...asked, to: phone });
  const message = await auth.database.transaction(async (tx) => {
    await audit(auth, tx, entry);
    return prepareText(auth, tx, user, { kind: "reauthentication", phone, channel: "sms" });
  });
  sendText(auth, message);
  return empty;
}

const notValid = (): AuthFault =>
  new AuthFault("reauthentication_not_valid", "Nonce has expired or is invalid");

/**
 * Checks a nonce and returns its token, to be redeemed by `redeemNonce`. @throws AuthFault reauthentication_not_valid,
 * over_request_rate_limit
 */
export async function checkNonce(
  auth: Auth,
  request: AuthRequest,
  user: StoredUser,
  nonce: string,
): Promise<GuessedToken> {
  const guard = await guardGuess(auth, "code", {
    account: `nonce ${user.id}`,
    ip: request.ip,
    userId: user.id,
  });
  const row = await one(
    auth.database,
    "select sent_to from auth_one_time_tokens where user_id = $1 and kind = 'reauthentication'",
    [user.id],
  );
  const token = await guessCode(auth, auth.database, {
    userId: user.id,
    kinds: ["reauthentication"],
    sentTo: row === undefined ? "" : text(row, "sent_to"),
    code: nonce.replaceAll("-", ""),
  });
  if (token === undefined) throw notValid();
  await guard.right();
  return token;
}

/** Redeems a checked nonce. @throws AuthFault reauthentication_not_valid when it was redeemed or replaced meanwhile */
export async function redeemNonce(tx: Queryable, token: GuessedToken): Promise<void> {
  if ((await redeemGuessed(tx, token)) === undefined) throw notValid();
}
