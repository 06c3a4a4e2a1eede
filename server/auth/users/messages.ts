/** Sending a user what proves that an address or number is theirs. Inside a transaction only the token is made. */

import type { Queryable } from "../../storage/port.ts";
import type { Auth } from "../context.ts";
import { stamp } from "../context.ts";
import { postMail } from "../mail/messages.ts";
import type { MailKind } from "../mail/templates.ts";
import { fillText } from "../sms/messages.ts";
import { updateUser } from "../store/users.ts";
import type { StoredUser } from "../store/users.ts";
import { openFlow } from "../tokens/flows.ts";
import type { Challenge } from "../tokens/flows.ts";
import { issueToken } from "../tokens/onetime.ts";
import type { OneTimeToken, TokenKind } from "../tokens/onetime.ts";

/** How the link's session is to be handed out and where. */
export interface Return {
  readonly redirectTo: string;
  readonly challenge?: Challenge | undefined;
}

/** One kind of mail: its token, its template, the link's type and the moment that the user's JSON shows. */
interface Occasion {
  readonly token: TokenKind;
  readonly mail: MailKind;
  readonly type: string;
  readonly sentAt: string;
}

export const OCCASIONS = {
  signup: {
    token: "confirmation",
    mail: "confirmation",
    type: "signup",
    sentAt: "confirmation_sent_at",
  },
  invite: { token: "confirmation", mail: "invite", type: "invite", sentAt: "confirmation_sent_at" },
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
} as const satisfies Readonly<Record<string, Occasion>>;

export type OccasionName = keyof typeof OCCASIONS;

/** A mail whose token is stored; it leaves when the transaction is through. */
export interface Prepared {
  readonly user: StoredUser;
  readonly token: OneTimeToken;
  readonly name: OccasionName;
  readonly to: string;
  readonly redirectTo: string;
}

export async function prepareMail(
  auth: Auth,
  tx: Queryable,
  user: StoredUser,
  order: { readonly name: OccasionName; readonly to: string; readonly back: Return },
): Promise<Prepared> {
  const occasion: Occasion = OCCASIONS[order.name];
  const lifeMs = auth.settings.GOTRUE_MAILER_OTP_EXP * 1000;
  const { challenge } = order.back;
  const flowId =
    challenge === undefined
      ? undefined
      : await openFlow(auth, tx, { kind: "mail", lifeMs, challenge, userId: user.id });
  const token = await issueToken(auth, tx, {
    userId: user.id,
    kind: occasion.token,
    sentTo: order.to,
    digits: auth.settings.GOTRUE_MAILER_OTP_LENGTH,
    lifeMs,
    flowId,
  });
  const now = stamp(auth);
  const changed = await updateUser(tx, user.id, {
    [occasion.sentAt]: now,
    ...(order.name === "invite" ? { invited_at: now } : {}),
  });
  return {
    user: changed,
    token,
    name: order.name,
    to: order.to,
    redirectTo: order.back.redirectTo,
  };
}

export function sendPrepared(auth: Auth, mail: Prepared): void {
  const occasion: Occasion = OCCASIONS[mail.name];
  postMail(auth, {
    kind: occasion.mail,
    type: occasion.type,
    user: mail.user,
    to: mail.to,
    newEmail: mail.user.emailChange ?? undefined,
    token: mail.token,
    redirectTo: mail.redirectTo,
  });
}

export type Channel = "sms" | "whatsapp";

/** A text message whose code is stored. */
export interface PreparedText {
  readonly user: StoredUser;
  readonly phone: string;
  readonly code: string;
  readonly channel: Channel;
}

export async function prepareText(
  auth: Auth,
  tx: Queryable,
  user: StoredUser,
  order: { readonly kind: TokenKind; readonly phone: string; readonly channel: Channel },
): Promise<PreparedText> {
  const token = await issueToken(auth, tx, {
    userId: user.id,
    kind: order.kind,
    sentTo: order.phone,
    digits: auth.settings.GOTRUE_SMS_OTP_LENGTH,
    lifeMs: auth.settings.GOTRUE_SMS_OTP_EXP * 1000,
    code: testCode(auth, order.phone),
  });
  const column = SENT_AT[order.kind];
  const changed =
    column === undefined ? user : await updateUser(tx, user.id, { [column]: stamp(auth) });
  return { user: changed, phone: order.phone, code: token.code, channel: order.channel };
}

const SENT_AT: Partial<Readonly<Record<TokenKind, string>>> = {
  phone_confirmation: "confirmation_sent_at",
  phone_change: "phone_change_sent_at",
  reauthentication: "reauthentication_sent_at",
};

export function sendText(auth: Auth, text: PreparedText): void {
  if (testCode(auth, text.phone) !== undefined) return;
  auth.texts.post({
    phone: text.phone,
    code: text.code,
    text: fillText(auth.settings.GOTRUE_SMS_TEMPLATE, text.code),
    channel: text.channel,
    user: {
      id: text.user.id,
      phone: text.user.phone ?? text.phone,
      role: text.user.role,
      aud: text.user.aud,
    },
  });
}

/** The fixed code of a test number, as long as those are good. */
export function testCode(auth: Auth, phone: string): string | undefined {
  const until = auth.settings.GOTRUE_SMS_TEST_OTP_VALID_UNTIL;
  if (until !== null && auth.clock() >= until) return undefined;
  return auth.settings.GOTRUE_SMS_TEST_OTP.get(phone);
}
