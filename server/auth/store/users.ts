/** Users and their identities as they are stored. */

import { StorageFault } from "../../storage/faults.ts";
import type { Queryable, Row } from "../../storage/port.ts";
import {
  insert,
  isSet,
  json,
  number,
  one,
  text,
  textOrNull,
  update,
  insertIfAbsent,
  columnsOf,
  type Json,
  type Values,
} from "./rows.ts";
import { endAllSessions } from "./sessions.ts";

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
  /** The state of a change of address: 1 when one of the two addresses has confirmed it. */
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

function readIdentity(row: Row): StoredIdentity {
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

/** Returns a user; undefined for an unknown or deleted one. */
export function userById(db: Queryable, id: string): Promise<StoredUser | undefined> {
  return findUser(db, "id = $1 and deleted_at is null", id);
}

/** Returns the user with an address. One of a SAML identity provider is never found by it, since such accounts are separate. */
export function userByEmail(db: Queryable, email: string): Promise<StoredUser | undefined> {
  return findUser(db, "email = $1 and is_sso_user = 0 and deleted_at is null", email);
}

/** Returns the user with a phone number, in the form that `parsePhone` returns. */
export function userByPhone(db: Queryable, phone: string): Promise<StoredUser | undefined> {
  return findUser(db, "phone = $1 and deleted_at is null", phone);
}

/** Returns one page of the users whose address contains `filter`, the newest first, and the number of all of them. */
export async function listUsers(
  db: Queryable,
  page: { readonly limit: number; readonly offset: number },
  filter = "",
): Promise<{ readonly users: readonly StoredUser[]; readonly total: number }> {
  const pattern = `%${filter.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
  const from =
    filter === "" ? "from auth_users" : "from auth_users where email like $1 escape '\\'";
  const values = filter === "" ? [] : [pattern];
  const window = `limit $${values.length + 1} offset $${values.length + 2}`;
  const found = await db.query(`select * ${from} order by created_at desc, id ${window}`, [
    ...values,
    page.limit,
    page.offset,
  ]);
  const total = await one(db, `select count(*) as total ${from}`, values);
  return { users: found.rows.map(readUser), total: Number(total?.["total"] ?? 0) };
}

/**
 * Inserts a user.
 * @throws StorageFault 23505 when the email address or the phone number is taken
 */
export async function insertUser(db: Queryable, values: Values): Promise<StoredUser> {
  return readUser(await insert(db, "auth_users", values));
}

/** Inserts a user unless a user has the email address or the phone number. */
export function insertUserIfAbsent(db: Queryable, values: Values): Promise<void> {
  return insertIfAbsent(db, "auth_users", values);
}

/**
 * Changes a user and returns it.
 * @throws StorageFault 23505 when the email address or the phone number is taken, 23503 when the user no longer exists
 */
export async function updateUser(db: Queryable, id: string, values: Values): Promise<StoredUser> {
  const user = await updateUserIfPresent(db, id, values);
  if (user === undefined) throw userGone();
  return user;
}

/** Returns the fault of a request during which its user was deleted, as a row that refers to the user would have it. */
export function userGone(): StorageFault {
  return new StorageFault("23503", "the user no longer exists");
}

/** Changes a user and returns it; undefined when there is no such user. */
export async function updateUserIfPresent(
  db: Queryable,
  id: string,
  values: Values,
): Promise<StoredUser | undefined> {
  const row = await update(db, "auth_users", id, values);
  return row === undefined ? undefined : readUser(row);
}

/**
 * Keeps other transactions from changing the user until this one ends, in both databases. A transaction locks the
 * user, by this or a change, before other rows of the user: two that do so never wait for each other.
 */
export async function lockUser(tx: Queryable, id: string): Promise<StoredUser | undefined> {
  const row = await one(
    tx,
    "update auth_users set updated_at = updated_at where id = $1 and deleted_at is null returning *",
    [id],
  );
  return row === undefined ? undefined : readUser(row);
}

/** Returns a user's identities in the order in which they were added. */
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

/** Returns an identity by the provider's own id of the person. */
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

/**
 * Adds an identity to the user of `user_id`; for an id that no user has, the same statement adds nothing.
 * @throws StorageFault 23505 when an account has the identity already
 */
export async function insertIdentity(
  db: Queryable,
  values: Values & { readonly user_id: string },
): Promise<void> {
  const { columns, marks } = columnsOf(values);
  const owner = Object.keys(values).indexOf("user_id") + 1;
  await db.query(
    `insert into auth_identities (${columns}) select ${marks} from auth_users where id = $${owner}`,
    Object.values(values),
  );
}

const OWNED = [
  "auth_identities",
  "auth_one_time_tokens",
  "auth_factors",
  "auth_passkeys",
  "auth_ceremonies",
  "auth_flow_states",
  "auth_oauth_authorizations",
  "auth_oauth_consents",
];

/** Deletes everything that belongs to a user: sessions, identities, open links and codes, factors, passkeys. */
export async function deleteOwned(tx: Queryable, id: string): Promise<void> {
  await lockUser(tx, id);
  await endAllSessions(tx, id);
  for (const table of OWNED) await tx.query(`delete from ${table} where user_id = $1`, [id]);
}

/**
 * Cancels what a user's sessions have begun, and returns the user: open links and codes, changes of address and
 * number, codes that no browser has exchanged, and identities that a provider has yet to prove.
 */
export async function cancelPending(tx: Queryable, id: string): Promise<StoredUser> {
  await tx.query("delete from auth_one_time_tokens where user_id = $1", [id]);
  await tx.query("delete from auth_flow_states where user_id = $1 or linking_user_id = $1", [id]);
  return updateUser(tx, id, { email_change: null, email_change_status: 0, phone_change: null });
}

/** Deletes a user with everything that belongs to it. */
export async function deleteUser(tx: Queryable, id: string): Promise<void> {
  await deleteOwned(tx, id);
  await tx.query("delete from auth_users where id = $1", [id]);
}
