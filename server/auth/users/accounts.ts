/** Creates users, adds identities and confirms addresses, for sign-up, mails, providers and the admin API. */

import { randomUUID } from "node:crypto";
import { StorageFault } from "../../storage/faults.ts";
import type { Queryable } from "../../storage/port.ts";
import { timestamp, type Auth } from "../context/context.ts";
import { AuthFault } from "../http/errors.ts";
import type { Fields } from "../http/request.ts";
import { update, type Values } from "../store/rows.ts";
import {
  cancelPending,
  deleteOwned,
  identitiesOf,
  insertIdentity,
  insertUser,
  insertUserIfAbsent,
  updateUser,
  userByEmail,
  userByPhone,
  userGone,
  type StoredUser,
} from "../store/users.ts";
import { dropTokens } from "../tokens/onetime.ts";
import {
  CONTACTS,
  identityData,
  mergeMetadata,
  metadataAfter,
  providersOf,
  userMetadata,
  type Contact,
  type ContactKind,
  type NewUser,
} from "./metadata.ts";

/** Creates a user and its email or phone identity. @throws StorageFault 23505 when the address or number is taken */
export async function createUser(auth: Auth, tx: Queryable, wanted: NewUser): Promise<StoredUser> {
  const id = wanted.id ?? randomUUID();
  const user = await insertUser(tx, userRow(auth, id, wanted));
  if (wanted.provider === undefined) await addContactIdentities(auth, tx, id, wanted);
  return user;
}

/**
 * Returns the account of an address or number: the existing one, or else a new one. The same statements run in both
 * cases, so that the time of a response does not depend on whether there was an account.
 */
export async function findOrCreateUser(
  auth: Auth,
  tx: Queryable,
  wanted: NewUser,
): Promise<StoredUser> {
  const id = randomUUID();
  await insertUserIfAbsent(tx, userRow(auth, id, wanted));
  await addContactIdentities(auth, tx, id, wanted);
  const user = await (wanted.email === undefined
    ? userByPhone(tx, wanted.phone ?? "")
    : userByEmail(tx, wanted.email));
  if (user === undefined) throw userGone();
  return user;
}

function userRow(auth: Auth, id: string, wanted: NewUser): Values & { readonly id: string } {
  const now = timestamp(auth);
  const providers = providersOf(wanted);
  return {
    id,
    aud: auth.settings.GOTRUE_JWT_AUD,
    role: wanted.role ?? auth.settings.GOTRUE_JWT_DEFAULT_GROUP_NAME,
    email: wanted.email ?? null,
    email_confirmed_at: wanted.email !== undefined && wanted.emailConfirmed === true ? now : null,
    phone: wanted.phone ?? null,
    phone_confirmed_at: wanted.phone !== undefined && wanted.phoneConfirmed === true ? now : null,
    encrypted_password: wanted.passwordHash ?? null,
    app_metadata: JSON.stringify(
      mergeMetadata(
        providers.length === 0 ? {} : { provider: providers[0], providers },
        wanted.appMetadata,
        "app",
      ),
    ),
    user_metadata: JSON.stringify(userMetadata(id, wanted)),
    is_sso_user: wanted.isSsoUser === true ? 1 : 0,
    is_anonymous: wanted.isAnonymous === true ? 1 : 0,
    created_at: now,
    updated_at: now,
  };
}

async function addContactIdentities(
  auth: Auth,
  tx: Queryable,
  id: string,
  wanted: NewUser,
): Promise<void> {
  for (const kind of CONTACTS)
    if (wanted[kind] !== undefined)
      await addIdentity(auth, tx, id, {
        provider: kind,
        providerId: id,
        data: identityData(kind, id, wanted),
        email: kind === "email" ? wanted.email : undefined,
      });
}

export interface NewIdentity {
  readonly provider: string;
  readonly providerId: string;
  readonly data: Fields;
  readonly email?: string | undefined;
}

/**
 * Adds an identity; for an id that no user has, nothing is added. @throws StorageFault 23505 when an account has the
 * identity already
 */
export async function addIdentity(
  auth: Auth,
  tx: Queryable,
  userId: string,
  identity: NewIdentity,
): Promise<void> {
  const now = timestamp(auth);
  await insertIdentity(tx, {
    id: randomUUID(),
    user_id: userId,
    provider: identity.provider,
    provider_id: identity.providerId,
    identity_data: JSON.stringify(identity.data),
    email: identity.email ?? null,
    last_sign_in_at: now,
    created_at: now,
    updated_at: now,
  });
}

/** Sets an address or number, with its identity. With a confirmed contact an anonymous user becomes a permanent one. */
export async function setContact(
  auth: Auth,
  tx: Queryable,
  user: StoredUser,
  contact: Contact,
): Promise<StoredUser> {
  const { kind, value, confirmed } = contact;
  const now = timestamp(auth);
  const claims = { [kind]: value, [`${kind}_verified`]: confirmed };
  const identities = await identitiesOf(tx, user.id);
  const own = identities.find((identity) => identity.provider === kind);
  if (own === undefined)
    await addIdentity(auth, tx, user.id, {
      provider: kind,
      providerId: user.id,
      data: { email_verified: false, phone_verified: false, ...claims, sub: user.id },
      email: kind === "email" ? value : undefined,
    });
  else
    await update(tx, "auth_identities", own.id, {
      identity_data: JSON.stringify({ ...own.data, ...claims }),
      email: kind === "email" ? value : own.email,
      updated_at: now,
    });
  const providers = [...new Set([...identities.map((identity) => identity.provider), kind])];
  return updateUser(tx, user.id, {
    [kind]: value,
    [`${kind}_confirmed_at`]: confirmed ? now : null,
    [`${kind}_change`]: null,
    ...(kind === "email" ? { email_change_status: 0 } : {}),
    app_metadata: JSON.stringify({
      ...user.appMetadata,
      provider: providers.find((name) => name === user.appMetadata["provider"]) ?? kind,
      providers,
    }),
    user_metadata: JSON.stringify(metadataAfter(user.userMetadata, contact)),
    is_anonymous: confirmed ? 0 : user.isAnonymous ? 1 : 0,
    updated_at: now,
  });
}

const CONFIRMING = {
  email: ["confirmation", "ownership"],
  phone: ["phone_confirmation", "phone_ownership"],
} as const;

/**
 * Confirms the user's address or number. Only the sign-up's own message keeps the password that it set: any other
 * proves who the owner is, and not that the owner signed up.
 */
export async function confirmContact(
  auth: Auth,
  tx: Queryable,
  user: StoredUser,
  by: { readonly kind: ContactKind; readonly signsUp: boolean },
): Promise<StoredUser> {
  const { kind, signsUp } = by;
  const value = user[kind];
  const confirmedAt = kind === "email" ? user.emailConfirmedAt : user.phoneConfirmedAt;
  if (value === null || confirmedAt !== null) return user;
  const keeps = signsUp || !(await hasUnprovedAccess(tx, user, kind));
  const own = keeps ? user : await takeOver(auth, tx, user, kind);
  await dropTokens(tx, user.id, CONFIRMING[kind]);
  return setContact(auth, tx, own, { kind, value, confirmed: true });
}

/** Whether somebody who has proved nothing may know a way into the account. */
async function hasUnprovedAccess(
  tx: Queryable,
  user: StoredUser,
  kind: ContactKind,
): Promise<boolean> {
  // Only the service key gives an account with a confirmed address a number that is not confirmed.
  if (user.emailConfirmedAt !== null) return false;
  if (user.encryptedPassword !== null) return true;
  return (await identitiesOf(tx, user.id)).some((identity) => identity.provider !== kind);
}

/**
 * Takes over an unconfirmed account, whose creator has not proved the address or number: its owner gets the account
 * with this contact, and without anything else that was set before, except for an administrator's metadata.
 */
export async function takeOver(
  auth: Auth,
  tx: Queryable,
  user: StoredUser,
  kind: ContactKind,
): Promise<StoredUser> {
  await deleteOwned(tx, user.id);
  await cancelPending(tx, user.id);
  const other = kind === "email" ? "phone" : "email";
  return updateUser(tx, user.id, {
    encrypted_password: null,
    [other]: null,
    [`${other}_confirmed_at`]: null,
    user_metadata: "{}",
    updated_at: timestamp(auth),
  });
}

/** Makes the refusal of an email address or a phone number that another user has. */
export function contactTaken(kind: "email" | "phone"): AuthFault {
  return kind === "email"
    ? new AuthFault("email_exists", "A user with this email address has already been registered")
    : new AuthFault("phone_exists", "A user with this phone number has already been registered");
}

/** Runs work that may find a unique value taken, and throws `fault` then. */
export async function orExists<T>(work: Promise<T>, fault: AuthFault): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StorageFault && error.code === "23505") throw fault;
    throw error;
  }
}

/** Runs work twice when the first try finds a unique value taken: another request created the same user meanwhile. */
export async function retryOnConflict<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StorageFault && error.code === "23505") return work();
    throw error;
  }
}
