/** Counts for one account or the whole installation. They are in the database, so that all processes count together. */

import { type Auth, timestamp as stamp } from "./context.ts";
import { AuthFault } from "../http/errors.ts";
import { addressKey } from "../../limits/client-key.ts";
import { sha256 } from "../secrets/secrets.ts";
import { one } from "../store/rows.ts";

/** Adds to a count, in one statement, and returns it; the window begins with the first. An `amount` of 0 counts nothing. */
export async function count(
  auth: Auth,
  key: string,
  windowMs: number,
  amount = 1,
): Promise<{ count: number; leftMs: number }> {
  const row = await one(
    auth.database,
    `insert into auth_counters (key, count, until_at) values ($1, $4, $2)
     on conflict (key) do update set
       count = case when auth_counters.until_at <= $3 then $4 else auth_counters.count + $4 end,
       until_at = case when auth_counters.until_at <= $3 then excluded.until_at else auth_counters.until_at end
     returning count, until_at`,
    [key, stamp(auth, windowMs), stamp(auth), amount],
  );
  return {
    count: Number(row?.["count"] ?? 1),
    leftMs: Date.parse(String(row?.["until_at"])) - auth.clock(),
  };
}

/**
 * Adds 1 to a count unless it has reached its limit, in one statement: simultaneous requests, even to several
 * processes, are counted one after the other. Returns false when the limit was reached, and counts nothing then.
 */
async function countBelow(
  auth: Auth,
  key: string,
  { limit, windowMs }: { readonly limit: number; readonly windowMs: number },
): Promise<boolean> {
  const row = await one(
    auth.database,
    `insert into auth_counters (key, count, until_at) values ($1, 1, $2)
     on conflict (key) do update set
       count = case when auth_counters.until_at <= $3 then 1 else auth_counters.count + 1 end,
       until_at = case when auth_counters.until_at <= $3 then excluded.until_at else auth_counters.until_at end
     where auth_counters.until_at <= $3 or auth_counters.count < $4
     returning count`,
    [key, stamp(auth, windowMs), stamp(auth), limit],
  );
  return row !== undefined;
}

/** Returns the count in the present window. */
export async function current(auth: Auth, key: string): Promise<number> {
  const row = await one(
    auth.database,
    "select count from auth_counters where key = $1 and until_at > $2",
    [key, stamp(auth)],
  );
  return Number(row?.["count"] ?? 0);
}

export type Guess = "password" | "code" | "factor";

/** Wrong guesses that one address may make at one account in five minutes. */
export const GUESSES_PER_ADDRESS = 10;
/** Wrong guesses at one account from everywhere in an hour, after which only addresses that it has sessions from may continue. */
export const GUESSES_PER_ACCOUNT = 100;

/** A guess at somebody's secret, which counts as wrong until it was right. */
export interface Guard {
  /** Notes that the secret was right: the address may continue, and the guess no longer counts. */
  right(): Promise<void>;
}

/**
 * Counts a guess before the secret is compared, so that simultaneous guesses cannot be compared before any of them
 * counts. `account` is what the peer named, whether it exists or not.
 * @throws AuthFault over_request_rate_limit
 */
export async function guardGuess(
  auth: Auth,
  kind: Guess,
  who: { readonly account: string; readonly ip: string; readonly userId: string | undefined },
): Promise<Guard> {
  const account = `${kind} ${sha256(who.account)}`;
  const pair = `${account} ${addressKey(who.ip)}`;
  const over = new AuthFault("over_request_rate_limit", "Request rate limit reached");
  const tries = await count(auth, pair, 300_000);
  if (tries.count > GUESSES_PER_ADDRESS) throw over;
  const limit = GUESSES_PER_ACCOUNT;
  const isCounted = await countBelow(auth, account, { limit, windowMs: 3_600_000 });
  // Somebody who guesses at a second factor has a session without it, which makes no address known.
  const aal = kind === "factor" ? "aal2" : "aal1";
  if (!isCounted && !(await isKnownAddress(auth, who.userId, who.ip, aal))) throw over;
  return {
    async right() {
      await auth.database.query("delete from auth_counters where key = $1", [pair]);
      if (isCounted)
        await auth.database.query(
          "update auth_counters set count = count - 1 where key = $1 and count > 0",
          [account],
        );
    },
  };
}

/**
 * Whether the person has a session of their own from this client's address: the address of an OAuth client's server
 * proves nothing. With `aal2` only sessions with a second factor count.
 */
export async function isKnownAddress(
  auth: Auth,
  userId: string | undefined,
  ip: string,
  aal: "aal1" | "aal2" = "aal1",
): Promise<boolean> {
  const row = await one(
    auth.database,
    `select 1 as known from auth_sessions
     where user_id = $1 and ip = $2 and oauth_client_id is null and aal >= $3 limit 1`,
    [userId ?? "", addressKey(ip), aal],
  );
  return row !== undefined;
}

/** Milliseconds for which a client that registered itself is stored while nobody has approved it. */
const UNUSED_CLIENT_MS = 30 * 86_400_000;

/** Milliseconds for which the reuse of a refresh token ends its session; GoTrue forgets a used token after a day. */
const USED_TOKEN_MS = 30 * 86_400_000;

/** Greatest number of refresh tokens that are removed at once: an old installation may have millions. */
const TOKENS_AT_ONCE = 10_000;

/** Removes expired rows. */
export async function removeExpired(
  auth: Pick<Auth, "clock" | "database" | "settings">,
): Promise<void> {
  const now = stamp(auth);
  await auth.database.query("delete from auth_counters where until_at <= $1", [now]);
  for (const table of [
    "auth_one_time_tokens",
    "auth_flow_states",
    "auth_challenges",
    "auth_ceremonies",
    "auth_oauth_authorizations",
  ])
    await auth.database.query(`delete from ${table} where expires_at <= $1`, [now]);
  await auth.database.query(
    "delete from auth_factors where status = 'unverified' and created_at <= $1",
    [stamp(auth, -Math.max(auth.settings.GOTRUE_MFA_FACTOR_EXPIRY_DURATION, 3_600_000))],
  );
  await auth.database.query(
    `delete from auth_oauth_clients
     where registration_type = 'dynamic' and approved_at is null and created_at <= $1`,
    [stamp(auth, -UNUSED_CLIENT_MS)],
  );
  await removeUsedTokens(auth);
  const retention = auth.settings.INKPOOL_AUDIT_LOG_RETENTION;
  if (retention !== null)
    await auth.database.query("delete from auth_audit_log where created_at <= $1", [
      stamp(auth, -retention),
    ]);
}

/**
 * Removes refresh tokens that were used long ago. The last used one of a session stays, since it is valid until its
 * successor is used. A request that has locked a token keeps it, so that the two do not wait for each other.
 */
async function removeUsedTokens(auth: Pick<Auth, "clock" | "database">): Promise<void> {
  const unlocked = auth.database.dialect === "postgres" ? "for update of t skip locked" : "";
  await auth.database.query(
    `delete from auth_refresh_tokens where token_hash in (
       select t.token_hash from auth_refresh_tokens t
       where t.used_at <= $1 and exists (
         select 1 from auth_refresh_tokens n where n.session_id = t.session_id and n.used_at > t.used_at)
       limit ${TOKENS_AT_ONCE} ${unlocked})`,
    [stamp(auth, -USED_TOKEN_MS)],
  );
}
