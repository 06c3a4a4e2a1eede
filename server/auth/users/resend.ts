/** POST /resend: a mail or text message once more. GoTrue's empty response, and no count, when there is nothing to send. */

import type { Queryable } from "../../storage/port.ts";
import { audit } from "../context/audit.ts";
import { memberShare, requireMail, requireText } from "../context/budgets.ts";
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
  prepareText,
  requireSmsSender,
  returnOf,
  sendMail,
  sendText,
} from "./send.ts";

/** @throws AuthFault validation_failed, over_email_send_rate_limit, over_sms_send_rate_limit */
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
  const user = await userByEmail(auth.database, email);
  if (user === undefined || user.emailConfirmedAt !== null) return empty;
  const { ip } = request;
  await requireMail(auth, { kind: "signup", to: email, ip, share: "new", userId: user.id });
  const mail = await auth.database.transaction(async (tx) => {
    await audit(auth, tx, { action: "user_confirmation_requested", ip: request.ip, actor: user });
    return prepareMail(auth, tx, user, { name: "signup", to: email, back });
  });
  sendMail(auth, mail);
  return empty;
}

async function resendEmailChange(
  auth: Auth,
  request: AuthRequest,
  email: string,
): Promise<AuthResponse> {
  const back = returnOf(auth, request);
  const { database } = auth;
  const user =
    (await userByEmail(database, email)) ?? (await changingTo(database, "email_change_new", email));
  if (user === undefined || user.emailChange === null) return empty;
  await requireMail(auth, {
    kind: "email_change",
    to: email,
    ip: request.ip,
    ...memberShare(user),
  });
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
  const order = await (type === "sms"
    ? openConfirmation(database, phone)
    : openPhoneChange(database, phone));
  if (order === undefined) return empty;
  requireSmsSender(auth, order.phone);
  await requireText(auth, { kind: type, to: phone, ip: request.ip, ...memberShare(order.user) });
  const { user, ...rest } = order;
  const message = await database.transaction((tx) =>
    prepareText(auth, tx, user, { ...rest, channel: "sms" }),
  );
  sendText(auth, message);
  return empty;
}

interface OpenOrder {
  readonly user: StoredUser;
  readonly kind: "phone_confirmation" | "phone_change";
  readonly phone: string;
}

async function openConfirmation(db: Queryable, phone: string): Promise<OpenOrder | undefined> {
  const user = await userByPhone(db, phone);
  if (user === undefined || user.phoneConfirmedAt !== null) return undefined;
  return { user, kind: "phone_confirmation", phone };
}

/** The client names the new number or the old one. */
async function openPhoneChange(db: Queryable, phone: string): Promise<OpenOrder | undefined> {
  const user = (await changingTo(db, "phone_change", phone)) ?? (await userByPhone(db, phone));
  const wanted = user?.phoneChange ?? null;
  if (user === undefined || wanted === null || !(await hasToken(db, user.id, "phone_change")))
    return undefined;
  return { user, kind: "phone_change", phone: wanted };
}

/** The user whose change to this address or number is the newest. */
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
