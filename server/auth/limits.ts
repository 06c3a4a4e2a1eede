/** How often one address may ask. Kept by each process; what concerns one account is counted in the database. */

import { AuthFault } from "./errors.ts";
import type { AuthSettings } from "./settings/settings.ts";

export type LimitName =
  | "otp"
  | "signup"
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
  | "oauth";

interface Limit {
  /** Requests at once, and again in each period. */
  readonly count: number;
  readonly perMs: number;
}

const FIVE_MINUTES = 300_000;

/** The limits in one table. */
export function limitTable(s: AuthSettings): Readonly<Record<LimitName, Limit>> {
  const often: Limit = { count: s.GOTRUE_RATE_LIMIT_OTP, perMs: FIVE_MINUTES };
  const factor: Limit = { count: s.GOTRUE_MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY, perMs: 60_000 };
  return {
    otp: often,
    signup: often,
    recover: often,
    resend: often,
    magiclink: often,
    user: often,
    reauthenticate: often,
    verify: { count: s.GOTRUE_RATE_LIMIT_VERIFY, perMs: FIVE_MINUTES },
    token: { count: s.GOTRUE_RATE_LIMIT_TOKEN_REFRESH, perMs: FIVE_MINUTES },
    oauth: { count: s.GOTRUE_RATE_LIMIT_TOKEN_REFRESH, perMs: FIVE_MINUTES },
    passkey: { count: s.GOTRUE_RATE_LIMIT_TOKEN_REFRESH, perMs: FIVE_MINUTES },
    sso: { count: s.GOTRUE_RATE_LIMIT_SSO, perMs: FIVE_MINUTES },
    web3: { count: s.GOTRUE_RATE_LIMIT_WEB3, perMs: FIVE_MINUTES },
    anonymous: { count: s.GOTRUE_RATE_LIMIT_ANONYMOUS_USERS, perMs: 3_600_000 },
    factor_verify: factor,
    factor_challenge: factor,
    saml_assertion: { count: s.GOTRUE_SAML_RATE_LIMIT_ASSERTION, perMs: FIVE_MINUTES },
  };
}

export interface AddressLimits {
  /** Takes one request of an address. @throws AuthFault over_request_rate_limit */
  take(name: LimitName, ip: string): void;
}

interface Bucket {
  left: number;
  at: number;
}

/** Addresses that are remembered at once: an attacker with many cannot fill the memory. */
const MAX_BUCKETS = 50_000;

/** Token buckets: as many as the limit at once, refilled evenly. */
export function createLimits(
  table: Readonly<Record<LimitName, Limit>>,
  clock: () => number,
): AddressLimits {
  const buckets = new Map<string, Bucket>();
  return {
    take(name, ip) {
      const { count, perMs } = table[name];
      const key = `${name} ${network(ip)}`;
      const now = clock();
      const bucket = buckets.get(key) ?? { left: count, at: now };
      const left = Math.min(count, bucket.left + ((now - bucket.at) * count) / perMs);
      buckets.delete(key);
      buckets.set(key, { left: left < 1 ? left : left - 1, at: now });
      if (buckets.size > MAX_BUCKETS) {
        const oldest = buckets.keys().next().value;
        if (oldest !== undefined) buckets.delete(oldest);
      }
      if (left < 1) throw new AuthFault("over_request_rate_limit", "Request rate limit reached");
    },
  };
}

/** One household or company has a whole /64 of IPv6 addresses: they count as one. */
export function network(ip: string): string {
  if (!ip.includes(":")) return ip;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip);
  if (mapped?.[1] !== undefined) return mapped[1];
  const [head = "", tail] = ip.toLowerCase().split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array<string>(zeros).fill("0"), ...after];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":");
}
