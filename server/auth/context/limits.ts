/**
 * Limits how often one client may ask. Each process keeps these limits itself; whatever concerns one account is
 * counted in the database.
 */

import { addressKey } from "../../limits/client-key.ts";
import { createKeyedBuckets } from "../../limits/token-bucket.ts";
import { AuthFault } from "../http/errors.ts";
import type { AuthSettings } from "../settings/settings.ts";

export type LimitName =
  | "otp"
  | "signup"
  | "signup_request"
  | "recover"
  | "resend"
  | "magiclink"
  | "user"
  | "reauthenticate"
  | "verify"
  | "token"
  | "sso"
  | "web3"
  | "anonymous"
  | "factor_verify"
  | "factor_challenge"
  | "saml_assertion"
  | "passkey"
  | "oauth"
  | "oauth_token"
  | "oauth_register"
  | BudgetName;

/** The budgets of messages that one client may cause: to accounts with a confirmed contact, and to all others. */
export type BudgetName = "mail_known" | "mail_new" | "text_known" | "text_new";

interface Limit {
  /** The number of requests at the same time, and again in each period. */
  readonly count: number;
  readonly perMs: number;
}

const FIVE_MINUTES = 300_000;

/** Returns a share of a limit, in percent, but at least 1. */
export function shareOf({ count, perMs }: Limit, percent: number): Limit {
  return { count: Math.max(1, Math.ceil((count * percent) / 100)), perMs };
}

/** Returns the limits as one table. */
export function limitTable(s: AuthSettings): Readonly<Record<LimitName, Limit>> {
  const often: Limit = { count: s.GOTRUE_RATE_LIMIT_OTP, perMs: FIVE_MINUTES };
  const factor: Limit = { count: s.GOTRUE_MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY, perMs: 60_000 };
  const mails = shareOf(s.GOTRUE_RATE_LIMIT_EMAIL_SENT, s.INKPOOL_MESSAGES_PER_CLIENT);
  const texts = shareOf(s.GOTRUE_RATE_LIMIT_SMS_SENT, s.INKPOOL_MESSAGES_PER_CLIENT);
  return {
    otp: often,
    signup: often,
    // It is counted before the body says which of the two it is.
    signup_request: {
      count:
        often.count +
        (s.GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED ? s.GOTRUE_RATE_LIMIT_ANONYMOUS_USERS : 0),
      perMs: FIVE_MINUTES,
    },
    recover: often,
    resend: often,
    magiclink: often,
    user: often,
    reauthenticate: often,
    verify: { count: s.GOTRUE_RATE_LIMIT_VERIFY, perMs: FIVE_MINUTES },
    token: { count: s.GOTRUE_RATE_LIMIT_TOKEN_REFRESH, perMs: FIVE_MINUTES },
    oauth: { count: s.GOTRUE_RATE_LIMIT_TOKEN_REFRESH, perMs: FIVE_MINUTES },
    oauth_token: { count: s.GOTRUE_RATE_LIMIT_TOKEN_REFRESH, perMs: FIVE_MINUTES },
    oauth_register: {
      count: s.GOTRUE_RATE_LIMIT_OAUTH_DYNAMIC_CLIENT_REGISTER,
      perMs: FIVE_MINUTES,
    },
    passkey: { count: s.GOTRUE_RATE_LIMIT_TOKEN_REFRESH, perMs: FIVE_MINUTES },
    sso: { count: s.GOTRUE_RATE_LIMIT_SSO, perMs: FIVE_MINUTES },
    web3: { count: s.GOTRUE_RATE_LIMIT_WEB3, perMs: FIVE_MINUTES },
    anonymous: { count: s.GOTRUE_RATE_LIMIT_ANONYMOUS_USERS, perMs: 3_600_000 },
    factor_verify: factor,
    factor_challenge: factor,
    saml_assertion: { count: s.GOTRUE_SAML_RATE_LIMIT_ASSERTION, perMs: FIVE_MINUTES },
    mail_known: mails,
    mail_new: mails,
    text_known: texts,
    text_new: texts,
  };
}

export interface AddressLimits {
  /** Counts one request of an address, which counts as `addressKey` says. @throws AuthFault over_request_rate_limit */
  take(name: LimitName, ip: string): void;
  /** Takes one message of an address' budget; false when nothing is left. */
  spend(name: BudgetName, ip: string): boolean;
  /** Whether nothing is left of an address' budget. */
  isSpent(name: BudgetName, ip: string): boolean;
}

/** Makes token buckets, one of each limit for each client: it starts full, and is refilled evenly. */
export function createLimits(
  table: Readonly<Record<LimitName, Limit>>,
  clock: () => number,
): AddressLimits {
  const buckets = new Map(
    Object.entries(table).map(([name, { count, perMs }]) => {
      const rate = { perSecond: (count * 1000) / perMs, burst: count };
      return [name, createKeyedBuckets({ rate, clock })];
    }),
  );
  return {
    take(name, ip) {
      const wait = buckets.get(name)?.take(addressKey(ip)) ?? 0;
      if (wait > 0) throw new AuthFault("over_request_rate_limit", "Request rate limit reached");
    },
    spend: (name, ip) => buckets.get(name)?.take(addressKey(ip)) === 0,
    isSpent: (name, ip) => buckets.get(name)?.wait(addressKey(ip)) !== 0,
  };
}
