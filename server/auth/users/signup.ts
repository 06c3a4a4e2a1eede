/** POST /signup: with an email address, a phone number, or neither. */

import { randomUUID } from "node:crypto";
import type { Queryable } from "../../storage/port.ts";
import { audit } from "../context/audit.ts";
import { requireMail, requireText, type Message } from "../context/budgets.ts";
import { timestamp, withStoppedClock, type Auth } from "../context/context.ts";
import { AuthFault } from "../http/errors.ts";
import {
  ok,
  parseChannel,
  parseEmail,
  parsePhone,
  recordField,
  textField,
  type AuthRequest,
  type AuthResponse,
} from "../http/request.ts";
import { startSession, writeSession } from "../sessions/grant.ts";
import { writeUser, type UserJson } from "../store/json.ts";
import {
  identitiesOf,
  updateUser,
  userByEmail,
  userByPhone,
  type StoredIdentity,
  type StoredUser,
} from "../store/users.ts";
import { createUser, orExists, retryOnConflict } from "./accounts.ts";
import {
  identityData,
  mergeMetadata,
  providersOf,
  signUpClaims,
  userMetadata,
  type NewUser,
} from "./metadata.ts";
import { checkPassword } from "./password.ts";
import {
  prepareMail,
  prepareText,
  requireSmsSender,
  returnOf,
  sendMail,
  sendText,
} from "./send.ts";

/**
 * Signs up.
 * @throws AuthFault signup_disabled, weak_password, validation_failed, user_already_exists with autoconfirm, over_request_rate_limit
 */
export async function signUp(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  const email = textField(request.body, "email");
  const phone = textField(request.body, "phone");
  if (email === undefined && phone === undefined) return signUpAnonymously(auth, request);
  auth.limits.take("signup", request.ip);
  refuseSignUp(auth);
  if (email !== undefined && phone !== undefined)
    throw new AuthFault(
      "validation_failed",
      "Only an email address or phone number should be provided on signup.",
    );
  const password = textField(request.body, "password");
  if (password === undefined)
    throw new AuthFault("validation_failed", "Signup requires a valid password");
  // A repeated sign-up and the response to a taken address take the data as it is here.
  const data = mergeMetadata({}, recordField(request.body, "data"));
  if (email !== undefined) {
    if (!auth.settings.GOTRUE_EXTERNAL_EMAIL_ENABLED)
      throw new AuthFault("email_provider_disabled", "Email signups are disabled");
    const wanted = { email: parseEmail(email), data, signsUp: true };
    checkPassword(auth.settings, password);
    const passwordHash = await auth.passwords.hash(request.ip, password);
    return signUpByEmail(withStoppedClock(auth), request, { ...wanted, passwordHash });
  }
  if (!auth.settings.GOTRUE_EXTERNAL_PHONE_ENABLED)
    throw new AuthFault("phone_provider_disabled", "Phone signups are disabled");
  const wanted = { phone: parsePhone(phone ?? ""), data, signsUp: true };
  checkPassword(auth.settings, password);
  const passwordHash = await auth.passwords.hash(request.ip, password);
  return signUpByPhone(withStoppedClock(auth), request, { ...wanted, passwordHash });
}

/**
 * Refuses a sign-up where it is disabled.
 * @throws AuthFault signup_disabled
 */
export function refuseSignUp(auth: Auth): void {
  if (auth.settings.GOTRUE_DISABLE_SIGNUP)
    throw new AuthFault("signup_disabled", "Signups not allowed for this instance");
}

async function signUpAnonymously(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  if (!auth.settings.GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED)
    throw new AuthFault("anonymous_provider_disabled", "Anonymous sign-ins are disabled");
  auth.limits.take("anonymous", request.ip);
  refuseSignUp(auth);
  const data = recordField(request.body, "data");
  const grant = await auth.database.transaction(async (tx) => {
    const user = await createUser(auth, tx, { data, isAnonymous: true });
    await audit(auth, tx, { action: "user_signedup", ip: request.ip, actor: user });
    return startSession(auth, tx, { user, method: "anonymous", request });
  });
  return ok(await writeSession(auth, grant));
}

type Wanted = NewUser & { readonly passwordHash: string };

/** Signs up with autoconfirm. A taken address cannot be hidden, since the response to a free one is a session. */
async function signUpAtOnce(
  auth: Auth,
  request: AuthRequest,
  wanted: Wanted,
): Promise<AuthResponse> {
  const work = auth.database.transaction(async (tx) => {
    const user = await createUser(auth, tx, {
      ...wanted,
      emailConfirmed: true,
      phoneConfirmed: true,
    });
    await audit(auth, tx, { action: "user_signedup", ip: request.ip, actor: user });
    return startSession(auth, tx, { user, method: "password", request });
  });
  const grant = await orExists(
    work,
    new AuthFault("user_already_exists", "User already registered"),
  );
  return ok(await writeSession(auth, grant));
}

async function signUpByEmail(
  auth: Auth,
  request: AuthRequest,
  wanted: Wanted & { readonly email: string },
): Promise<AuthResponse> {
  const back = returnOf(auth, request);
  if (auth.settings.GOTRUE_MAILER_AUTOCONFIRM) return signUpAtOnce(auth, request, wanted);
  await requireMail(auth, newcomer(request, wanted.email));
  const done = await retryOnConflict(() =>
    auth.database.transaction(async (tx) => {
      const existing = await userByEmail(tx, wanted.email);
      const user = existing ?? (await createUser(auth, tx, wanted));
      const isNew = existing === undefined;
      await auditSignUp(auth, tx, request, { user, isNew });
      if (user.emailConfirmedAt !== null) return undefined;
      const own = isNew ? user : await repeatSignUp(tx, user, wanted);
      const mail = await prepareMail(auth, tx, own, { name: "signup", to: wanted.email, back });
      return { mail, isNew, identities: await identitiesOf(tx, user.id) };
    }),
  );
  if (done !== undefined) sendMail(auth, done.mail);
  if (done === undefined || !done.isNew) return ok(decoyUser(auth, wanted));
  return ok(writeUser(done.mail.user, done.identities, []));
}

async function signUpByPhone(
  auth: Auth,
  request: AuthRequest,
  wanted: Wanted & { readonly phone: string },
): Promise<AuthResponse> {
  const { phone } = wanted;
  const channel = parseChannel(auth.settings, request.body);
  if (auth.settings.GOTRUE_SMS_AUTOCONFIRM) return signUpAtOnce(auth, request, wanted);
  requireSmsSender(auth, phone);
  await requireText(auth, newcomer(request, phone));
  const done = await retryOnConflict(() =>
    auth.database.transaction(async (tx) => {
      const existing = await userByPhone(tx, phone);
      const user = existing ?? (await createUser(auth, tx, wanted));
      const isNew = existing === undefined;
      await auditSignUp(auth, tx, request, { user, isNew });
      if (user.phoneConfirmedAt !== null) return undefined;
      const own = isNew ? user : await repeatSignUp(tx, user, wanted);
      const order = { kind: "phone_confirmation", phone, channel } as const;
      const message = await prepareText(auth, tx, own, order);
      return { message, isNew, identities: await identitiesOf(tx, user.id) };
    }),
  );
  if (done !== undefined) sendText(auth, done.message);
  if (done === undefined || !done.isNew) return ok(decoyUser(auth, wanted));
  return ok(writeUser(done.message.user, done.identities, []));
}

/** Adds the entry of a sign-up, by a new user or with a taken address or number. */
function auditSignUp(
  auth: Auth,
  tx: Queryable,
  { ip }: AuthRequest,
  { user, isNew }: { readonly user: StoredUser; readonly isNew: boolean },
): Promise<void> {
  const action = isNew ? "user_signedup" : "user_repeated_signup";
  return audit(auth, tx, { action, ip, actor: user });
}

/** Returns the receiver of a sign-up's message: somebody without a confirmed account, or nobody. */
function newcomer({ ip }: AuthRequest, to: string): Message {
  return { kind: "signup", to, ip, share: "new", userId: undefined };
}

/**
 * Repeats a sign-up. An unconfirmed account has no proved owner, so the last sign-up sets its password and data. An
 * invited account, and one whose other contact is confirmed, stays unchanged.
 */
async function repeatSignUp(tx: Queryable, user: StoredUser, wanted: Wanted): Promise<StoredUser> {
  const isConfirmed = user.emailConfirmedAt !== null || user.phoneConfirmedAt !== null;
  if (isConfirmed || user.invitedAt !== null) return user;
  // A provider that has not verified the address did not prove its identity to be the owner's either.
  await tx.query(
    "delete from auth_identities where user_id = $1 and provider not in ('email', 'phone')",
    [user.id],
  );
  const contact = { email: user.email ?? undefined, phone: user.phone ?? undefined };
  return updateUser(tx, user.id, {
    encrypted_password: wanted.passwordHash,
    user_metadata: JSON.stringify({ ...wanted.data, ...signUpClaims(user.id, contact) }),
  });
}

/** Returns the response to a sign-up with a taken address, which looks like a new user's. */
function decoyUser(auth: Auth, wanted: NewUser): UserJson {
  const id = randomUUID();
  const now = timestamp(auth);
  const providers = providersOf(wanted);
  const kind = wanted.email === undefined ? "phone" : "email";
  const identity: StoredIdentity = {
    id: randomUUID(),
    userId: id,
    provider: kind,
    providerId: id,
    data: identityData(kind, id, wanted),
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
    userMetadata: userMetadata(id, wanted),
    isSsoUser: false,
    isAnonymous: false,
    bannedUntil: null,
    deletedAt: null,
    createdAt: now,
    updatedAt: now,
  };
  return writeUser(user, [identity], []);
}
