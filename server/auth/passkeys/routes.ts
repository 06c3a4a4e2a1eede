/** The routes under /passkeys: registration, sign-in, list, rename, delete. */

import { randomUUID } from "node:crypto";
import type { Queryable, Row } from "../../storage/port.ts";
import { audit, type Actor } from "../context/audit.ts";
import {
  lockCaller,
  refuseBanned,
  requireAal2,
  requireUser,
  type Caller,
} from "../context/caller.ts";
import { isExpired, timestamp, type Auth } from "../context/context.ts";
import { AuthFault } from "../http/errors.ts";
import {
  isUuid,
  noContent,
  ok,
  recordField,
  requiredText,
  uuidParam,
  type AuthResponse,
  type AuthRequest,
  type Fields,
} from "../http/request.ts";
import { sha256 } from "../secrets/secrets.ts";
import { startSession, writeSession } from "../sessions/grant.ts";
import { withoutNulls } from "../store/json.ts";
import { insert, json, number, one, text, textOrNull, update } from "../store/rows.ts";
import { lockUser, userById, type StoredUser } from "../store/users.ts";
import { orExists } from "../users/accounts.ts";
import {
  creationOptions,
  requestOptions,
  userHandle,
  verifyCreation,
  verifyRequest,
  type Credential,
} from "./credentials.ts";
import { relyingParty } from "./relying-party.ts";

function requireEnabled(auth: Auth): void {
  if (!auth.settings.GOTRUE_PASSKEY_ENABLED)
    throw new AuthFault("passkey_disabled", "Passkeys are disabled");
}

function readCredential(row: Row): Credential {
  return {
    id: text(row, "credential_id"),
    publicKey: text(row, "public_key"),
    signCount: number(row, "sign_count"),
    transports: json(row, "transports"),
  };
}

/** Returns a passkey as the API writes it. */
export function writePasskey(row: Row): Fields {
  return withoutNulls({
    id: text(row, "id"),
    friendly_name: text(row, "friendly_name"),
    created_at: text(row, "created_at"),
    last_used_at: textOrNull(row, "last_used_at"),
  });
}

/** Returns a user's passkeys in the order in which they were registered. */
export async function passkeysOf(db: Queryable, userId: string): Promise<readonly Row[]> {
  const found = await db.query(
    "select * from auth_passkeys where user_id = $1 order by created_at, id",
    [userId],
  );
  return found.rows;
}

/**
 * Requires a caller who may change passkeys. A passkey signs in like a password, so a user with a second factor must
 * use it first.
 */
async function requireManager(auth: Auth, request: AuthRequest): Promise<Caller> {
  requireEnabled(auth);
  const caller = await requireUser(auth, request);
  if (caller.user.isSsoUser)
    throw new AuthFault("validation_failed", "SSO users cannot register passkeys", { status: 422 });
  await requireAal2(
    auth.database,
    caller,
    "AAL2 session is required to manage passkeys when MFA is enabled.",
  );
  return caller;
}

interface Ceremony {
  readonly kind: "registration" | "authentication";
  readonly userId: string | null;
  readonly challenge: string;
}

/** Stores a new ceremony. `expiresAt` is in seconds since 1970. */
async function openCeremony(
  auth: Auth,
  ceremony: Ceremony,
): Promise<{ id: string; expiresAt: number }> {
  const id = randomUUID();
  const validMs = auth.settings.GOTRUE_WEBAUTHN_CHALLENGE_EXPIRY_DURATION;
  await insert(auth.database, "auth_ceremonies", {
    id,
    user_id: ceremony.userId,
    kind: ceremony.kind,
    challenge: sha256(ceremony.challenge),
    expires_at: timestamp(auth, validMs),
    created_at: timestamp(auth),
  });
  return { id, expiresAt: Math.floor((auth.clock() + validMs) / 1000) };
}

/** Ends a ceremony and returns its challenge's hash: a ceremony accepts one response, right or wrong. */
async function closeCeremony(
  auth: Auth,
  request: AuthRequest,
  kind: Ceremony["kind"],
  userId: string,
): Promise<string> {
  const id = requiredText(request.body, "challenge_id");
  if (!isUuid(id)) throw new AuthFault("validation_failed", "challenge_id must be a valid UUID");
  const row = await one(
    auth.database,
    "delete from auth_ceremonies where id = $1 and kind = $2 and coalesce(user_id, '') = $3 returning *",
    [id.toLowerCase(), kind, userId],
  );
  if (row === undefined)
    throw new AuthFault("webauthn_challenge_not_found", "Challenge not found or already used");
  if (isExpired(auth, text(row, "expires_at")))
    throw new AuthFault("webauthn_challenge_expired", "Challenge has expired");
  return text(row, "challenge");
}

function readResponse(request: AuthRequest): Fields {
  const response = recordField(request.body, "credential");
  if (response === undefined) throw new AuthFault("validation_failed", "credential is required");
  return response;
}

const verificationFailed = (): AuthFault =>
  new AuthFault("webauthn_verification_failed", "Credential verification failed");

/** POST /passkeys/registration/options. @throws AuthFault passkey_disabled, too_many_passkeys, insufficient_aal */
export async function startRegistration(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  const { user } = await requireManager(auth, request);
  const known = (await passkeysOf(auth.database, user.id)).map(readCredential);
  refuseMore(auth, known.length);
  const options = await creationOptions(relyingParty(auth), user, known, "passkey");
  const opened = await openCeremony(auth, {
    kind: "registration",
    userId: user.id,
    challenge: options.challenge,
  });
  return ok({ challenge_id: opened.id, options, expires_at: opened.expiresAt });
}

function refuseMore(auth: Auth, count: number): void {
  if (count >= auth.settings.GOTRUE_PASSKEY_MAX_PASSKEYS_PER_USER)
    throw new AuthFault("too_many_passkeys", "Maximum number of passkeys reached");
}

/** POST /passkeys/registration/verify. @throws AuthFault webauthn_verification_failed, webauthn_challenge_not_found, webauthn_credential_exists */
export async function finishRegistration(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  const caller = await requireManager(auth, request);
  const { user } = caller;
  const response = readResponse(request);
  const challengeHash = await closeCeremony(auth, request, "registration", user.id);
  const expected = { challengeHash, party: relyingParty(auth), strength: "passkey" } as const;
  const credential = await verifyCreation(response, expected);
  if (credential === undefined) throw verificationFailed();
  const id = randomUUID();
  const work = auth.database.transaction(async (tx) => {
    await lockCaller(tx, caller);
    refuseMore(auth, (await passkeysOf(tx, user.id)).length);
    await insert(tx, "auth_passkeys", {
      id,
      user_id: user.id,
      friendly_name: "Passkey",
      credential_id: credential.id,
      public_key: credential.publicKey,
      sign_count: credential.signCount,
      transports: JSON.stringify(credential.transports),
      created_at: timestamp(auth),
      updated_at: timestamp(auth),
    });
    const traits = { passkey_id: id };
    await audit(auth, tx, { action: "passkey_created", ip: request.ip, actor: user, traits });
    return one(tx, "select * from auth_passkeys where id = $1", [id]);
  });
  const row = await orExists(
    work,
    new AuthFault("webauthn_credential_exists", "This credential is already registered"),
  );
  if (row === undefined) throw new Error("the passkey is gone right after it was made");
  return ok(writePasskey(row));
}

/** POST /passkeys/authentication/options. @throws AuthFault passkey_disabled */
export async function startAuthentication(auth: Auth): Promise<AuthResponse> {
  requireEnabled(auth);
  const options = await requestOptions(relyingParty(auth), [], "passkey");
  const opened = await openCeremony(auth, {
    kind: "authentication",
    userId: null,
    challenge: options.challenge,
  });
  return ok({ challenge_id: opened.id, options, expires_at: opened.expiresAt });
}

/**
 * POST /passkeys/authentication/verify: returns a session. @throws AuthFault webauthn_verification_failed,
 * webauthn_challenge_not_found, user_banned
 */
export async function finishAuthentication(
  auth: Auth,
  request: AuthRequest,
): Promise<AuthResponse> {
  requireEnabled(auth);
  const response = readResponse(request);
  const challengeHash = await closeCeremony(auth, request, "authentication", "");
  const row = await one(auth.database, "select * from auth_passkeys where credential_id = $1", [
    requiredText(response, "id"),
  ]);
  const user = row === undefined ? undefined : await userById(auth.database, text(row, "user_id"));
  if (row === undefined || user === undefined || userHandle(response) !== user.id)
    throw verificationFailed();
  const expected = { challengeHash, party: relyingParty(auth), strength: "passkey" } as const;
  const signCount = await verifyRequest(response, expected, readCredential(row));
  if (signCount === undefined) throw verificationFailed();
  if (user.email !== null && user.emailConfirmedAt === null)
    throw new AuthFault("email_not_confirmed", "Email not confirmed", { status: 403 });
  const grant = await auth.database.transaction(async (tx) => {
    const locked = await lockUser(tx, user.id);
    if (locked === undefined) throw verificationFailed();
    refuseBanned(auth, locked);
    const changes = {
      sign_count: signCount,
      last_used_at: timestamp(auth),
      updated_at: timestamp(auth),
    };
    // Another request may have deleted it since its signature was checked.
    if ((await update(tx, "auth_passkeys", text(row, "id"), changes)) === undefined)
      throw verificationFailed();
    const traits = { passkey_id: text(row, "id") };
    await audit(auth, tx, { action: "login", ip: request.ip, actor: user, traits });
    return startSession(auth, tx, { user, method: "passkey", request });
  });
  return ok(await writeSession(auth, grant));
}

/** GET /passkeys. @throws AuthFault passkey_disabled */
export async function listPasskeys(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  requireEnabled(auth);
  const { user } = await requireUser(auth, request);
  return ok((await passkeysOf(auth.database, user.id)).map(writePasskey));
}

const notFound = (): AuthFault => new AuthFault("passkey_not_found", "Passkey not found");

/** PATCH /passkeys/:passkey_id. @throws AuthFault passkey_not_found, insufficient_aal */
export async function renamePasskey(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  const { user } = await requireManager(auth, request);
  const name = requiredText(request.body, "friendly_name");
  if (name.length > 120)
    throw new AuthFault("validation_failed", "friendly_name must be at most 120 characters");
  const row = await one(
    auth.database,
    "update auth_passkeys set friendly_name = $3, updated_at = $4 where id = $1 and user_id = $2 returning *",
    [uuidParam(request, "passkey_id"), user.id, name, timestamp(auth)],
  );
  if (row === undefined) throw notFound();
  const traits = { passkey_id: text(row, "id") };
  await audit(auth, auth.database, {
    action: "passkey_updated",
    ip: request.ip,
    actor: user,
    traits,
  });
  return ok(writePasskey(row));
}

/** DELETE /passkeys/:passkey_id. @throws AuthFault passkey_not_found, insufficient_aal */
export async function deletePasskey(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  const { user } = await requireManager(auth, request);
  await removePasskey(auth, request, user, user);
  return noContent;
}

/**
 * Deletes the passkey of a user that the path names. `actor` is null for the service key. @throws AuthFault
 * validation_failed, passkey_not_found
 */
export async function removePasskey(
  auth: Auth,
  request: AuthRequest,
  user: StoredUser,
  actor: Actor | null,
): Promise<void> {
  const id = uuidParam(request, "passkey_id");
  await auth.database.transaction(async (tx) => {
    const gone = await one(
      tx,
      "delete from auth_passkeys where id = $1 and user_id = $2 returning id",
      [id, user.id],
    );
    if (gone === undefined) throw notFound();
    const traits = { passkey_id: id, user_id: user.id };
    await audit(auth, tx, { action: "passkey_deleted", ip: request.ip, actor, traits });
  });
}
