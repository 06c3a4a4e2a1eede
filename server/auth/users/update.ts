/** GET and PUT /user: reads and changes one's own account. */

import type { Queryable } from "../../storage/port.ts";
import { audit } from "../context/audit.ts";
import { memberShare, requireMail, requireText } from "../context/budgets.ts";
import {
  lockCaller,
  requireAal2,
  requireCaller,
  requireUser,
  type Caller,
} from "../context/caller.ts";
import { timestamp, withStoppedClock, type Auth } from "../context/context.ts";
import { guardGuess } from "../context/counters.ts";
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
  type Channel,
  type Fields,
} from "../http/request.ts";
import { userJson } from "../store/json.ts";
import { endOtherSessions } from "../store/sessions.ts";
import {
  cancelPending,
  updateUser,
  userByEmail,
  userByPhone,
  type StoredUser,
} from "../store/users.ts";
import { dropTokens, type GuessedToken } from "../tokens/onetime.ts";
import { contactTaken, orExists, setContact } from "./accounts.ts";
import { mergeMetadata } from "./metadata.ts";
import { checkPassword } from "./password.ts";
import { checkNonce, redeemNonce } from "./reauthenticate.ts";
import {
  prepareEmailChange,
  prepareText,
  requireSmsSender,
  returnOf,
  sendMail,
  sendText,
  type PreparedMail,
  type PreparedText,
  type Return,
} from "./send.ts";

/** GET /user. */
export async function getUser(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  const { user } = await requireCaller(auth, request);
  return ok(await userJson(auth.database, user));
}

/** A change. An address or number that the user already has is left out. */
interface Change {
  readonly data: Fields | undefined;
  readonly email: string | undefined;
  /** Whether the address needs no confirmation. */
  readonly emailAtOnce: boolean;
  readonly phone: string | undefined;
  readonly phoneAtOnce: boolean;
  readonly channel: Channel;
  readonly password: NewPassword | undefined;
  readonly back: Return;
}

interface NewPassword {
  readonly hash: string;
  /** The nonce with which it may be set, where one is required. */
  readonly nonce: GuessedToken | undefined;
}

/** PUT /user. @throws AuthFault insufficient_aal, weak_password, same_password, reauthentication_needed, user_sso_managed, not_admin */
export async function putUser(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  const caller = await requireUser(auth, request);
  const change = await readChange(auth, request, caller);
  const { email, phone } = change;
  if (phone !== undefined && !change.phoneAtOnce) requireSmsSender(auth, phone);
  const asked = { ip: request.ip, ...memberShare(caller.user) };
  if (email !== undefined && !change.emailAtOnce)
    await requireMail(auth, { ...asked, kind: "email_change", to: email });
  if (phone !== undefined && !change.phoneAtOnce)
    await requireText(auth, { ...asked, kind: "phone_change", to: phone });
  const order = { caller, request, change };
  const work = auth.database.transaction((tx) => store(withStoppedClock(auth), tx, order));
  const { user, mails, message } = await orExists(
    work,
    contactTaken(change.emailAtOnce ? "email" : "phone"),
  );
  for (const mail of mails) sendMail(auth, mail);
  if (message !== undefined) sendText(auth, message);
  return ok(await userJson(auth.database, user));
}

async function readChange(auth: Auth, request: AuthRequest, caller: Caller): Promise<Change> {
  const { settings } = auth;
  const { body } = request;
  const { user } = caller;
  if (Object.hasOwn(body, "app_metadata"))
    throw new AuthFault("not_admin", "Updating app_metadata requires admin privileges");
  const email = unlessSame(textField(body, "email"), parseEmail, user.email);
  const phone = unlessSame(textField(body, "phone"), parsePhone, user.phone);
  const password = textField(body, "password");
  if (email !== undefined && !settings.GOTRUE_EXTERNAL_EMAIL_ENABLED)
    throw new AuthFault("email_provider_disabled", "Email logins are disabled");
  if (phone !== undefined && !settings.GOTRUE_EXTERNAL_PHONE_ENABLED)
    throw new AuthFault("phone_provider_disabled", "Unsupported phone provider");
  const changesAccount = email !== undefined || phone !== undefined || password !== undefined;
  if (user.isSsoUser && (changesAccount || textField(body, "nonce") !== undefined))
    throw new AuthFault(
      "user_sso_managed",
      "Updating email, phone, password of a SSO account only possible via SSO",
    );
  if (changesAccount)
    await requireAal2(
      auth.database,
      caller,
      "AAL2 session is required to update email or password when MFA is enabled.",
    );
  if (user.isAnonymous && password !== undefined && email === undefined && phone === undefined)
    throw new AuthFault(
      "validation_failed",
      "Updating password of an anonymous user without an email or phone is not allowed",
      { status: 422 },
    );
  return {
    data: recordField(body, "data"),
    email,
    emailAtOnce: email !== undefined && user.isAnonymous && settings.GOTRUE_MAILER_AUTOCONFIRM,
    phone,
    phoneAtOnce: phone !== undefined && settings.GOTRUE_SMS_AUTOCONFIRM,
    channel: phone === undefined ? "sms" : parseChannel(settings, body),
    password:
      password === undefined ? undefined : await newPassword(auth, request, caller, password),
    back: returnOf(auth, request),
  };
}

function unlessSame(
  given: string | undefined,
  parse: (text: string) => string,
  current: string | null,
): string | undefined {
  if (given === undefined) return undefined;
  const value = parse(given);
  return value === current ? undefined : value;
}

/** Greatest age in milliseconds of a session that may set a password without a nonce. */
const FRESH_MS = 86_400_000;

/**
 * Reads a password that may be set, once its nonce is redeemed.
 * @throws AuthFault weak_password, same_password, invalid_credentials, reauthentication_needed, reauthentication_not_valid
 */
async function newPassword(
  auth: Auth,
  request: AuthRequest,
  caller: Caller,
  password: string,
): Promise<NewPassword> {
  const { user, session } = caller;
  const s = auth.settings;
  checkPassword(s, password);
  const isOld = auth.clock() - Date.parse(session.createdAt) > FRESH_MS;
  let nonce: GuessedToken | undefined;
  if (s.GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION && isOld) {
    const given = textField(request.body, "nonce");
    if (given === undefined)
      throw new AuthFault("reauthentication_needed", "Password update requires reauthentication");
    nonce = await checkNonce(auth, request, user, given);
  }
  const { encryptedPassword } = user;
  if (encryptedPassword === null)
    return { hash: await auth.passwords.hash(request.ip, password), nonce };
  if (s.GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD) {
    const who = { account: `user ${user.id}`, ip: request.ip, userId: user.id };
    const guard = await guardGuess(auth, "password", who);
    const current = textField(request.body, "current_password") ?? "";
    if (!(await auth.passwords.matches(request.ip, current, encryptedPassword)))
      throw new AuthFault("invalid_credentials", "Current password is wrong or missing");
    await guard.right();
  }
  if (await auth.passwords.matches(request.ip, password, encryptedPassword))
    throw new AuthFault("same_password", "New password should be different from the old password.");
  return { hash: await auth.passwords.hash(request.ip, password), nonce };
}

interface Order {
  readonly caller: Caller;
  readonly request: AuthRequest;
  readonly change: Change;
}

interface Stored {
  readonly user: StoredUser;
  readonly mails: readonly PreparedMail[];
  readonly message: PreparedText | undefined;
}

async function store(auth: Auth, tx: Queryable, order: Order): Promise<Stored> {
  const { caller, change, request } = order;
  let user = await lockCaller(tx, caller);
  user = await updateUser(tx, user.id, {
    user_metadata: JSON.stringify(mergeMetadata(user.userMetadata, withoutClaims(change.data))),
    updated_at: timestamp(auth),
  });
  if (change.password !== undefined) {
    const { hash, nonce } = change.password;
    if (nonce !== undefined) await redeemNonce(tx, nonce);
    await endOtherSessions(tx, user.id, caller.session.id);
    await cancelPending(tx, user.id);
    user = await updateUser(tx, user.id, { encrypted_password: hash });
    await audit(auth, tx, { action: "user_updated_password", ip: request.ip, actor: user });
  }
  const { user: withEmail, mails } = await storeEmail(auth, tx, user, change);
  const { user: changed, message } = await storePhone(auth, tx, withEmail, change);
  await audit(auth, tx, { action: "user_modified", ip: request.ip, actor: changed });
  return { user: changed, mails, message };
}

async function storeEmail(
  auth: Auth,
  tx: Queryable,
  user: StoredUser,
  { email, emailAtOnce, back }: Change,
): Promise<Pick<Stored, "user" | "mails">> {
  if (email === undefined) return { user, mails: [] };
  if (emailAtOnce) {
    const contact = { kind: "email", value: email, confirmed: true } as const;
    return { user: await setContact(auth, tx, user, contact), mails: [] };
  }
  if (await revealsTaken(auth, () => userByEmail(tx, email))) throw contactTaken("email");
  await dropTokens(tx, user.id, ["email_change_current", "email_change_new"]);
  const pending = await updateUser(tx, user.id, {
    email_change: email,
    email_change_sent_at: timestamp(auth),
  });
  const mails = await prepareEmailChange(auth, tx, pending, back);
  return { user: pending, mails };
}

async function storePhone(
  auth: Auth,
  tx: Queryable,
  user: StoredUser,
  { phone, phoneAtOnce, channel }: Change,
): Promise<Pick<Stored, "user" | "message">> {
  if (phone === undefined) return { user, message: undefined };
  if (phoneAtOnce) {
    const contact = { kind: "phone", value: phone, confirmed: true } as const;
    return { user: await setContact(auth, tx, user, contact), message: undefined };
  }
  if (await revealsTaken(auth, () => userByPhone(tx, phone))) throw contactTaken("phone");
  const pending = await updateUser(tx, user.id, {
    phone_change: phone,
    phone_change_sent_at: timestamp(auth),
  });
  // Another account's number gets no message, and the response does not say so.
  if ((await userByPhone(tx, phone)) !== undefined) return { user: pending, message: undefined };
  const order = { kind: "phone_change", phone, channel } as const;
  return { user: pending, message: await prepareText(auth, tx, pending, order) };
}

async function revealsTaken(
  auth: Auth,
  find: () => Promise<StoredUser | undefined>,
): Promise<boolean> {
  return auth.settings.INKPOOL_REVEAL_TAKEN_CONTACTS && (await find()) !== undefined;
}

const CLAIMS = ["email_verified", "phone_verified", "sub"];

/** Returns the data without this server's own statements about the user, which a user cannot change. */
function withoutClaims(data: Fields | undefined): Fields | undefined {
  if (data === undefined) return undefined;
  return Object.fromEntries(Object.entries(data).filter(([key]) => !CLAIMS.includes(key)));
}
