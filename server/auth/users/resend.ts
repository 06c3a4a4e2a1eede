/**
 * POST /resend: repeats a mail or text message. When there is nothing to send, the response, the counts and the
 * statements are those of a message that is sent: neither the first nor a second request reveals who has an account.
 */

import type { Queryable } from "../../storage/port.ts";
import { NO_ACTOR, audit } from "../context/audit.ts";
import { memberShare, takeMail, takeText, type Message } from "../context/budgets.ts";
import type { Auth } from "../context/context.ts";
import { AuthFault } from "../http/errors.ts";
import {
  empty,
  parseEmail,
  parsePhone,
  requiredText,
  textField,
  type AuthRequest,
  type AuthResponse,
} from "../http/request.ts";
import { one, text } from "../store/rows.ts";
import { userByEmail, userById, userByPhone, type StoredUser } from "../store/users.ts";
import { hasToken } from "../tokens/onetime.ts";
import {
  prepareEmailChange,
  prepareMail,
  prepareNoMail,
  prepareNoText,
  prepareText,
  requireSmsSender,
  returnOf,
  sendMail,
  sendText,
} from "./send.ts";

/**
 * Repeats a message.
 * @throws AuthFault validation_failed, over_email_send_rate_limit, over_sms_send_rate_limit
 */
export async function resend(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  const type = requiredText(request.body, "type");
  const email = textField(request.body, "email");
  const phone = textField(request.body, "phone");
  if (type === "signup" || type === "email_change") {
    if (email === undefined || phone !== undefined)
      throw new AuthFault("validation_failed", "Type provided requires an email address");
    return type === "signup"
      ? resendSignUp(auth, request, parseEmail(email))
      : resendEmailChange(auth, request, parseEmail(email));
  }
  if (type === "sms" || type === "phone_change") {
    if (phone === undefined || email !== undefined)
      throw new AuthFault("validation_failed", "Type provided requires a phone number");
    return resendText(auth, request, type, parsePhone(phone));
  }
  throw new AuthFault(
    "validation_failed",
    "Missing one of these types: signup, email_change, sms, phone_change",
  );
}

async function resendSignUp(
  auth: Auth,
  request: AuthRequest,
  email: string,
): Promise<AuthResponse> {
  const back = returnOf(auth, request);
  const found = await userByEmail(auth.database, email);
  const user = found?.emailConfirmedAt === null ? found : undefined;
  // After a link or code was asked for, its mail is repeated, and not the sign-up's.
  const isOwn = await hasToken(auth.database, user?.id ?? "", "ownership");
  const order = { name: isOwn ? "otp" : "signup", to: email, back } as const;
  const share = user === undefined ? "none" : "new";
  const message = { kind: "signup", to: email, ip: request.ip, share, userId: user?.id } as const;
  const sends = await takeMail(auth, message);
  const mail = await auth.database.transaction(async (tx) => {
    const actor = user ?? NO_ACTOR;
    await audit(auth, tx, { action: "user_confirmation_requested", ip: request.ip, actor });
    if (user !== undefined && sends) return prepareMail(auth, tx, user, order);
    await prepareNoMail(auth, tx, order);
    return undefined;
  });
  if (mail !== undefined) sendMail(auth, mail);
  return empty;
}

/** Chooses whose share a message uses: the account's, or none where nothing is sent. */
function shareOf(user: StoredUser | undefined): Pick<Message, "share" | "userId"> {
  return user === undefined ? { share: "none", userId: undefined } : memberShare(user);
}

async function resendEmailChange(
  auth: Auth,
  request: AuthRequest,
  email: string,
): Promise<AuthResponse> {
  const back = returnOf(auth, request);
  const { database } = auth;
  const found =
    (await userByEmail(database, email)) ?? (await changingTo(database, "email_change_new", email));
  const user = found?.emailChange == null ? undefined : found;
  const kind = "email_change";
  const sends = await takeMail(auth, { kind, to: email, ip: request.ip, ...shareOf(user) });
  if (user === undefined || !sends) return empty;
  const mails = await database.transaction((tx) => prepareEmailChange(auth, tx, user, back));
  for (const mail of mails) sendMail(auth, mail);
  return empty;
}

async function resendText(
  auth: Auth,
  request: AuthRequest,
  type: "sms" | "phone_change",
  phone: string,
): Promise<AuthResponse> {
  const { database } = auth;
  requireSmsSender(auth, phone);
  const order = await (type === "sms"
    ? openConfirmation(database, phone)
    : openPhoneChange(database, phone));
  const message = { kind: type, to: phone, ip: request.ip, ...shareOf(order?.user) };
  const sends = await takeText(auth, message);
  const prepared = await database.transaction(async (tx) => {
    if (order !== undefined && sends) {
      const { user, ...rest } = order;
      return prepareText(auth, tx, user, { ...rest, channel: "sms" });
    }
    const kind = type === "sms" ? "phone_confirmation" : "phone_change";
    await prepareNoText(auth, tx, { kind, phone, channel: "sms" });
    return undefined;
  });
  if (prepared !== undefined) sendText(auth, prepared);
  return empty;
}

interface OpenOrder {
  readonly user: StoredUser;
  readonly kind: "phone_confirmation" | "phone_ownership" | "phone_change";
  readonly phone: string;
}

async function openConfirmation(db: Queryable, phone: string): Promise<OpenOrder | undefined> {
  const user = await userByPhone(db, phone);
  const isOwn = await hasToken(db, user?.id ?? "", "phone_ownership");
  if (user === undefined || user.phoneConfirmedAt !== null) return undefined;
  return { user, kind: isOwn ? "phone_ownership" : "phone_confirmation", phone };
}

/** Finds the user of a change of number: the client names the new number or the old one. */
async function openPhoneChange(db: Queryable, phone: string): Promise<OpenOrder | undefined> {
  const user = (await changingTo(db, "phone_change", phone)) ?? (await userByPhone(db, phone));
  const wanted = user?.phoneChange ?? null;
  if (user === undefined || wanted === null || !(await hasToken(db, user.id, "phone_change")))
    return undefined;
  return { user, kind: "phone_change", phone: wanted };
}

/** Returns the user whose change to this address or number is the newest. */
async function changingTo(
  db: Queryable,
  kind: "email_change_new" | "phone_change",
  sentTo: string,
): Promise<StoredUser | undefined> {
  const row = await one(
    db,
    "select user_id from auth_one_time_tokens where kind = $1 and sent_to = $2 order by created_at desc limit 1",
    [kind, sentTo],
  );
  return row === undefined ? undefined : userById(db, text(row, "user_id"));
}
