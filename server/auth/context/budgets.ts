/**
 * Decides who may cause how many mails and text messages. The whole installation sends so many in an hour, a part of
 * them only to confirmed accounts; one client and one recipient have a share. Strangers therefore cannot keep an
 * account from its mail, and neither the response nor its statements reveal whether there is an account.
 */

import type { Auth } from "./context.ts";
import { count, current, isKnownAddress } from "./counters.ts";
import { AuthFault } from "../http/errors.ts";
import { shareOf } from "./limits.ts";
import { sha256 } from "../secrets/secrets.ts";
import type { StoredUser } from "../store/users.ts";

/**
 * The share to which a message counts: `known` is that of accounts with a confirmed contact, `new` that of everybody
 * else. With `none` no message follows, and the request only has to look like one that sends.
 */
export type Share = "known" | "new" | "none";

export interface Message {
  /** The kind, of which a recipient gets one message in a while. */
  readonly kind: string;
  /** The email address or phone number. */
  readonly to: string;
  /** The client's address. */
  readonly ip: string;
  readonly share: Share;
  /** The account that the recipient has or that asks; undefined when there is none. */
  readonly userId: string | undefined;
}

/**
 * Counts a mail before it is composed. Returns false when the share of new addresses is used up: then the response is
 * the usual one, and no mail is sent.
 * @throws AuthFault over_email_send_rate_limit
 */
export function takeMail(auth: Auth, message: Message): Promise<boolean> {
  return take(auth, "mail", message, auth.settings.GOTRUE_SMTP_MAX_FREQUENCY);
}

/** Counts a text message, as `takeMail` does. @throws AuthFault over_sms_send_rate_limit */
export function takeText(
  auth: Auth,
  message: Message,
  frequencyMs = auth.settings.GOTRUE_SMS_MAX_FREQUENCY,
): Promise<boolean> {
  return take(auth, "text", message, frequencyMs);
}

/**
 * Requires that a mail may be sent, where the response need not hide that the share of new addresses is used up.
 * @throws AuthFault over_email_send_rate_limit
 */
export async function requireMail(auth: Auth, message: Message): Promise<void> {
  if (!(await takeMail(auth, message))) throw usedUp("mail");
}

/** Requires that a text message may be sent, as `requireMail` does for mails. @throws AuthFault over_sms_send_rate_limit */
export async function requireText(
  auth: Auth,
  message: Message,
  frequencyMs?: number,
): Promise<void> {
  if (!(await takeText(auth, message, frequencyMs))) throw usedUp("text");
}

/** Returns the share of a user who asks with a session, or about a change of their own: theirs, wherever the message goes. */
export function memberShare(user: StoredUser): Pick<Message, "share" | "userId"> {
  const isConfirmed = user.emailConfirmedAt !== null || user.phoneConfirmedAt !== null;
  return { share: isConfirmed ? "known" : "new", userId: user.id };
}

type Medium = "mail" | "text";

const OVER = {
  mail: ["over_email_send_rate_limit", "email rate limit exceeded"],
  text: ["over_sms_send_rate_limit", "SMS rate limit exceeded"],
} as const;

function usedUp(medium: Medium): AuthFault {
  const [code, says] = OVER[medium];
  return new AuthFault(code, says);
}

/**
 * Counts a message. The order matters: one that is refused for its client or recipient starts no waiting time for the
 * recipient's own requests.
 */
async function take(
  auth: Auth,
  medium: Medium,
  message: Message,
  frequencyMs: number,
): Promise<boolean> {
  const { ip, share } = message;
  if (auth.limits.isSpent(`${medium}_known`, ip)) throw usedUp(medium);
  await countRecipient(auth, medium, message, frequencyMs);
  const counts = share !== "none" && auth.limits.spend(`${medium}_${share}`, ip);
  if (share === "known" && !counts) throw usedUp(medium);
  return countAll(auth, medium, share, counts ? 1 : 0);
}

async function countRecipient(
  auth: Auth,
  medium: Medium,
  message: Message,
  frequencyMs: number,
): Promise<void> {
  const { kind, ip, userId } = message;
  const rate = rateOf(auth, medium);
  const to = sha256(message.to);
  const limit = shareOf(rate, auth.settings.INKPOOL_MESSAGES_PER_RECIPIENT).count;
  const received = await current(auth, `${medium}s ${to}`);
  if (received >= limit && !(await isKnownAddress(auth, userId, ip))) throw usedUp(medium);
  const own = await count(auth, `${medium} ${kind} ${to}`, frequencyMs);
  if (own.count > 1) throw new AuthFault(OVER[medium][0], tooSoon(own.leftMs));
  await count(auth, `${medium}s ${to}`, rate.perMs);
}

/**
 * Counts the message of the installation, and returns whether it may be sent. Confirmed accounts have whatever the
 * others leave, and the reserve in any case. Whether they have any left decides the fault for all requests, so that
 * it does not reveal who has an account.
 */
async function countAll(auth: Auth, medium: Medium, share: Share, amount: 0 | 1): Promise<boolean> {
  const rate = rateOf(auth, medium);
  const reserve = Math.floor((rate.count * auth.settings.INKPOOL_MESSAGES_RESERVE) / 100);
  const forNew = rate.count - reserve;
  const [own, other] = share === "known" ? ["known", "new"] : ["new", "known"];
  const counted = (await count(auth, `${medium}s ${own}`, rate.perMs, amount)).count;
  const otherCount = await current(auth, `${medium}s ${other}`);
  const [known, fresh] = share === "known" ? [counted, otherCount] : [otherCount, counted];
  const fits = share === "known" || (amount === 1 && fresh <= forNew);
  const left = rate.count - Math.min(fresh, forNew) - known;
  if (left < (fits ? 0 : 1)) throw usedUp(medium);
  return fits;
}

function rateOf({ settings: s }: Auth, medium: Medium): { count: number; perMs: number } {
  return medium === "mail" ? s.GOTRUE_RATE_LIMIT_EMAIL_SENT : s.GOTRUE_RATE_LIMIT_SMS_SENT;
}

function tooSoon(leftMs: number): string {
  const seconds = Math.max(1, Math.ceil(leftMs / 1000));
  return `For security purposes, you can only request this after ${seconds} seconds.`;
}
