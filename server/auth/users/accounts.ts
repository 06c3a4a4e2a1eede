/** Making users and confirming their addresses: what the sign-up, the mails and the admin API share. */

import { randomUUID } from "node:crypto";
import type { Queryable } from "../../storage/port.ts";
import { StorageFault } from "../../storage/port.ts";
import type { Auth } from "../context.ts";
import { isPast, stamp } from "../context.ts";
import { AuthFault } from "../errors.ts";
import { mergeMetadata } from "../request.ts";
import type { Fields } from "../request.ts";
import { insert, update } from "../store/rows.ts";
import { identitiesOf, insertUser, updateUser } from "../store/users.ts";
import type { StoredIdentity, StoredUser } from "../store/users.ts";
import { dropTokens } from "../tokens/onetime.ts";
import { writeUser } from "./json.ts";
import type { UserJson } from "./json.ts";

export interface NewUser {
  readonly id?: string | undefined;
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  readonly emailConfirmed?: boolean;
  readonly phoneConfirmed?: boolean;
  readonly passwordHash?: string | undefined;
  readonly data?: Fields | undefined;
  readonly appMetadata?: Fields | undefined;
  readonly role?: string | undefined;
  readonly isAnonymous?: boolean;
  readonly isSsoUser?: boolean;
  /** When the account comes from a provider; else email or phone. */
  readonly provider?: string | undefined;
}

/** The user and its email or phone identity. @throws StorageFault 23505 when the address or number is taken */
export async function createUser(auth: Auth, tx: Queryable, wanted: NewUser): Promise<StoredUser> {
  const id = wanted.id ?? randomUUID();
  const now = stamp(auth);
  const providers = providersOf(wanted);
  const user = await insertUser(tx, {
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
      ),
    ),
    user_metadata: JSON.stringify(ownData(id, wanted)),
    is_sso_user: wanted.isSsoUser === true ? 1 : 0,
    is_anonymous: wanted.isAnonymous === true ? 1 : 0,
    created_at: now,
    updated_at: now,
  });
  if (wanted.provider !== undefined) return user;
  if (wanted.email !== undefined)
    await addIdentity(auth, tx, user.id, contactIdentity("email", id, wanted));
  if (wanted.phone !== undefined)
    await addIdentity(auth, tx, user.id, contactIdentity("phone", id, wanted));
  return user;
}

function providersOf(wanted: NewUser): string[] {
  if (wanted.provider !== undefined) return [wanted.provider];
  return [
    ...(wanted.email === undefined ? [] : ["email"]),
    ...(wanted.phone === undefined ? [] : ["phone"]),
  ];
}

/** GoTrue puts what it knows of the identity beside what the person gave; what the person gave cannot change it. */
function ownData(id: string, wanted: NewUser): Fields {
  const data = mergeMetadata({}, wanted.data);
  if (wanted.provider !== undefined || (wanted.email === undefined && wanted.phone === undefined))
    return data;
  return { ...data, ...contactData(id, wanted) };
}

function contactData(
  id: string,
  wanted: Pick<NewUser, "email" | "phone" | "emailConfirmed" | "phoneConfirmed">,
): Fields {
  return {
    ...(wanted.email === undefined ? {} : { email: wanted.email }),
    email_verified: wanted.email !== undefined && wanted.emailConfirmed === true,
    ...(wanted.phone === undefined ? {} : { phone: wanted.phone }),
    phone_verified: wanted.phone !== undefined && wanted.phoneConfirmed === true,
    sub: id,
  };
}

function contactIdentity(provider: "email" | "phone", id: string, wanted: NewUser): NewIdentity {
  return {
    provider,
    providerId: id,
    data: { ...mergeMetadata({}, wanted.data), ...contactData(id, wanted) },
    email: provider === "email" ? wanted.email : undefined,
  };
}

export interface NewIdentity {
  readonly provider: string;
  readonly providerId: string;
  readonly data: Fields;
  readonly email?: string | undefined;
}

/** @throws StorageFault 23505 when the identity belongs to somebody already */
export async function addIdentity(
  auth: Auth,
  tx: Queryable,
  userId: string,
  identity: NewIdentity,
): Promise<void> {
  const now = stamp(auth);
  await insert(tx, "auth_identities", {
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

/** The address or number counts as confirmed, with its identity; an anonymous user becomes a permanent one. */
export async function setContact(
  auth: Auth,
  tx: Queryable,
  user: StoredUser,
  contact: {
    readonly kind: "email" | "phone";
    readonly value: string;
    readonly confirmed: boolean;
  },
): Promise<StoredUser> {
  const { kind, value, confirmed } = contact;
  const now = stamp(auth);
  const facts = { [kind]: value, [`${kind}_verified`]: confirmed };
  const identities = await identitiesOf(tx, user.id);
  const own = identities.find((identity) => identity.provider === kind);
  if (own === undefined)
    await addIdentity(auth, tx, user.id, {
      provider: kind,
      providerId: user.id,
      data: { sub: user.id, ...facts },
      email: kind === "email" ? value : undefined,
    });
  else
    await update(tx, "auth_identities", own.id, {
      identity_data: JSON.stringify({ ...own.data, ...facts }),
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
      provider: user.appMetadata["provider"] ?? kind,
      providers,
    }),
    user_metadata: JSON.stringify({ ...user.userMetadata, ...facts, sub: user.id }),
    is_anonymous: confirmed ? 0 : user.isAnonymous ? 1 : 0,
    updated_at: now,
  });
}

/** The address that the user has is confirmed from now on. */
export async function confirmEmail(
  auth: Auth,
  tx: Queryable,
  user: StoredUser,
): Promise<StoredUser> {
  if (user.email === null || user.emailConfirmedAt !== null) return user;
  await dropTokens(tx, user.id, ["confirmation"]);
  return setContact(auth, tx, user, { kind: "email", value: user.email, confirmed: true });
}

export async function confirmPhone(
  auth: Auth,
  tx: Queryable,
  user: StoredUser,
): Promise<StoredUser> {
  if (user.phone === null || user.phoneConfirmedAt !== null) return user;
  return setContact(auth, tx, user, { kind: "phone", value: user.phone, confirmed: true });
}

/** The answer to a sign-up with an address that somebody has: nobody can tell it from a new user. */
export function imitateUser(auth: Auth, wanted: NewUser): UserJson {
  const id = randomUUID();
  const now = stamp(auth);
  const providers = providersOf(wanted);
  const identity: StoredIdentity = {
    id: randomUUID(),
    userId: id,
    provider: providers[0] ?? "email",
    providerId: id,
    data: { ...mergeMetadata({}, wanted.data), ...contactData(id, wanted) },
    email: wanted.email ?? null,
    lastSignInAt: now,
    createdAt: now,
    updatedAt: now,
  };
  const user: StoredUser = {
    id,
    aud: auth.settings.GOTRUE_JWT_AUD,
    role: auth.settings.GOTRUE_JWT_DEFAULT_GROUP_NAME,
    email: wanted.email ?? null,
    emailConfirmedAt: null,
    phone: wanted.phone ?? null,
    phoneConfirmedAt: null,
    encryptedPassword: null,
    invitedAt: null,
    confirmationSentAt: now,
    recoverySentAt: null,
    reauthenticationSentAt: null,
    emailChange: null,
    emailChangeSentAt: null,
    emailChangeStatus: 0,
    phoneChange: null,
    phoneChangeSentAt: null,
    lastSignInAt: null,
    appMetadata: { provider: providers[0], providers },
    userMetadata: ownData(id, wanted),
    isSsoUser: false,
    isAnonymous: false,
    bannedUntil: null,
    deletedAt: null,
    createdAt: now,
    updatedAt: now,
  };
  return writeUser(user, [identity], []);
}

/** Runs what may find an address taken, and says so in the API's words. */
export async function orExists<T>(work: Promise<T>, fault: AuthFault): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StorageFault && error.code === "23505") throw fault;
    throw error;
  }
}

/** @throws AuthFault user_banned */
export function refuseBanned(auth: Auth, user: StoredUser): void {
  if (user.bannedUntil !== null && !isPast(auth, user.bannedUntil))
    throw new AuthFault("user_banned", "User is banned");
}
