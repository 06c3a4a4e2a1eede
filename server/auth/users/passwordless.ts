/** Links and codes on request: POST /otp, /magiclink, /recover, /resend, GET /reauthenticate. None tells whether an address has an account. */

import type { Queryable } from "../../storage/port.ts";
import { audit } from "../audit.ts";
import type { Caller } from "../caller.ts";
import { requireUser } from "../caller.ts";
import type { Auth } from "../context.ts";
import { takeMail, takeText } from "../counters.ts";
import { AuthFault } from "../errors.ts";
import { flagField, ok, recordField, requiredText, textField } from "../request.ts";
import type { Answer, AuthRequest } from "../request.ts";
import { one, text } from "../store/rows.ts";
import { userByEmail, userById, userByPhone } from "../store/users.ts";
import type { StoredUser } from "../store/users.ts";
import { readChallenge } from "../tokens/flows.ts";
import { hasToken } from "../tokens/onetime.ts";
import { createUser } from "./accounts.ts";
import { readEmail, readPhone } from "./contact.ts";
import { prepareMail, prepareText, sendPrepared, sendText } from "./messages.ts";
import type { Prepared, PreparedText, Return } from "./messages.ts";
import { againstRaces, readChannel, redirectOf } from "./signup.ts";

/** GoTrue's empty answer. */
const DONE = ok({});

export async function sendOtp(auth: Auth, request: AuthRequest): Promise<Answer> {
  const email = textField(request.body, "email");
  const phone = textField(request.body, "phone");
  if ((email === undefined) === (phone === undefined))
    throw new AuthFault(
      "validation_failed",
      "Only an email address or phone number should be provided",
    );
  return email === undefined
    ? sendPhoneOtp(auth, request, readPhone(phone ?? ""))
    : sendMagicLink(auth, request, readEmail(email));
}

function back(auth: Auth, request: AuthRequest): Return {
  return {
    redirectTo: auth.redirects.choose(redirectOf(request)),
    challenge: readChallenge(request.body),
  };
}

async function sendMagicLink(auth: Auth, request: AuthRequest, email: string): Promise<Answer> {
  const s = auth.settings;
  if (!s.GOTRUE_EXTERNAL_EMAIL_ENABLED)
    throw new AuthFault("email_provider_disabled", "Email logins are disabled");
  if (!s.GOTRUE_EXTERNAL_EMAIL_MAGIC_LINK_ENABLED)
    throw new AuthFault("otp_disabled", "Login with magic link is disabled");
  const where = back(auth, request);
  const data = recordField(request.body, "data");
  const mayCreate = (flagField(request.body, "create_user") ?? true) && !s.GOTRUE_DISABLE_SIGNUP;
  await takeMail(auth, "otp", email);
  const mail = await againstRaces(() =>
    auth.database.transaction(async (tx): Promise<Prepared | undefined> => {
      const known = await userByEmail(tx, email);
      if (known === undefined && !mayCreate) return undefined;
      const emailConfirmed = s.GOTRUE_MAILER_AUTOCONFIRM;
      const user = known ?? (await createUser(auth, tx, { email, data, emailConfirmed }));
      await audit(auth, tx, { action: "user_recovery_requested", ip: request.ip, actor: user });
      const name = user.emailConfirmedAt === null ? "signup" : "magiclink";
      return prepareMail(auth, tx, user, { name, to: email, back: where });
    }),
  );
  if (mail !== undefined) sendPrepared(auth, mail);
  return DONE;
}

async function sendPhoneOtp(auth: Auth, request: AuthRequest, phone: string): Promise<Answer> {
  const s = auth.settings;
  if (!s.GOTRUE_EXTERNAL_PHONE_ENABLED)
    throw new AuthFault("phone_provider_disabled", "Unsupported phone provider");
  const channel = readChannel(request);
  const data = recordField(request.body, "data");
  const mayCreate = (flagField(request.body, "create_user") ?? true) && !s.GOTRUE_DISABLE_SIGNUP;
  await takeText(auth, "otp", phone, s.GOTRUE_SMS_MAX_FREQUENCY);
  const message = await againstRaces(() =>
    auth.database.transaction(async (tx): Promise<PreparedText | undefined> => {
      const known = await userByPhone(tx, phone);
      if (known === undefined && !mayCreate) return undefined;
      const user = known ?? (await createUser(auth, tx, { phone, data }));
      await audit(auth, tx, { action: "user_recovery_requested", ip: request.ip, actor: user });
      return prepareText(auth, tx, user, { kind: "phone_confirmation", phone, channel });
    }),
  );
  if (message !== undefined) sendText(auth, message);
  return ok({ message_id: "" });
}

export async function recover(auth: Auth, request: AuthRequest): Promise<Answer> {
  if (!auth.settings.GOTRUE_EXTERNAL_EMAIL_ENABLED)
    throw new AuthFault("email_provider_disabled", "Email logins are disabled");
  const given = textField(request.body, "email");
  if (given === undefined)
    throw new AuthFault("validation_failed", "Password recovery requires an email");
  const email = readEmail(given);
  const where = back(auth, request);
  await takeMail(auth, "recovery", email);
  const mail = await auth.database.transaction(async (tx): Promise<Prepared | undefined> => {
    const user = await userByEmail(tx, email);
    if (user === undefined) return undefined;
    await audit(auth, tx, { action: "user_recovery_requested", ip: request.ip, actor: user });
    return prepareMail(auth, tx, user, { name: "recovery", to: email, back: where });
  });
  if (mail !== undefined) sendPrepared(auth, mail);
  return DONE;
}

export async function resend(auth: Auth, request: AuthRequest): Promise<Answer> {
  const type = requiredText(request.body, "type");
  const email = textField(request.body, "email");
  const phone = textField(request.body, "phone");
  if (type === "signup" || type === "email_change") {
    if (email === undefined || phone !== undefined)
      throw new AuthFault("validation_failed", "Type provided requires an email address");
    return type === "signup"
      ? resendSignUp(auth, request, readEmail(email))
      : resendEmailChange(auth, request, readEmail(email));
  }
  if (type === "sms" || type === "phone_change") {
    if (phone === undefined || email !== undefined)
      throw new AuthFault("validation_failed", "Type provided requires a phone number");
    return resendText(auth, type, readPhone(phone));
  }
  throw new AuthFault(
    "validation_failed",
    "Missing one of these types: signup, email_change, sms, phone_change",
  );
}

async function resendSignUp(auth: Auth, request: AuthRequest, email: string): Promise<Answer> {
  const where = back(auth, request);
  await takeMail(auth, "signup", email);
  const mail = await auth.database.transaction(async (tx): Promise<Prepared | undefined> => {
    const user = await userByEmail(tx, email);
    if (user === undefined || user.emailConfirmedAt !== null) return undefined;
    await audit(auth, tx, { action: "user_confirmation_requested", ip: request.ip, actor: user });
    return prepareMail(auth, tx, user, { name: "signup", to: email, back: where });
  });
  if (mail !== undefined) sendPrepared(auth, mail);
  return DONE;
}

async function resendEmailChange(auth: Auth, request: AuthRequest, email: string): Promise<Answer> {
  const where = back(auth, request);
  await takeMail(auth, "email_change", email);
  const mails = await auth.database.transaction(async (tx) => {
    const user =
      (await userByEmail(tx, email)) ?? (await whoChanges(tx, "email_change_new", email));
    return user === undefined || user.emailChange === null
      ? []
      : prepareEmailChange(auth, tx, user, where);
  });
  for (const mail of mails) sendPrepared(auth, mail);
  return DONE;
}

/** A mail to the new address, and one to the old address when both have to agree. */
export async function prepareEmailChange(
  auth: Auth,
  tx: Queryable,
  user: StoredUser,
  where: Return,
): Promise<Prepared[]> {
  const mails: Prepared[] = [];
  const secure = auth.settings.GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED;
  if (secure && user.email !== null)
    mails.push(
      await prepareMail(auth, tx, user, {
        name: "email_change_current",
        to: user.email,
        back: where,
      }),
    );
  const wanted = user.emailChange;
  // Somebody else's address gets no mail, and the answer does not say so.
  if (wanted !== null && (await userByEmail(tx, wanted)) === undefined)
    mails.push(
      await prepareMail(auth, tx, user, { name: "email_change_new", to: wanted, back: where }),
    );
  return mails;
}

async function whoChanges(
  tx: Queryable,
  kind: "email_change_new" | "phone_change",
  sentTo: string,
): Promise<StoredUser | undefined> {
  const row = await one(
    tx,
    "select user_id from auth_one_time_tokens where kind = $1 and sent_to = $2 order by created_at desc limit 1",
    [kind, sentTo],
  );
  return row === undefined ? undefined : userById(tx, text(row, "user_id"));
}

async function resendText(
  auth: Auth,
  type: "sms" | "phone_change",
  phone: string,
): Promise<Answer> {
  await takeText(auth, type, phone, auth.settings.GOTRUE_SMS_MAX_FREQUENCY);
  const message = await auth.database.transaction(async (tx): Promise<PreparedText | undefined> => {
    if (type === "sms") {
      const user = await userByPhone(tx, phone);
      if (user === undefined || user.phoneConfirmedAt !== null) return undefined;
      return prepareText(auth, tx, user, { kind: "phone_confirmation", phone, channel: "sms" });
    }
    const user = (await whoChanges(tx, "phone_change", phone)) ?? (await userByPhone(tx, phone));
    const wanted = user?.phoneChange ?? null;
    if (user === undefined || wanted === null || !(await hasToken(tx, user.id, "phone_change")))
      return undefined;
    return prepareText(auth, tx, user, { kind: "phone_change", phone: wanted, channel: "sms" });
  });
  if (message !== undefined) sendText(auth, message);
  return ok({ message_id: "" });
}

/** A nonce for a change of password, by mail or else by text message. */
export async function reauthenticate(auth: Auth, request: AuthRequest): Promise<Answer> {
  const caller: Caller = await requireUser(auth, request);
  const { email, phone } = caller.user;
  if (email !== null && caller.user.emailConfirmedAt !== null) {
    await takeMail(auth, "reauthentication", email);
    const where = { redirectTo: auth.urls.site() };
    const mail = await auth.database.transaction(async (tx) => {
      await audit(auth, tx, {
        action: "user_reauthenticate_requested",
        ip: request.ip,
        actor: caller.user,
      });
      return prepareMail(auth, tx, caller.user, {
        name: "reauthentication",
        to: email,
        back: where,
      });
    });
    sendPrepared(auth, mail);
    return DONE;
  }
  if (phone === null || caller.user.phoneConfirmedAt === null)
    throw new AuthFault(
      "validation_failed",
      "Reauthentication requires the user to have an email or a phone number",
    );
  await takeText(auth, "reauthentication", phone, auth.settings.GOTRUE_SMS_MAX_FREQUENCY);
  const message = await auth.database.transaction(async (tx) => {
    await audit(auth, tx, {
      action: "user_reauthenticate_requested",
      ip: request.ip,
      actor: caller.user,
    });
    return prepareText(auth, tx, caller.user, { kind: "reauthentication", phone, channel: "sms" });
  });
  sendText(auth, message);
  return DONE;
}
