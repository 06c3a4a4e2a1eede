/** Links and codes that work once: their hashes in the database, and their redemption. */

import { randomUUID } from "node:crypto";
import type { Queryable, Row } from "../../storage/port.ts";
import { type Auth, isExpired, timestamp } from "../context/context.ts";
import { randomCode, randomLinkToken, sameText, sha256 } from "../secrets/secrets.ts";
import { one, text, textOrNull } from "../store/rows.ts";
import { lockUser } from "../store/users.ts";

/** A sign-up's own message carries a `confirmation`; a link, code or invitation to an unconfirmed contact an `ownership`. */
export type TokenKind =
  | "confirmation"
  | "ownership"
  | "recovery"
  | "email_change_current"
  | "email_change_new"
  | "reauthentication"
  | "phone_confirmation"
  | "phone_ownership"
  | "phone_change";

/** Wrong guesses after which a code is void; the link of the same mail still works. */
export const MAX_GUESSES = 5;

/** The prefix of link tokens that end in a code for the exchange of PKCE instead of a session. */
export const PKCE_PREFIX = "pkce_";

export interface NewToken {
  readonly userId: string;
  readonly kind: TokenKind;
  /** The email address or phone number to which it is sent. */
  readonly sentTo: string;
  /** Number of digits of the code. */
  readonly digits: number;
  readonly validMs: number;
  readonly flowId?: string | undefined;
  /** The fixed code of a test number. */
  readonly code?: string | undefined;
}

/** The secrets themselves. They are put into a mail or into a response to the service key, nowhere else. */
export interface OneTimeToken {
  readonly link: string;
  readonly code: string;
}

/** A token whose code was guessed, and which is not redeemed yet. */
export interface GuessedToken {
  readonly id: string;
  readonly userId: string;
}

/** A token that was redeemed and thereby deleted. */
export interface TakenToken {
  readonly userId: string;
  readonly kind: TokenKind;
  readonly sentTo: string;
  readonly flowId: string | null;
}

/**
 * Issues a token, which replaces the user's earlier one of this kind. For an id that no user has, the same statement
 * stores nothing.
 */
export async function issueToken(
  auth: Auth,
  tx: Queryable,
  token: NewToken,
): Promise<OneTimeToken> {
  const link = `${token.flowId === undefined ? "" : PKCE_PREFIX}${randomLinkToken()}`;
  const code = token.code ?? randomCode(token.digits);
  await tx.query(
    `insert into auth_one_time_tokens
       (id, user_id, kind, sent_to, link_hash, code_hash, guesses, flow_id, expires_at, created_at)
     select $1, id, $3, $4, $5, $6, 0, $7, $8, $9 from auth_users where id = $2
     on conflict (user_id, kind) do update set
       id = excluded.id, sent_to = excluded.sent_to, link_hash = excluded.link_hash,
       code_hash = excluded.code_hash, guesses = 0, flow_id = excluded.flow_id,
       expires_at = excluded.expires_at, created_at = excluded.created_at`,
    [
      randomUUID(),
      token.userId,
      token.kind,
      token.sentTo,
      sha256(link),
      hashCode(auth, token.userId, token.kind, code),
      token.flowId ?? null,
      timestamp(auth, token.validMs),
      timestamp(auth),
    ],
  );
  return { link, code };
}

/** Redeems the token of a link; undefined when it is unknown, used, too old or of another kind. */
export async function takeLink(
  auth: Auth,
  tx: Queryable,
  link: string,
  kinds: readonly TokenKind[],
): Promise<TakenToken | undefined> {
  const hash = sha256(link);
  const owner = await one(tx, "select user_id from auth_one_time_tokens where link_hash = $1", [
    hash,
  ]);
  if (owner !== undefined) await lockUser(tx, text(owner, "user_id"));
  const marks = kinds.map((_, index) => `$${index + 2}`).join(", ");
  const row = await one(
    tx,
    `delete from auth_one_time_tokens where link_hash = $1 and kind in (${marks}) returning *`,
    [hash, ...kinds],
  );
  return row === undefined || isExpired(auth, text(row, "expires_at")) ? undefined : taken(row);
}

/**
 * Counts a guess at a code that was sent to an address of this user. Returns its token, to be redeemed by
 * `redeemGuessed`; undefined in the same cases as for a link, and after MAX_GUESSES wrong guesses. Call it outside of a
 * transaction, since a wrong guess counts whatever follows.
 */
export async function guessCode(
  auth: Auth,
  db: Queryable,
  guess: {
    readonly userId: string | undefined;
    readonly kinds: readonly TokenKind[];
    readonly sentTo: string;
    readonly code: string;
  },
): Promise<GuessedToken | undefined> {
  for (const kind of guess.kinds) {
    const row = await one(
      db,
      `update auth_one_time_tokens set guesses = guesses + 1
       where user_id = $1 and kind = $2 and sent_to = $3 and guesses < $4 returning *`,
      [guess.userId ?? "", kind, guess.sentTo, MAX_GUESSES],
    );
    // Without a row the code is hashed and compared as well: an unknown address takes as long as a known one.
    const stored = row === undefined ? null : textOrNull(row, "code_hash");
    const right = sameText(hashCode(auth, guess.userId ?? "", kind, guess.code), stored ?? "");
    if (!right || row === undefined || isExpired(auth, text(row, "expires_at"))) continue;
    return { id: text(row, "id"), userId: text(row, "user_id") };
  }
  return undefined;
}

/** Redeems the token of a guessed code; undefined when it was redeemed, replaced or deleted meanwhile. */
export async function redeemGuessed(
  tx: Queryable,
  { id, userId }: GuessedToken,
): Promise<TakenToken | undefined> {
  await lockUser(tx, userId);
  const row = await one(tx, "delete from auth_one_time_tokens where id = $1 returning *", [id]);
  return row === undefined ? undefined : taken(row);
}

/** Deletes the user's open tokens of these kinds. */
export async function dropTokens(
  tx: Queryable,
  userId: string,
  kinds: readonly TokenKind[],
): Promise<void> {
  for (const kind of kinds)
    await tx.query("delete from auth_one_time_tokens where user_id = $1 and kind = $2", [
      userId,
      kind,
    ]);
}

/** Whether the user has an open token of this kind. */
export async function hasToken(db: Queryable, userId: string, kind: TokenKind): Promise<boolean> {
  const row = await one(
    db,
    "select 1 as found from auth_one_time_tokens where user_id = $1 and kind = $2",
    [userId, kind],
  );
  return row !== undefined;
}

function hashCode(auth: Auth, userId: string, kind: TokenKind, code: string): string {
  return auth.pepper.code(`${userId} ${kind}`, code);
}

function taken(row: Row): TakenToken {
  return {
    userId: text(row, "user_id"),
    kind: text(row, "kind") as TokenKind,
    sentTo: text(row, "sent_to"),
    flowId: textOrNull(row, "flow_id"),
  };
}
