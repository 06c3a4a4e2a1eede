/** The admin API for users: /admin/users and /invite. */

import type { Queryable } from "../../storage/port.ts";
import { audit } from "../context/audit.ts";
import { requireAdmin } from "../context/caller.ts";
import { timestamp, type Auth } from "../context/context.ts";
import { AuthFault } from "../http/errors.ts";
import {
  flagField,
  isUuid,
  ok,
  recordField,
  requiredText,
  textField,
  uuidParam,
  parseEmail,
  parsePhone,
  requestedRedirect,
  type AuthResponse,
  type AuthRequest,
  type Fields,
} from "../http/request.ts";
import { randomSecret, sha256 } from "../secrets/secrets.ts";
import { parseDuration } from "../settings/kinds.ts";
import { userJson } from "../store/json.ts";
import { endAllSessions } from "../store/sessions.ts";
import {
  cancelPending,
  deleteUser,
  listUsers,
  lockUser,
  updateUser,
  userByEmail,
  userById,
  deleteOwned,
  type StoredUser,
} from "../store/users.ts";
import { contactTaken, createUser, orExists, setContact } from "../users/accounts.ts";
import { mergeMetadata } from "../users/metadata.ts";
import { checkPassword, isPasswordHash } from "../users/password.ts";
import { sendMail, prepareMail } from "../users/send.ts";
import { pageHeaders, readPage } from "./pages.ts";

/** Returns the user that the path names. @throws AuthFault validation_failed, user_not_found */
export async function userOfPath(auth: Auth, request: AuthRequest): Promise<StoredUser> {
  const user = await userById(auth.database, uuidParam(request, "user_id"));
  if (user === undefined) throw new AuthFault("user_not_found", "User not found");
  return user;
}

/** GET /admin/users, in pages, the newest first. @throws AuthFault validation_failed */
export async function adminListUsers(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  await requireAdmin(auth, request);
  const page = readPage(request);
  const filter = textField(request.query, "filter");
  const { users, total } = await listUsers(auth.database, page, filter);
  const shown = await Promise.all(users.map((user) => userJson(auth.database, user)));
  return {
    json: { users: shown, aud: auth.settings.GOTRUE_JWT_AUD },
    headers: pageHeaders(`${auth.urls.api()}/admin/users`, page, total, filter),
  };
}

/** GET /admin/users/:user_id. @throws AuthFault user_not_found */
export async function adminGetUser(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
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
  /** The end of the ban; null removes the ban. */
  readonly bannedUntil: string | null | undefined;
}

async function readWanted(auth: Auth, request: AuthRequest): Promise<Wanted> {
  const { body } = request;
  const email = textField(body, "email");
  const phone = textField(body, "phone");
  return {
    email: email === undefined ? undefined : parseEmail(email),
    phone: phone === undefined ? undefined : parsePhone(phone),
    passwordHash: await readPassword(auth, request),
    emailConfirm: flagField(body, "email_confirm"),
    phoneConfirm: flagField(body, "phone_confirm"),
    userMetadata: recordField(body, "user_metadata"),
    appMetadata: recordField(body, "app_metadata"),
    role: readRole(body),
    bannedUntil: readBan(auth, body),
  };
}

async function readPassword(auth: Auth, request: AuthRequest): Promise<string | undefined> {
  const { body } = request;
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
  checkPassword(auth.settings, password);
  return auth.passwords.hash(request.ip, password);
}

/** The roles that a user may have; the table API and the socket refuse tokens with others. */
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
  return timestamp(auth, duration);
}

/** POST /admin/users. @throws AuthFault email_exists, phone_exists, weak_password, validation_failed */
export async function adminCreateUser(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  await requireAdmin(auth, request);
  const wanted = await readWanted(auth, request);
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
  return contactTaken(wanted.email === undefined ? "phone" : "email");
}

/** PUT /admin/users/:user_id. A new password and a ban end the user's sessions and what these began. @throws AuthFault user_not_found, email_exists, phone_exists */
export async function adminUpdateUser(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  await requireAdmin(auth, request);
  const found = await userOfPath(auth, request);
  const wanted = await readWanted(auth, request);
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
  if (wanted.passwordHash !== undefined || typeof wanted.bannedUntil === "string") {
    await endAllSessions(tx, user.id);
    await cancelPending(tx, user.id);
  }
  return updateUser(tx, user.id, {
    user_metadata: JSON.stringify(mergeMetadata(user.userMetadata, wanted.userMetadata)),
    app_metadata: JSON.stringify(mergeMetadata(user.appMetadata, wanted.appMetadata, "app")),
    role: wanted.role ?? user.role,
    ...(wanted.passwordHash === undefined ? {} : { encrypted_password: wanted.passwordHash }),
    ...(wanted.bannedUntil === undefined ? {} : { banned_until: wanted.bannedUntil }),
    updated_at: timestamp(auth),
  });
}

/** DELETE /admin/users/:user_id. @throws AuthFault user_not_found */
export async function adminDeleteUser(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
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
    if (soft) await anonymize(auth, tx, user);
    else await deleteUser(tx, user.id);
  });
  return ok({});
}

/** Deletes a user softly: the row stays, without anything that identifies the person. */
async function anonymize(auth: Auth, tx: Queryable, user: StoredUser): Promise<void> {
  await deleteOwned(tx, user.id);
  await updateUser(tx, user.id, {
    email: user.email === null ? null : sha256(`${user.id} ${user.email} ${randomSecret()}`),
    phone: user.phone === null ? null : sha256(`${user.id} ${user.phone} ${randomSecret()}`),
    email_change: null,
    phone_change: null,
    encrypted_password: null,
    user_metadata: "{}",
    app_metadata: "{}",
    deleted_at: timestamp(auth),
    updated_at: timestamp(auth),
  });
}

/** POST /invite. The response to the service key may say that the address has an account. */
export async function invite(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  await requireAdmin(auth, request);
  const email = parseEmail(requiredText(request.body, "email"));
  const data = recordField(request.body, "data");
  const back = { redirectTo: auth.redirects.choose(requestedRedirect(request)) };
  const work = auth.database.transaction(async (tx) => {
    const known = await userByEmail(tx, email);
    if (known !== undefined && known.emailConfirmedAt !== null) throw contactTaken("email");
    const user = known ?? (await createUser(auth, tx, { email, data }));
    await audit(auth, tx, {
      action: "user_invited",
      ip: request.ip,
      actor: null,
      traits: { user_id: user.id },
    });
    return prepareMail(auth, tx, user, { name: "invite", to: email, back });
  });
  const mail = await orExists(work, contactTaken("email"));
  sendMail(auth, mail);
  return ok(await userJson(auth.database, mail.user));
}
