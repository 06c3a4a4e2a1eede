/** Finds or creates the account to which an identity of a provider belongs. */

import type { Queryable } from "../../storage/port.ts";
import { audit } from "../context/audit.ts";
import { takeMail } from "../context/budgets.ts";
import { refuseBanned } from "../context/caller.ts";
import { timestamp, type Auth } from "../context/context.ts";
import { AuthFault } from "../http/errors.ts";
import type { AuthRequest, Fields } from "../http/request.ts";
import { update } from "../store/rows.ts";
import {
  identitiesOf,
  identityOf,
  lockUser,
  updateUser,
  userByEmail,
  userById,
  type StoredIdentity,
  type StoredUser,
} from "../store/users.ts";
import { addIdentity, contactTaken, createUser, takeOver } from "../users/accounts.ts";
import { mergeMetadata, metadataAfter } from "../users/metadata.ts";
import { prepareMail, sendMail, type PreparedMail } from "../users/send.ts";
import { refuseSignUp } from "../users/signup.ts";
import type { ProviderProfile } from "./providers.ts";

/** An identity that a provider has proved. */
export interface ExternalIdentity {
  readonly provider: string;
  readonly profile: ProviderProfile;
  /** Whether a person without an email address may have an account. */
  readonly emailOptional: boolean;
  /** Whether it is of a SAML identity provider, whose accounts are separate from all others. */
  readonly sso?: boolean;
  readonly redirectTo: string;
}

export type FoundAccount =
  | { readonly kind: "user"; readonly user: StoredUser }
  /** The provider has not verified the address, which a mail has to confirm first. */
  | { readonly kind: "unverified"; readonly mail: PreparedMail | undefined };

export type Decision = "sign in" | "join" | "take over" | "create" | "verify first" | "refuse";

/** Decides what to do with an identity. Pure. */
export function decide(facts: {
  /** Whether the identity belongs to an account already. */
  readonly owner: boolean;
  readonly sso: boolean;
  readonly email: boolean;
  readonly emailVerified: boolean;
  readonly emailOptional: boolean;
  readonly autoconfirm: boolean;
  /** The account that has the address, if any. */
  readonly existing: "none" | "confirmed" | "unconfirmed";
}): Decision {
  if (facts.owner) return "sign in";
  if (facts.sso) return "create";
  if (!facts.email) return facts.emailOptional ? "create" : "refuse";
  if (!facts.emailVerified) {
    return facts.existing === "none" && facts.autoconfirm ? "create" : "verify first";
  }
  if (facts.existing === "confirmed") return "join";
  return facts.existing === "unconfirmed" ? "take over" : "create";
}

/**
 * Finds or creates the account.
 * @throws AuthFault signup_disabled, user_banned, email_address_not_provided; StorageFault 23505 when another request was first
 */
export async function findAccount(
  auth: Auth,
  tx: Queryable,
  request: AuthRequest,
  external: ExternalIdentity,
): Promise<FoundAccount> {
  const { profile, provider } = external;
  const owner = await identityOf(tx, provider, profile.subject);
  const sso = external.sso === true;
  const existing =
    profile.email === undefined || sso ? undefined : await userByEmail(tx, profile.email);
  const decision = decide({
    owner: owner !== undefined,
    sso,
    email: profile.email !== undefined,
    emailVerified: profile.emailVerified,
    emailOptional: external.emailOptional,
    autoconfirm: auth.settings.GOTRUE_MAILER_AUTOCONFIRM,
    existing:
      existing === undefined
        ? "none"
        : existing.emailConfirmedAt === null
          ? "unconfirmed"
          : "confirmed",
  });
  switch (decision) {
    case "sign in":
      return signIn(auth, tx, owner, external);
    case "join":
    case "take over": {
      if (existing === undefined) throw new Error("there is no account to join");
      refuseBanned(auth, existing);
      return decision === "take over"
        ? claim(auth, tx, existing, external)
        : { kind: "user", user: await link(auth, tx, existing, external) };
    }
    case "create":
      return { kind: "user", user: await create(auth, tx, request, external, true) };
    case "verify first": {
      if (existing !== undefined) return { kind: "unverified", mail: undefined };
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
  external: ExternalIdentity,
): Promise<FoundAccount> {
  const user = owner === undefined ? undefined : await userById(tx, owner.userId);
  if (owner === undefined || user === undefined)
    throw new AuthFault("user_not_found", "User not found");
  refuseBanned(auth, user);
  if (user.email !== null && user.emailConfirmedAt === null) {
    const proves = external.profile.emailVerified && external.profile.email === user.email;
    return proves ? claim(auth, tx, user, external) : { kind: "unverified", mail: undefined };
  }
  const now = timestamp(auth);
  await update(tx, "auth_identities", owner.id, {
    identity_data: JSON.stringify({ ...owner.data, ...external.profile.data }),
    email: external.profile.email ?? owner.email,
    last_sign_in_at: now,
    updated_at: now,
  });
  return { kind: "user", user };
}

/** Gives an unconfirmed account, with this identity only, to the person whose address the provider has verified. */
async function claim(
  auth: Auth,
  tx: Queryable,
  user: StoredUser,
  external: ExternalIdentity,
): Promise<FoundAccount> {
  await takeOver(auth, tx, user, "email");
  const own = await updateUser(tx, user.id, { email_confirmed_at: timestamp(auth) });
  return { kind: "user", user: await link(auth, tx, own, external) };
}

/**
 * Adds the identity to a user. A user without an address gets the one that the provider has verified.
 * @throws AuthFault email_exists, validation_failed when the data is too large; StorageFault 23505 when an account has
 * the identity already
 */
export async function link(
  auth: Auth,
  tx: Queryable,
  user: StoredUser,
  external: Pick<ExternalIdentity, "provider" | "profile">,
): Promise<StoredUser> {
  const { profile, provider } = external;
  const locked = await lockUser(tx, user.id);
  if (locked === undefined) throw new AuthFault("user_not_found", "User not found");
  const address = locked.email === null && profile.emailVerified ? profile.email : undefined;
  if (address !== undefined && (await userByEmail(tx, address)) !== undefined)
    throw contactTaken("email");
  const identity = {
    provider,
    providerId: profile.subject,
    data: profile.data,
    email: profile.email,
  };
  await addIdentity(auth, tx, user.id, identity);
  const providers = (await identitiesOf(tx, user.id)).map((one) => one.provider);
  const metadata = mergeMetadata(profile.data, locked.userMetadata);
  const now = timestamp(auth);
  const common = {
    app_metadata: JSON.stringify(withProviders(locked.appMetadata, providers)),
    is_anonymous: 0,
    updated_at: now,
  };
  if (address === undefined)
    return updateUser(tx, user.id, { ...common, user_metadata: JSON.stringify(metadata) });
  const contact = { kind: "email", value: address, confirmed: true } as const;
  return updateUser(tx, user.id, {
    ...common,
    email: address,
    email_confirmed_at: now,
    user_metadata: JSON.stringify(metadataAfter(metadata, contact)),
  });
}

/** Updates `provider` and `providers`; `provider` is the first one as long as the user has it. */
export function withProviders(metadata: Fields, providers: readonly string[]): Fields {
  const first = metadata["provider"];
  const named = typeof first === "string" && providers.includes(first) ? first : providers[0];
  return { ...metadata, provider: named ?? null, providers: [...new Set(providers)] };
}

async function create(
  auth: Auth,
  tx: Queryable,
  request: AuthRequest,
  external: ExternalIdentity,
  confirmed: boolean,
): Promise<StoredUser> {
  refuseSignUp(auth);
  const { profile, provider } = external;
  const user = await createUser(auth, tx, {
    email: profile.email,
    emailConfirmed: confirmed,
    data: mergeMetadata({}, profile.data),
    provider,
    isSsoUser: external.sso === true,
  });
  const identity = {
    provider,
    providerId: profile.subject,
    data: profile.data,
    email: profile.email,
  };
  await addIdentity(auth, tx, user.id, identity);
  await audit(auth, tx, {
    action: "user_signedup",
    ip: request.ip,
    actor: user,
    traits: { provider },
  });
  return user;
}

/**
 * Sends the mail that confirms the address, when there is one and its budget is not used up.
 * @throws AuthFault provider_email_needs_verification, the same whether the address has an account or not
 */
export async function refuseUnverified(
  auth: Auth,
  request: AuthRequest,
  provider: string,
  mail: PreparedMail | undefined,
): Promise<never> {
  if (mail !== undefined && (await isWithinBudget(auth, request, mail))) sendMail(auth, mail);
  throw new AuthFault(
    "provider_email_needs_verification",
    `Unverified email with ${provider}. A confirmation email has been sent to your ${provider} email`,
  );
}

async function isWithinBudget(
  auth: Auth,
  { ip }: AuthRequest,
  { to, user }: PreparedMail,
): Promise<boolean> {
  try {
    return await takeMail(auth, { kind: "signup", to, ip, share: "new", userId: user.id });
  } catch (error) {
    if (error instanceof AuthFault) return false;
    throw error;
  }
}
