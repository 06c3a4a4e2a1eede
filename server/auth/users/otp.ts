/**
 * Links and codes on request: POST /otp, /magiclink and /recover. An address with and one without an account get the
 * same response after the same statements: neither its content nor its time reveals the account. The exception is
 * `create_user: false`, which gives otp_disabled for an address without an account.
 */

import type { Queryable } from "../../storage/port.ts";
import { NO_ACTOR, audit } from "../context/audit.ts";
import { takeMail, takeText, type Message } from "../context/budgets.ts";
import type { Auth } from "../context/context.ts";
import { AuthFault } from "../http/errors.ts";
import {
  empty,
  flagField,
  parseChannel,
  parseEmail,
  parsePhone,
  recordField,
  textField,
  type AuthRequest,
  type AuthResponse,
} from "../http/request.ts";
import { userByEmail, userByPhone, type StoredUser } from "../store/users.ts";
import { findOrCreateUser } from "./accounts.ts";
import type { NewUser } from "./metadata.ts";
import {
  prepareMail,
  prepareNoMail,
  prepareNoText,
  prepareText,
  requireSmsSender,
  returnOf,
  sendMail,
  sendText,
  type PreparedMail,
  type PreparedText,
} from "./send.ts";

/** POST /otp and /magiclink. @throws AuthFault otp_disabled, validation_failed, over_email_send_rate_limit, over_sms_send_rate_limit */
export async function sendOtp(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  const email = textField(request.body, "email");
  const phone = textField(request.body, "phone");
  if ((email === undefined) === (phone === undefined))
    throw new AuthFault(
      "validation_failed",
      "Only an email address or phone number should be provided",
    );
  return email === undefined
    ? sendPhoneOtp(auth, request, parsePhone(phone ?? ""))
    : sendMagicLink(auth, request, parseEmail(email));
}

async function sendMagicLink(
  auth: Auth,
  request: AuthRequest,
  email: string,
): Promise<AuthResponse> {
  const s = auth.settings;
  if (!s.GOTRUE_EXTERNAL_EMAIL_ENABLED)
    throw new AuthFault("email_provider_disabled", "Email logins are disabled");
  if (!s.GOTRUE_EXTERNAL_EMAIL_MAGIC_LINK_ENABLED)
    throw new AuthFault("otp_disabled", "Login with magic link is disabled");
  const back = returnOf(auth, request);
  const data = recordField(request.body, "data");
  const wanted = { email, data, emailConfirmed: s.GOTRUE_MAILER_AUTOCONFIRM, signsUp: true };
  const { creates, receiver } = await lookUp(auth, request, wanted);
  const sends = await takeMail(auth, { kind: "otp", to: email, ip: request.ip, ...receiver });
  const mail = await auth.database.transaction(async (tx): Promise<PreparedMail | undefined> => {
    const user = await (creates ? findOrCreateUser(auth, tx, wanted) : find(tx, wanted));
    const actor = user ?? NO_ACTOR;
    await audit(auth, tx, { action: "user_recovery_requested", ip: request.ip, actor });
    if (user === undefined || !sends) {
      await prepareNoMail(auth, tx, { name: "magiclink", to: email, back });
      return undefined;
    }
    const name = user.emailConfirmedAt === null ? "otp" : "magiclink";
    return prepareMail(auth, tx, user, { name, to: email, back });
  });
  if (mail !== undefined) sendMail(auth, mail);
  return empty;
}

async function sendPhoneOtp(
  auth: Auth,
  request: AuthRequest,
  phone: string,
): Promise<AuthResponse> {
  const s = auth.settings;
  if (!s.GOTRUE_EXTERNAL_PHONE_ENABLED)
    throw new AuthFault("phone_provider_disabled", "Unsupported phone provider");
  const channel = parseChannel(s, request.body);
  const data = recordField(request.body, "data");
  const wanted = { phone, data, signsUp: true };
  const { creates, receiver } = await lookUp(auth, request, wanted);
  requireSmsSender(auth, phone);
  const sends = await takeText(auth, { kind: "otp", to: phone, ip: request.ip, ...receiver });
  const order = { kind: "phone_ownership", phone, channel } as const;
  const message = await auth.database.transaction(async (tx): Promise<PreparedText | undefined> => {
    const user = await (creates ? findOrCreateUser(auth, tx, wanted) : find(tx, wanted));
    const actor = user ?? NO_ACTOR;
    await audit(auth, tx, { action: "user_recovery_requested", ip: request.ip, actor });
    if (user !== undefined && sends) return prepareText(auth, tx, user, order);
    await prepareNoText(auth, tx, order);
    return undefined;
  });
  if (message !== undefined) sendText(auth, message);
  return empty;
}

type Receiver = Pick<Message, "share" | "userId">;

/**
 * Chooses whose share of the messages a request for this account uses; without an account no message follows, unless
 * one is created.
 */
function receiverOf(wanted: NewUser, user: StoredUser | undefined, creates: boolean): Receiver {
  if (user === undefined) return { share: creates ? "new" : "none", userId: undefined };
  const confirmedAt = wanted.email === undefined ? user.phoneConfirmedAt : user.emailConfirmedAt;
  return { share: confirmedAt === null ? "new" : "known", userId: user.id };
}

/**
 * Looks up whether the request may create an account, and who gets the message.
 * @throws AuthFault otp_disabled when the client forbids a new account and there is none
 */
async function lookUp(
  auth: Auth,
  request: AuthRequest,
  wanted: NewUser,
): Promise<{ readonly creates: boolean; readonly receiver: Receiver }> {
  const allowed = flagField(request.body, "create_user") ?? true;
  const user = await find(auth.database, wanted);
  if (!allowed && user === undefined)
    throw new AuthFault("otp_disabled", "Signups not allowed for otp");
  const creates = allowed && !auth.settings.GOTRUE_DISABLE_SIGNUP;
  return { creates, receiver: receiverOf(wanted, user, creates) };
}

/** Finds the account with the address or number. */
function find(db: Queryable, { email, phone }: NewUser): Promise<StoredUser | undefined> {
  return email === undefined ? userByPhone(db, phone ?? "") : userByEmail(db, email);
}

/** POST /recover. @throws AuthFault validation_failed, over_email_send_rate_limit */
export async function recover(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  if (!auth.settings.GOTRUE_EXTERNAL_EMAIL_ENABLED)
    throw new AuthFault("email_provider_disabled", "Email logins are disabled");
  const given = textField(request.body, "email");
  if (given === undefined)
    throw new AuthFault("validation_failed", "Password recovery requires an email");
  const email = parseEmail(given);
  const order = { name: "recovery", to: email, back: returnOf(auth, request) } as const;
  const receiver = receiverOf({ email }, await userByEmail(auth.database, email), false);
  const sends = await takeMail(auth, { kind: "recovery", to: email, ip: request.ip, ...receiver });
  const mail = await auth.database.transaction(async (tx): Promise<PreparedMail | undefined> => {
    const user = await userByEmail(tx, email);
    const actor = user ?? NO_ACTOR;
    await audit(auth, tx, { action: "user_recovery_requested", ip: request.ip, actor });
    if (user !== undefined && sends) return prepareMail(auth, tx, user, order);
    await prepareNoMail(auth, tx, order);
    return undefined;
  });
  if (mail !== undefined) sendMail(auth, mail);
  return empty;
}
