/** Writes a user as GoTrue does. */

import type { Queryable } from "../../storage/port.ts";
import { type StoredFactor, factorsOf } from "./factors.ts";
import { type StoredIdentity, type StoredUser, identitiesOf } from "./users.ts";

export type UserJson = Readonly<Record<string, unknown>>;

/** Returns a user with its identities and factors, read from the database. */
export async function userJson(db: Queryable, user: StoredUser): Promise<UserJson> {
  const [identities, factors] = await Promise.all([
    identitiesOf(db, user.id),
    factorsOf(db, user.id),
  ]);
  return writeUser(user, identities, factors);
}

/** Returns a user with the given identities and factors. */
export function writeUser(
  user: StoredUser,
  identities: readonly StoredIdentity[],
  factors: readonly StoredFactor[],
): UserJson {
  return withoutNulls({
    id: user.id,
    aud: user.aud,
    role: user.role,
    email: user.email ?? "",
    email_confirmed_at: user.emailConfirmedAt,
    invited_at: user.invitedAt,
    phone: user.phone ?? "",
    phone_confirmed_at: user.phoneConfirmedAt,
    confirmation_sent_at: user.confirmationSentAt,
    confirmed_at: earliest(user.emailConfirmedAt, user.phoneConfirmedAt),
    recovery_sent_at: user.recoverySentAt,
    new_email: user.emailChange,
    email_change_sent_at: user.emailChangeSentAt,
    new_phone: user.phoneChange,
    phone_change_sent_at: user.phoneChangeSentAt,
    reauthentication_sent_at: user.reauthenticationSentAt,
    last_sign_in_at: user.lastSignInAt,
    app_metadata: user.appMetadata,
    user_metadata: user.userMetadata,
    factors: factors.length === 0 ? null : factors.map(writeFactor),
    identities: identities.map(writeIdentity),
    created_at: user.createdAt,
    updated_at: user.updatedAt,
    banned_until: user.bannedUntil,
    deleted_at: user.deletedAt,
    is_anonymous: user.isAnonymous,
    is_sso_user: user.isSsoUser ? true : null,
  });
}

/** Returns an identity as GoTrue writes it. */
export function writeIdentity(identity: StoredIdentity): UserJson {
  return withoutNulls({
    identity_id: identity.id,
    id: identity.providerId,
    user_id: identity.userId,
    identity_data: identity.data,
    provider: identity.provider,
    last_sign_in_at: identity.lastSignInAt,
    created_at: identity.createdAt,
    updated_at: identity.updatedAt,
    email: identity.email,
  });
}

/** Returns a factor as GoTrue writes it, without its secret. */
export function writeFactor(factor: StoredFactor): UserJson {
  return withoutNulls({
    id: factor.id,
    created_at: factor.createdAt,
    updated_at: factor.updatedAt,
    last_challenged_at: factor.lastChallengedAt,
    status: factor.status,
    friendly_name: factor.friendlyName,
    factor_type: factor.type,
    phone: factor.phone,
  });
}

/** Leaves out values that are null or undefined, as GoTrue does. */
export function withoutNulls(values: Readonly<Record<string, unknown>>): UserJson {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== null && value !== undefined),
  );
}

function earliest(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}
