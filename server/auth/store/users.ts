/** Users as they are stored, and their identities. */

import type { Queryable, Row } from "../../storage/port.ts";
import { insert, isSet, json, number, one, text, textOrNull, update } from "./rows.ts";
import type { Json, Values } from "./rows.ts";

export interface StoredUser {
  readonly id: string;
  readonly aud: string;
  readonly role: string;
  readonly email: string | null;
  readonly emailConfirmedAt: string | null;
  readonly phone: string | null;
  readonly phoneConfirmedAt: string | null;
  readonly encryptedPassword: string | null;
  readonly invitedAt: string | null;
  readonly confirmationSentAt: string | null;
  readonly recoverySentAt: string | null;
  readonly reauthenticationSentAt: string | null;
  readonly emailChange: string | null;
  readonly emailChangeSentAt: string | null;
  /** 1 when one of the two addresses has confirmed the change. */
  readonly emailChangeStatus: number;
  readonly phoneChange: string | null;
  readonly phoneChangeSentAt: string | null;
  readonly lastSignInAt: string | null;
  readonly appMetadata: Json;
  readonly userMetadata: Json;
  readonly isSsoUser: boolean;
  readonly isAnonymous: boolean;
  readonly bannedUntil: string | null;
  readonly deletedAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface StoredIdentity {
  readonly id: string;
  readonly userId: string;
  readonly provider: string;
  readonly providerId: string;
  readonly data: Json;
  readonly email: string | null;
  readonly lastSignInAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

function readUser(row: Row): StoredUser {
  return {
    id: text(row, "id"),
    aud: text(row, "aud"),
    role: text(row, "role"),
    email: textOrNull(row, "email"),
    emailConfirmedAt: textOrNull(row, "email_confirmed_at"),
    phone: textOrNull(row, "phone"),
    phoneConfirmedAt: textOrNull(row, "phone_confirmed_at"),
    encryptedPassword: textOrNull(row, "encrypted_password"),
    invitedAt: textOrNull(row, "invited_at"),
    confirmationSentAt: textOrNull(row, "confirmation_sent_at"),
    recoverySentAt: textOrNull(row, "recovery_sent_at"),
    reauthenticationSentAt: textOrNull(row, "reauthentication_sent_at"),
    emailChange: textOrNull(row, "email_change"),
    emailChangeSentAt: textOrNull(row, "email_change_sent_at"),
    emailChangeStatus: number(row, "email_change_status"),
    phoneChange: textOrNull(row, "phone_change"),
    phoneChangeSentAt: textOrNull(row, "phone_change_sent_at"),
    lastSignInAt: textOrNull(row, "last_sign_in_at"),
    appMetadata: json(row, "app_metadata"),
    userMetadata: json(row, "user_metadata"),
    isSsoUser: isSet(row, "is_sso_user"),
    isAnonymous: isSet(row, "is_anonymous"),
    bannedUntil: textOrNull(row, "banned_until"),
    deletedAt: textOrNull(row, "deleted_at"),
    createdAt: text(row, "created_at"),
    updatedAt: text(row, "updated_at"),
  };
}

export function readIdentity(row: Row): StoredIdentity {
  return {
    id: text(row, "id"),
    userId: text(row, "user_id"),
    provider: text(row, "provider"),
    providerId: text(row, "provider_id"),
    data: json(row, "identity_data"),
    email: textOrNull(row, "email"),
    lastSignInAt: textOrNull(row, "last_sign_in_at"),
    createdAt: text(row, "created_at"),
    updatedAt: text(row, "updated_at"),
  };
}

async function findUser(
  db: Queryable,
  where: string,
  value: string,
): Promise<StoredUser | undefined> {
  const row = await one(db, `select * from auth_users where ${where}`, [value]);
  return row === undefined ? undefined : readUser(row);
}

export function userById(db: Queryable, id: string): Promise<StoredUser | undefined> {
  return findUser(db, "id = $1 and deleted_at is null", id);
}

/** Users of identity providers keep their addresses to themselves and are not found. */
export function userByEmail(db: Queryable, email: string): Promise<StoredUser | undefined> {
  return findUser(db, "email = $1 and is_sso_user = 0 and deleted_at is null", email);
}

export function userByPhone(db: Queryable, phone: string): Promise<StoredUser | undefined> {
  return findUser(db, "phone = $1 and deleted_at is null", phone);
}

/** The newest first. */
export async function listUsers(
  db: Queryable,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly users: readonly StoredUser[]; readonly total: number }> {
  const found = await db.query(
    "select * from auth_users order by created_at desc, id limit $1 offset $2",
    [page.limit, page.offset],
  );
  const total = await one(db, "select count(*) as total from auth_users", []);
  return { users: found.rows.map(readUser), total: Number(total?.["total"] ?? 0) };
}

/** @throws StorageFault 23505 when the email address or the phone number is taken */
export async function insertUser(db: Queryable, values: Values): Promise<StoredUser> {
  await insert(db, "auth_users", values);
  const user = await findUser(db, "id = $1", String(values["id"]));
  if (user === undefined) throw new Error("the user is gone right after it was made");
  return user;
}

/** @throws StorageFault 23505 when the email address or the phone number is taken; Error when the user is gone */
export async function updateUser(db: Queryable, id: string, values: Values): Promise<StoredUser> {
  const row = await update(db, "auth_users", id, values);
  if (row === undefined) throw new Error("the user is gone");
  return readUser(row);
}

/** Keeps others from changing the user until the transaction ends, in both databases. */
export async function lockUser(tx: Queryable, id: string): Promise<StoredUser | undefined> {
  const row = await one(
    tx,
    "update auth_users set updated_at = updated_at where id = $1 and deleted_at is null returning *",
    [id],
  );
  return row === undefined ? undefined : readUser(row);
}

export async function identitiesOf(
  db: Queryable,
  userId: string,
): Promise<readonly StoredIdentity[]> {
  const found = await db.query(
    "select * from auth_identities where user_id = $1 order by created_at, id",
    [userId],
  );
  return found.rows.map(readIdentity);
}

export async function identityOf(
  db: Queryable,
  provider: string,
  providerId: string,
): Promise<StoredIdentity | undefined> {
  const row = await one(
    db,
    "select * from auth_identities where provider = $1 and provider_id = $2",
    [provider, providerId],
  );
  return row === undefined ? undefined : readIdentity(row);
}

/** Everything that belongs to the user goes as well. */
export async function deleteUser(tx: Queryable, id: string): Promise<void> {
  await endSessions(tx, id);
  for (const table of OWNED) await tx.query(`delete from ${table} where user_id = $1`, [id]);
  await tx.query("delete from auth_users where id = $1", [id]);
}

const OWNED = [
  "auth_identities",
  "auth_one_time_tokens",
  "auth_factors",
  "auth_passkeys",
  "auth_ceremonies",
  "auth_flow_states",
];

/** Ends every session of a user, but the one that is kept. */
export async function endSessions(tx: Queryable, userId: string, keep = ""): Promise<void> {
  await tx.query(
    "delete from auth_refresh_tokens where session_id in (select id from auth_sessions where user_id = $1 and id <> $2)",
    [userId, keep],
  );
  await tx.query("delete from auth_sessions where user_id = $1 and id <> $2", [userId, keep]);
}
