/** Second factors and their challenges as they are stored. */

import type { Queryable, Row } from "../../storage/port.ts";
import { one, text, textOrNull } from "./rows.ts";

export type FactorType = "totp" | "phone" | "webauthn";

export interface StoredFactor {
  readonly id: string;
  readonly userId: string;
  readonly friendlyName: string;
  readonly type: FactorType;
  readonly status: "verified" | "unverified";
  /** The TOTP seed, sealed. */
  readonly secret: string | null;
  readonly phone: string | null;
  /** The last 30-second step whose TOTP code was accepted, since a code is valid once. */
  readonly lastUsedStep: number | null;
  readonly credentialId: string | null;
  readonly publicKey: string | null;
  readonly signCount: number;
  readonly transports: readonly string[];
  readonly lastChallengedAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

function readFactor(row: Row): StoredFactor {
  const step = row["last_used_step"];
  return {
    id: text(row, "id"),
    userId: text(row, "user_id"),
    friendlyName: text(row, "friendly_name"),
    type: text(row, "factor_type") as FactorType,
    status: text(row, "status") as StoredFactor["status"],
    secret: textOrNull(row, "secret"),
    phone: textOrNull(row, "phone"),
    lastUsedStep: step === null || step === undefined ? null : Number(step),
    credentialId: textOrNull(row, "credential_id"),
    publicKey: textOrNull(row, "public_key"),
    signCount: Number(row["sign_count"] ?? 0),
    transports: JSON.parse(textOrNull(row, "transports") ?? "[]") as string[],
    lastChallengedAt: textOrNull(row, "last_challenged_at"),
    createdAt: text(row, "created_at"),
    updatedAt: text(row, "updated_at"),
  };
}

/** Returns a user's factors in the order in which they were enrolled. */
export async function factorsOf(db: Queryable, userId: string): Promise<readonly StoredFactor[]> {
  const found = await db.query(
    "select * from auth_factors where user_id = $1 order by created_at, id",
    [userId],
  );
  return found.rows.map(readFactor);
}

/** Returns a factor of this user; undefined when it is another user's. */
export async function factorOf(
  db: Queryable,
  userId: string,
  factorId: string,
): Promise<StoredFactor | undefined> {
  const row = await one(db, "select * from auth_factors where id = $1 and user_id = $2", [
    factorId,
    userId,
  ]);
  return row === undefined ? undefined : readFactor(row);
}

/** Whether a user has a second factor in use. */
export async function hasVerifiedFactor(db: Queryable, userId: string): Promise<boolean> {
  const row = await one(
    db,
    "select 1 as found from auth_factors where user_id = $1 and status = 'verified' limit 1",
    [userId],
  );
  return row !== undefined;
}

/** Deletes a factor with its challenges. Sessions that it raised to aal2 return to aal1. */
export async function deleteFactor(
  tx: Queryable,
  { id, userId }: Pick<StoredFactor, "id" | "userId">,
): Promise<void> {
  await tx.query(
    "update auth_sessions set aal = 'aal1', factor_id = null where user_id = $1 and factor_id = $2",
    [userId, id],
  );
  await tx.query("delete from auth_challenges where factor_id = $1", [id]);
  await tx.query("delete from auth_factors where id = $1", [id]);
}

export interface StoredChallenge {
  readonly id: string;
  readonly ip: string;
  readonly codeHash: string | null;
  /** The state of a WebAuthn ceremony, as JSON. */
  readonly ceremony: string | null;
  readonly guesses: number;
  readonly expiresAt: string;
}

/** Counts one guess at a challenge and returns the challenge; undefined when it is unknown. */
export async function takeGuess(
  db: Queryable,
  factorId: string,
  challengeId: string,
): Promise<StoredChallenge | undefined> {
  const row = await one(
    db,
    "update auth_challenges set guesses = guesses + 1 where id = $1 and factor_id = $2 returning *",
    [challengeId, factorId],
  );
  if (row === undefined) return undefined;
  return {
    id: text(row, "id"),
    ip: text(row, "ip"),
    codeHash: textOrNull(row, "code_hash"),
    ceremony: textOrNull(row, "ceremony"),
    guesses: Number(row["guesses"]),
    expiresAt: text(row, "expires_at"),
  };
}

/** Deletes a challenge. Only one of several callers gets true. */
export async function consumeChallenge(db: Queryable, challengeId: string): Promise<boolean> {
  const gone = await db.query("delete from auth_challenges where id = $1 returning id", [
    challengeId,
  ]);
  return gone.rows.length === 1;
}
