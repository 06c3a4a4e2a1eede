/** A new user, and the metadata that GoTrue stores about its contacts. Pure. */

import { AuthFault } from "../http/errors.ts";
import type { Fields } from "../http/request.ts";

export type ContactKind = "email" | "phone";

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
  /** Whether the person signs up: GoTrue then repeats the contact in `user_metadata`, and the person's data in the identity. */
  readonly signsUp?: boolean;
  /** The provider of the account's identity, which the caller adds; without one the identity is the email or phone. */
  readonly provider?: string | undefined;
}

export interface Contact {
  readonly kind: ContactKind;
  readonly value: string;
  readonly confirmed: boolean;
}

/** Returns the providers of a new account, with the one that counts as its first at the front. */
export function providersOf(wanted: NewUser): readonly string[] {
  if (wanted.provider !== undefined) return [wanted.provider];
  return CONTACTS.filter((kind) => wanted[kind] !== undefined);
}

/** The kinds of contact, in the order in which identities are added. */
export const CONTACTS = ["email", "phone"] as const satisfies readonly ContactKind[];

/** Returns a new user's `user_metadata`. A sign-up adds its contact; a confirmed address is marked, as by GoTrue. */
export function userMetadata(id: string, wanted: NewUser): Fields {
  const data = mergeMetadata({}, wanted.data);
  if (wanted.provider !== undefined || providersOf(wanted).length === 0) return data;
  if (wanted.signsUp === true) return { ...data, ...signUpClaims(id, wanted) };
  return wanted.emailConfirmed === true ? { ...data, email_verified: true } : data;
}

/** Returns the statements of GoTrue's sign-up about a contact; the person's own data does not override them. */
export function signUpClaims(
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

/**
 * Returns the `identity_data` of an email or phone identity: a sign-up's with the person's own data, an
 * administrator's without.
 */
export function identityData(kind: ContactKind, id: string, wanted: NewUser): Fields {
  if (wanted.signsUp === true)
    return { ...mergeMetadata({}, wanted.data), ...signUpClaims(id, wanted) };
  return { [kind]: wanted[kind], email_verified: false, phone_verified: false, sub: id };
}

/**
 * Returns the metadata after a change of contact. Claims that `user_metadata` contains follow the contact; of missing
 * ones, GoTrue adds only the mark of a confirmed address.
 */
export function metadataAfter(metadata: Fields, { kind, value, confirmed }: Contact): Fields {
  const verified = `${kind}_verified`;
  const marks = verified in metadata || (kind === "email" && confirmed);
  return {
    ...metadata,
    ...(kind in metadata ? { [kind]: value } : {}),
    ...(marks ? { [verified]: confirmed } : {}),
  };
}

/** Greatest sizes in KB of a user's own data and an administrator's. Both are part of every access token, which has 16 KB at most. */
const MAX_KB = { user: 6, app: 4 } as const;

/**
 * Merges metadata: keys with null are removed, others are added or changed. @throws AuthFault validation_failed when
 * the result is too large
 */
export function mergeMetadata(
  current: Fields,
  change: Fields | undefined,
  kind: keyof typeof MAX_KB = "user",
): Fields {
  if (change === undefined) return current;
  const merged = new Map(Object.entries(current));
  for (const [key, value] of Object.entries(change)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  const result = Object.fromEntries(merged);
  if (Buffer.byteLength(JSON.stringify(result)) > MAX_KB[kind] * 1024)
    throw new AuthFault(
      "validation_failed",
      `The ${kind} metadata is too large: at most ${MAX_KB[kind]} KB fit`,
    );
  return result;
}
