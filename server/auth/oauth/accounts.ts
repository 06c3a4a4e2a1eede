/** Whose account an identity belongs to. */

import type { Queryable } from "../../storage/port.ts";
import { audit } from "../audit.ts";
import type { Auth } from "../context.ts";
import { stamp } from "../context.ts";
import { AuthFault } from "../errors.ts";
import { mergeMetadata } from "../request.ts";
import type { AuthRequest, Fields } from "../request.ts";
import { update } from "../store/rows.ts";
import {
  endSessions,
  identitiesOf,
  identityOf,
  lockUser,
  updateUser,
  userByEmail,
  userById,
} from "../store/users.ts";
import type { StoredIdentity, StoredUser } from "../store/users.ts";
import { addIdentity, createUser, refuseBanned } from "../users/accounts.ts";
import { prepareMail } from "../users/messages.ts";
import type { Prepared } from "../users/messages.ts";
import { refuseSignUp } from "../users/signup.ts";
import type { Person } from "./providers.ts";

export interface External {
  readonly provider: string;
  readonly person: Person;
  /** People without an address may come in. */
  readonly emailOptional: boolean;
  /** An identity provider of an organisation: its accounts stand apart from all others. */
  readonly sso?: boolean;
  readonly redirectTo: string;
}

export type Found =
  | { readonly kind: "user"; readonly user: StoredUser }
  /** The provider has not verified the address: a mail does it first. */
  | { readonly kind: "unverified"; readonly mail: Prepared | undefined };

/** What to do with an identity. Pure. */
export type Decision = "sign in" | "join" | "take over" | "create" | "verify first" | "refuse";

export function decide(facts: {
  readonly owner: boolean;
  readonly sso: boolean;
  readonly email: boolean;
  readonly emailVerified: boolean;
  readonly emailOptional: boolean;
  readonly autoconfirm: boolean;
  /** The account that has the address, if any. */
  readonly holder: "none" | "confirmed" | "unconfirmed";
}): Decision {
  if (facts.owner) return "sign in";
  if (facts.sso) return "create";
  if (!facts.email) return facts.emailOptional ? "create" : "refuse";
  if (!facts.emailVerified) {
    return facts.holder === "none" && facts.autoconfirm ? "create" : "verify first";
  }
  if (facts.holder === "confirmed") return "join";
  return facts.holder === "unconfirmed" ? "take over" : "create";
}

export async function findAccount(
  auth: Auth,
  tx: Queryable,
  request: AuthRequest,
  external: External,
): Promise<Found> {
  const { person, provider } = external;
  const owner = await identityOf(tx, provider, person.subject);
  const sso = external.sso === true;
  const holder =
    person.email === undefined || sso ? undefined : await userByEmail(tx, person.email);
  const decision = decide({
    owner: owner !== undefined,
    sso,
    email: person.email !== undefined,
    emailVerified: person.emailVerified,
    emailOptional: external.emailOptional,
    autoconfirm: auth.settings.GOTRUE_MAILER_AUTOCONFIRM,
    holder:
      holder === undefined
        ? "none"
        : holder.emailConfirmedAt === null
          ? "unconfirmed"
          : "confirmed",
  });
  switch (decision) {
    case "sign in":
      return signIn(auth, tx, owner, external);
    case "join":
    case "take over": {
      if (holder === undefined) throw new Error("there is nobody to join");
      refuseBanned(auth, holder);
      const user = decision === "join" ? holder : await takeOver(auth, tx, holder);
      return { kind: "user", user: await link(auth, tx, user, external) };
    }
    case "create":
      return { kind: "user", user: await create(auth, tx, request, external, true) };
    case "verify first": {
      if (holder !== undefined) return { kind: "unverified", mail: undefined };
      const user = await create(auth, tx, request, external, false);
      const back = { redirectTo: external.redirectTo };
      const to = user.email ?? "";
      return {
        kind: "unverified",
        mail: await prepareMail(auth, tx, user, { name: "signup", to, back }),
      };
    }
    case "refuse":
      throw new AuthFault(
        "email_address_not_provided",
        "Error getting user email from external provider",
      );
  }
}

async function signIn(
  auth: Auth,
  tx: Queryable,
  owner: StoredIdentity | undefined,
  external: External,
): Promise<Found> {
  const user = owner === undefined ? undefined : await userById(tx, owner.userId);
  if (owner === undefined || user === undefined)
    throw new AuthFault("user_not_found", "User not found");
  refuseBanned(auth, user);
  const now = stamp(auth);
  await update(tx, "auth_identities", owner.id, {
    identity_data: JSON.stringify({ ...owner.data, ...external.person.data }),
    email: external.person.email ?? owner.email,
    last_sign_in_at: now,
    updated_at: now,
  });
  if (user.email === null || user.emailConfirmedAt !== null) return { kind: "user", user };
  if (!external.person.emailVerified || external.person.email !== user.email)
    return { kind: "unverified", mail: undefined };
  return {
    kind: "user",
    user: await updateUser(tx, user.id, { email_confirmed_at: now, updated_at: now }),
  };
}

/** Nobody proved that the address is theirs: what they set is worth nothing to its owner. */
async function takeOver(auth: Auth, tx: Queryable, user: StoredUser): Promise<StoredUser> {
  await endSessions(tx, user.id);
  for (const table of ["auth_identities", "auth_one_time_tokens", "auth_factors", "auth_passkeys"])
    await tx.query(`delete from ${table} where user_id = $1`, [user.id]);
  const now = stamp(auth);
  return updateUser(tx, user.id, {
    encrypted_password: null,
    email_confirmed_at: now,
    user_metadata: "{}",
    app_metadata: "{}",
    updated_at: now,
  });
}

/** @throws StorageFault 23505 when the identity belongs to somebody */
export async function link(
  auth: Auth,
  tx: Queryable,
  user: StoredUser,
  external: Pick<External, "provider" | "person">,
): Promise<StoredUser> {
  const { person, provider } = external;
  const locked = await lockUser(tx, user.id);
  if (locked === undefined) throw new AuthFault("user_not_found", "User not found");
  const identity = { provider, providerId: person.subject, data: person.data, email: person.email };
  await addIdentity(auth, tx, user.id, identity);
  const providers = (await identitiesOf(tx, user.id)).map((one) => one.provider);
  return updateUser(tx, user.id, {
    app_metadata: JSON.stringify(withProviders(locked.appMetadata, providers)),
    user_metadata: JSON.stringify({ ...person.data, ...locked.userMetadata }),
    is_anonymous: 0,
    updated_at: stamp(auth),
  });
}

/** The provider that came first stays the one that is named alone. */
export function withProviders(metadata: Fields, providers: readonly string[]): Fields {
  const first = metadata["provider"];
  const named = typeof first === "string" && providers.includes(first) ? first : providers[0];
  return { ...metadata, provider: named ?? null, providers: [...new Set(providers)] };
}

async function create(
  auth: Auth,
  tx: Queryable,
  request: AuthRequest,
  external: External,
  confirmed: boolean,
): Promise<StoredUser> {
  refuseSignUp(auth);
  const { person, provider } = external;
  const user = await createUser(auth, tx, {
    email: person.email,
    emailConfirmed: confirmed,
    data: mergeMetadata({}, person.data),
    provider,
    isSsoUser: external.sso === true,
  });
  const identity = { provider, providerId: person.subject, data: person.data, email: person.email };
  await addIdentity(auth, tx, user.id, identity);
  await audit(auth, tx, {
    action: "user_signedup",
    ip: request.ip,
    actor: user,
    traits: { provider },
  });
  return user;
}
