/**
 * Sends a user the link or code that proves that an address or number is theirs. Within a transaction the token is
 * only stored; the mail or text message is sent after it.
 */

import { randomUUID } from "node:crypto";
import type { Queryable } from "../../storage/port.ts";
import { timestamp, type Auth } from "../context/context.ts";
import { AuthFault } from "../http/errors.ts";
import { postMail } from "./mail-messages.ts";
import type { MailKind } from "../mail/templates.ts";
import { requestedRedirect, type AuthRequest, type Channel } from "../http/request.ts";
import { fillText } from "../sms/messages.ts";
import {
  updateUser,
  updateUserIfPresent,
  userByEmail,
  userGone,
  type StoredUser,
} from "../store/users.ts";
import { openFlow, readChallenge, type Challenge } from "../tokens/flows.ts";
import { issueToken, type OneTimeToken, type TokenKind } from "../tokens/onetime.ts";

/** The address where the link ends, and with PKCE the challenge of the code with which it ends. */
export interface Return {
  readonly redirectTo: string;
  readonly challenge?: Challenge | undefined;
}

/**
 * Returns the address where the client wants the link to end, or the site when that is not allowed. @throws AuthFault
 * validation_failed
 */
export function returnOf(auth: Auth, request: AuthRequest): Return {
  return {
    redirectTo: auth.redirects.choose(requestedRedirect(request)),
    challenge: readChallenge(request.body),
  };
}

interface Purpose {
  readonly token: TokenKind;
  readonly mail: MailKind;
  /** The `type` of the link. */
  readonly type: string;
  /** The column of the user that stores the time of sending. */
  readonly sentAt: string;
}

/** The purposes of mails. */
export const PURPOSES = {
  signup: {
    token: "confirmation",
    mail: "confirmation",
    type: "signup",
    sentAt: "confirmation_sent_at",
  },
  /** A link or code that signs in, to an address that is not confirmed. */
  otp: {
    token: "ownership",
    mail: "confirmation",
    type: "signup",
    sentAt: "confirmation_sent_at",
  },
  invite: { token: "ownership", mail: "invite", type: "invite", sentAt: "confirmation_sent_at" },
  recovery: { token: "recovery", mail: "recovery", type: "recovery", sentAt: "recovery_sent_at" },
  magiclink: {
    token: "recovery",
    mail: "magic_link",
    type: "magiclink",
    sentAt: "recovery_sent_at",
  },
  email_change_current: {
    token: "email_change_current",
    mail: "email_change",
    type: "email_change",
    sentAt: "email_change_sent_at",
  },
  email_change_new: {
    token: "email_change_new",
    mail: "email_change",
    type: "email_change",
    sentAt: "email_change_sent_at",
  },
  reauthentication: {
    token: "reauthentication",
    mail: "reauthentication",
    type: "reauthentication",
    sentAt: "reauthentication_sent_at",
  },
} as const satisfies Readonly<Record<string, Purpose>>;

export type PurposeName = keyof typeof PURPOSES;

interface MailOrder {
  readonly name: PurposeName;
  readonly to: string;
  readonly back: Return;
}

/** A mail whose token is stored. Send it when the transaction is committed. */
export interface PreparedMail {
  readonly user: StoredUser;
  readonly token: OneTimeToken;
  readonly name: PurposeName;
  readonly to: string;
  readonly redirectTo: string;
}

/**
 * Prepares a mail.
 * @throws StorageFault 23503 when the user no longer exists
 */
export async function prepareMail(
  auth: Auth,
  tx: Queryable,
  user: StoredUser,
  order: MailOrder,
): Promise<PreparedMail> {
  const prepared = await storeMail(auth, tx, user.id, order);
  if (prepared === undefined) throw userGone();
  return prepared;
}

/**
 * Prepares no mail, for an address without an account: runs the statements of `prepareMail` for an id that no user
 * has, which change no account, so that the response takes as long as for an account.
 */
export async function prepareNoMail(auth: Auth, tx: Queryable, order: MailOrder): Promise<void> {
  await storeMail(auth, tx, randomUUID(), order);
}

async function storeMail(
  auth: Auth,
  tx: Queryable,
  userId: string,
  { name, to, back }: MailOrder,
): Promise<PreparedMail | undefined> {
  const purpose: Purpose = PURPOSES[name];
  const validMs = auth.settings.GOTRUE_MAILER_OTP_EXP * 1000;
  const { challenge, redirectTo } = back;
  const now = timestamp(auth);
  const user = await updateUserIfPresent(tx, userId, {
    [purpose.sentAt]: now,
    ...(name === "invite" ? { invited_at: now } : {}),
  });
  const flowId =
    challenge === undefined
      ? undefined
      : await openFlow(auth, tx, { kind: "mail", validMs, challenge });
  const token = await issueToken(auth, tx, {
    userId,
    kind: purpose.token,
    sentTo: to,
    digits: auth.settings.GOTRUE_MAILER_OTP_LENGTH,
    validMs,
    flowId,
  });
  return user === undefined ? undefined : { user, token, name, to, redirectTo };
}

/** Posts a prepared mail. */
export function sendMail(auth: Auth, mail: PreparedMail): void {
  const purpose: Purpose = PURPOSES[mail.name];
  postMail(auth, {
    kind: purpose.mail,
    type: purpose.type,
    user: mail.user,
    to: mail.to,
    newEmail: mail.user.emailChange ?? undefined,
    token: mail.token,
    redirectTo: mail.redirectTo,
  });
}

/**
 * Prepares a mail to the new address of a change, and one to the old address when both have to confirm: after an
 * earlier confirmation as well, since nothing stores whose it was.
 */
export async function prepareEmailChange(
  auth: Auth,
  tx: Queryable,
  user: StoredUser,
  back: Return,
): Promise<readonly PreparedMail[]> {
  const mails: PreparedMail[] = [];
  const { email, emailChange } = user;
  await updateUser(tx, user.id, { email_change_status: 0 });
  if (auth.settings.GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED && email !== null)
    mails.push(
      await prepareMail(auth, tx, user, { name: "email_change_current", to: email, back }),
    );
  // Another account's address gets no mail, and the response does not say so.
  if (emailChange !== null && (await userByEmail(tx, emailChange)) === undefined)
    mails.push(
      await prepareMail(auth, tx, user, { name: "email_change_new", to: emailChange, back }),
    );
  return mails;
}

/** The user's column that says when a text message of a kind was sent. */
const TEXT_SENT_AT = {
  phone_confirmation: "confirmation_sent_at",
  phone_ownership: "confirmation_sent_at",
  phone_change: "phone_change_sent_at",
  reauthentication: "reauthentication_sent_at",
} as const satisfies Partial<Readonly<Record<TokenKind, string>>>;

interface TextOrder {
  readonly kind: keyof typeof TEXT_SENT_AT;
  readonly phone: string;
  readonly channel: Channel;
}

/** A text message whose code is stored. Send it when the transaction is committed. */
export interface PreparedText {
  readonly user: StoredUser;
  readonly phone: string;
  readonly code: string;
  readonly channel: Channel;
}

/**
 * Prepares a text message.
 * @throws StorageFault 23503 when the user no longer exists
 */
export async function prepareText(
  auth: Auth,
  tx: Queryable,
  user: StoredUser,
  order: TextOrder,
): Promise<PreparedText> {
  const prepared = await storeText(auth, tx, user.id, order);
  if (prepared === undefined) throw userGone();
  return prepared;
}

/** Prepares no text message, for a number without an account, as `prepareNoMail` does. */
export async function prepareNoText(auth: Auth, tx: Queryable, order: TextOrder): Promise<void> {
  await storeText(auth, tx, randomUUID(), order);
}

async function storeText(
  auth: Auth,
  tx: Queryable,
  userId: string,
  { kind, phone, channel }: TextOrder,
): Promise<PreparedText | undefined> {
  const sentAt = { [TEXT_SENT_AT[kind]]: timestamp(auth) };
  const user = await updateUserIfPresent(tx, userId, sentAt);
  const { code } = await issueToken(auth, tx, {
    userId,
    kind,
    sentTo: phone,
    digits: auth.settings.GOTRUE_SMS_OTP_LENGTH,
    validMs: auth.settings.GOTRUE_SMS_OTP_EXP * 1000,
    code: testCode(auth, phone),
  });
  return user === undefined ? undefined : { user, phone, code, channel };
}

/** Posts a prepared text message; a test number gets none. */
export function sendText(auth: Auth, { user, phone, code, channel }: PreparedText): void {
  if (testCode(auth, phone) !== undefined) return;
  auth.sms?.post({
    phone,
    code,
    text: fillText(auth.settings.GOTRUE_SMS_TEMPLATE, code),
    channel,
    user: { id: user.id, phone: user.phone ?? phone, role: user.role, aud: user.aud },
  });
}

/**
 * Requires that something can send to this number. Call it before a message is counted. @throws AuthFault
 * unexpected_failure when nothing could send it
 */
export function requireSmsSender(auth: Auth, phone: string): void {
  if (auth.sms !== null || testCode(auth, phone) !== undefined) return;
  auth.log.error("a text message is needed, and nothing is set that could send it", {
    setting: "GOTRUE_HOOK_SEND_SMS_ENABLED or GOTRUE_SMS_PROVIDER",
  });
  throw new AuthFault("unexpected_failure", "Unable to get SMS provider");
}

/** Returns the fixed code of a test number, before GOTRUE_SMS_TEST_OTP_VALID_UNTIL. */
export function testCode(auth: Auth, phone: string): string | undefined {
  const until = auth.settings.GOTRUE_SMS_TEST_OTP_VALID_UNTIL;
  if (until !== null && auth.clock() >= until) return undefined;
  return auth.settings.GOTRUE_SMS_TEST_OTP.get(phone);
}
