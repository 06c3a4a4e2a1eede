/** The admin API for users: /admin/users and /invite. */

import type { Queryable } from "../../storage/port.ts";
import { audit } from "../audit.ts";
import { requireAdmin } from "../caller.ts";
import type { Auth } from "../context.ts";
import { stamp } from "../context.ts";
import { AuthFault } from "../errors.ts";
import {
  flagField,
  isUuid,
  mergeMetadata,
  ok,
  recordField,
  requiredText,
  textField,
  uuidParam,
} from "../request.ts";
import type { Answer, AuthRequest, Fields } from "../request.ts";
import { randomSecret, sha256 } from "../secrets.ts";
import { parseDuration } from "../settings/kinds.ts";
import {
  deleteUser,
  endSessions,
  listUsers,
  lockUser,
  updateUser,
  userByEmail,
  userById,
} from "../store/users.ts";
import type { StoredUser } from "../store/users.ts";
import { createUser, orExists, setContact } from "../users/accounts.ts";
import { readEmail, readPhone } from "../users/contact.ts";
import { userJson } from "../users/json.ts";
import { prepareMail, sendPrepared } from "../users/messages.ts";
import { checkPassword, hashPassword, isPasswordHash } from "../users/password.ts";
import { passwordPolicy, redirectOf } from "../users/signup.ts";
import { pageHeaders, readPage } from "./pages.ts";

const TAKEN_EMAIL = "A user with this email address has already been registered";
const TAKEN_PHONE = "A user with this phone number has already been registered";

/** The user of the path. @throws AuthFault validation_failed, user_not_found */
export async function userOfPath(auth: Auth, request: AuthRequest): Promise<StoredUser> {
  const user = await userById(auth.database, uuidParam(request, "user_id"));
  if (user === undefined) throw new AuthFault("user_not_found", "User not found");
  return user;
}

export async function adminListUsers(auth: Auth, request: AuthRequest): Promise<Answer> {
  await requireAdmin(auth, request);
  const page = readPage(request);
  const { users, total } = await listUsers(auth.database, page);
  const shown = await Promise.all(users.map((user) => userJson(auth.database, user)));
  return {
    json: { users: shown, aud: auth.settings.GOTRUE_JWT_AUD },
    headers: pageHeaders(`${auth.urls.api()}/admin/users`, page, total),
  };
}

export async function adminGetUser(auth: Auth, request: AuthRequest): Promise<Answer> {
  await requireAdmin(auth, request);
  return ok(await userJson(auth.database, await userOfPath(auth, request)));
}

interface Wanted {
  readonly email: string | undefined;
  readonly phone: string | undefined;
  readonly passwordHash: string | undefined;
  readonly emailConfirm: boolean | undefined;
  readonly phoneConfirm: boolean | undefined;
  readonly userMetadata: Fields | undefined;
  readonly appMetadata: Fields | undefined;
  readonly role: string | undefined;
  /** Until when; null lifts the ban. */
  readonly bannedUntil: string | null | undefined;
}

async function readWanted(auth: Auth, body: Fields): Promise<Wanted> {
  const email = textField(body, "email");
  const phone = textField(body, "phone");
  return {
    email: email === undefined ? undefined : readEmail(email),
    phone: phone === undefined ? undefined : readPhone(phone),
    passwordHash: await readPassword(auth, body),
    emailConfirm: flagField(body, "email_confirm"),
    phoneConfirm: flagField(body, "phone_confirm"),
    userMetadata: recordField(body, "user_metadata"),
    appMetadata: recordField(body, "app_metadata"),
    role: readRole(body),
    bannedUntil: readBan(auth, body),
  };
}

async function readPassword(auth: Auth, body: Fields): Promise<string | undefined> {
  const password = textField(body, "password");
  const hash = textField(body, "password_hash");
  if (password !== undefined && hash !== undefined)
    throw new AuthFault(
      "validation_failed",
      "Only a password or a password hash should be provided",
    );
  if (hash !== undefined) {
    if (!isPasswordHash(hash))
      throw new AuthFault("validation_failed", "password_hash must be a bcrypt hash");
    return hash;
  }
  if (password === undefined) return undefined;
  checkPassword(password, passwordPolicy(auth));
  return hashPassword(password);
}

/** Tokens with other roles would be refused by the table API and the socket. */
const ROLES = ["authenticated", "anon", "service_role"];

function readRole(body: Fields): string | undefined {
  const role = textField(body, "role");
  if (role !== undefined && !ROLES.includes(role))
    throw new AuthFault("validation_failed", `role must be one of ${ROLES.join(", ")}`);
  return role;
}

function readBan(auth: Auth, body: Fields): string | null | undefined {
  const given = textField(body, "ban_duration");
  if (given === undefined) return undefined;
  if (given === "none") return null;
  const duration = parseDuration(given);
  if (duration === undefined)
    throw new AuthFault("validation_failed", "invalid format for ban duration");
  return stamp(auth, duration);
}

export async function adminCreateUser(auth: Auth, request: AuthRequest): Promise<Answer> {
  await requireAdmin(auth, request);
  const wanted = await readWanted(auth, request.body);
  const id = textField(request.body, "id");
  if (id !== undefined && !isUuid(id))
    throw new AuthFault("validation_failed", "ID must conform to the uuid v4 format");
  if (wanted.email === undefined && wanted.phone === undefined)
    throw new AuthFault(
      "validation_failed",
      "Cannot create a user without either an email or phone",
    );
  const work = auth.database.transaction(async (tx) => {
    const user = await createUser(auth, tx, {
      id: id?.toLowerCase(),
      email: wanted.email,
      phone: wanted.phone,
      emailConfirmed: wanted.emailConfirm ?? false,
      phoneConfirmed: wanted.phoneConfirm ?? false,
      passwordHash: wanted.passwordHash,
      data: wanted.userMetadata,
      appMetadata: wanted.appMetadata,
      role: wanted.role,
    });
    await audit(auth, tx, {
      action: "user_signedup",
      ip: request.ip,
      actor: null,
      traits: { user_id: user.id },
    });
    if (wanted.bannedUntil === undefined || wanted.bannedUntil === null) return user;
    return updateUser(tx, user.id, { banned_until: wanted.bannedUntil });
  });
  const user = await orExists(work, takenFault(wanted));
  return ok(await userJson(auth.database, user));
}

function takenFault(wanted: Pick<Wanted, "email">): AuthFault {
  return wanted.email === undefined
    ? new AuthFault("phone_exists", TAKEN_PHONE)
    : new AuthFault("email_exists", TAKEN_EMAIL);
}

export async function adminUpdateUser(auth: Auth, request: AuthRequest): Promise<Answer> {
  await requireAdmin(auth, request);
  const found = await userOfPath(auth, request);
  const wanted = await readWanted(auth, request.body);
  const work = auth.database.transaction(async (tx) => {
    const user = await change(auth, tx, found, wanted);
    await audit(auth, tx, {
      action: "user_modified",
      ip: request.ip,
      actor: null,
      traits: { user_id: user.id },
    });
    return user;
  });
  const user = await orExists(work, takenFault(wanted));
  return ok(await userJson(auth.database, user));
}

async function change(
  auth: Auth,
  tx: Queryable,
  found: StoredUser,
  wanted: Wanted,
): Promise<StoredUser> {
  let user = await lockUser(tx, found.id);
  if (user === undefined) throw new AuthFault("user_not_found", "User not found");
  if (wanted.email !== undefined)
    user = await setContact(auth, tx, user, {
      kind: "email",
      value: wanted.email,
      confirmed: wanted.emailConfirm ?? user.emailConfirmedAt !== null,
    });
  else if (wanted.emailConfirm === true && user.email !== null)
    user = await setContact(auth, tx, user, { kind: "email", value: user.email, confirmed: true });
  if (wanted.phone !== undefined)
    user = await setContact(auth, tx, user, {
      kind: "phone",
      value: wanted.phone,
      confirmed: wanted.phoneConfirm ?? user.phoneConfirmedAt !== null,
    });
  else if (wanted.phoneConfirm === true && user.phone !== null)
    user = await setContact(auth, tx, user, { kind: "phone", value: user.phone, confirmed: true });
  if (wanted.passwordHash !== undefined || typeof wanted.bannedUntil === "string")
    await endSessions(tx, user.id);
  return updateUser(tx, user.id, {
    user_metadata: JSON.stringify(mergeMetadata(user.userMetadata, wanted.userMetadata)),
    app_metadata: JSON.stringify(mergeMetadata(user.appMetadata, wanted.appMetadata)),
    role: wanted.role ?? user.role,
    ...(wanted.passwordHash === undefined ? {} : { encrypted_password: wanted.passwordHash }),
    ...(wanted.bannedUntil === undefined ? {} : { banned_until: wanted.bannedUntil }),
    updated_at: stamp(auth),
  });
}

export async function adminDeleteUser(auth: Auth, request: AuthRequest): Promise<Answer> {
  await requireAdmin(auth, request);
  const user = await userOfPath(auth, request);
  const soft = flagField(request.body, "should_soft_delete") ?? false;
  await auth.database.transaction(async (tx) => {
    await audit(auth, tx, {
      action: "user_deleted",
      ip: request.ip,
      actor: null,
      traits: { user_id: user.id, soft },
    });
    if (soft) await forget(auth, tx, user);
    else await deleteUser(tx, user.id);
  });
  return ok({});
}

/** The row stays for what refers to it, with nothing in it that tells who it was. */
async function forget(auth: Auth, tx: Queryable, user: StoredUser): Promise<void> {
  await endSessions(tx, user.id);
  for (const table of [
    "auth_identities",
    "auth_one_time_tokens",
    "auth_factors",
    "auth_passkeys",
    "auth_ceremonies",
    "auth_flow_states",
  ])
    await tx.query(`delete from ${table} where user_id = $1`, [user.id]);
  await updateUser(tx, user.id, {
    email: user.email === null ? null : sha256(`${user.id} ${user.email} ${randomSecret()}`),
    phone: user.phone === null ? null : sha256(`${user.id} ${user.phone} ${randomSecret()}`),
    email_change: null,
    phone_change: null,
    encrypted_password: null,
    user_metadata: "{}",
    app_metadata: "{}",
    deleted_at: stamp(auth),
    updated_at: stamp(auth),
  });
}

/** POST /invite. The service key may know whether an address has an account. */
export async function invite(auth: Auth, request: AuthRequest): Promise<Answer> {
  await requireAdmin(auth, request);
  const email = readEmail(requiredText(request.body, "email"));
  const data = recordField(request.body, "data");
  const back = { redirectTo: auth.redirects.choose(redirectOf(request)) };
  const work = auth.database.transaction(async (tx) => {
    const known = await userByEmail(tx, email);
    if (known !== undefined && known.emailConfirmedAt !== null)
      throw new AuthFault("email_exists", TAKEN_EMAIL);
    const user = known ?? (await createUser(auth, tx, { email, data }));
    await audit(auth, tx, {
      action: "user_invited",
      ip: request.ip,
      actor: null,
      traits: { user_id: user.id },
    });
    return prepareMail(auth, tx, user, { name: "invite", to: email, back });
  });
  const mail = await orExists(work, new AuthFault("email_exists", TAKEN_EMAIL));
  sendPrepared(auth, mail);
  return ok(await userJson(auth.database, mail.user));
}
