/** GET and PUT /user. */

import type { Queryable } from "../../storage/port.ts";
import { audit } from "../audit.ts";
import { requireAal2, requireUser } from "../caller.ts";
import type { Caller } from "../caller.ts";
import type { Auth } from "../context.ts";
import { stamp } from "../context.ts";
import { guardGuess, takeMail, takeText } from "../counters.ts";
import { AuthFault } from "../errors.ts";
import { mergeMetadata, ok, recordField, textField } from "../request.ts";
import type { Answer, AuthRequest, Fields } from "../request.ts";
import { factorsOf } from "../store/factors.ts";
import { endSessions, lockUser, updateUser, userByPhone } from "../store/users.ts";
import type { StoredUser } from "../store/users.ts";
import { readChallenge } from "../tokens/flows.ts";
import { dropTokens } from "../tokens/onetime.ts";
import { orExists, setContact } from "./accounts.ts";
import { readEmail, readPhone } from "./contact.ts";
import { userJson } from "./json.ts";
import { prepareText, sendPrepared, sendText } from "./messages.ts";
import type { Channel, Prepared, PreparedText, Return } from "./messages.ts";
import { checkPassword, hashPassword, isPassword } from "./password.ts";
import { prepareEmailChange } from "./passwordless.ts";
import { passwordPolicy, readChannel, redirectOf } from "./signup.ts";
import { takeNonce } from "./verify.ts";

export async function getUser(auth: Auth, request: AuthRequest): Promise<Answer> {
  const { user } = await requireUser(auth, request);
  return ok(await userJson(auth.database, user));
}

/** What is to change; a value that is the same as before is left out. */
interface Change {
  readonly data: Fields | undefined;
  readonly email: string | undefined;
  readonly phone: string | undefined;
  readonly channel: Channel;
  readonly passwordHash: string | undefined;
  readonly back: Return;
}

export async function putUser(auth: Auth, request: AuthRequest): Promise<Answer> {
  const caller = await requireUser(auth, request);
  const change = await readChange(auth, request, caller);
  const emailAtOnce =
    change.email !== undefined &&
    caller.user.isAnonymous &&
    auth.settings.GOTRUE_MAILER_AUTOCONFIRM;
  const phoneAtOnce = change.phone !== undefined && auth.settings.GOTRUE_SMS_AUTOCONFIRM;
  if (change.email !== undefined && !emailAtOnce)
    await takeMail(auth, "email_change", change.email);
  if (change.phone !== undefined && !phoneAtOnce)
    await takeText(auth, "phone_change", change.phone, auth.settings.GOTRUE_SMS_MAX_FREQUENCY);
  const taken = emailAtOnce
    ? new AuthFault("email_exists", "A user with this email address has already been registered")
    : new AuthFault("phone_exists", "A user with this phone number has already been registered");
  const done = await orExists(
    auth.database.transaction((tx) =>
      store(auth, tx, { caller, request, change, emailAtOnce, phoneAtOnce }),
    ),
    taken,
  );
  for (const mail of done.mails) sendPrepared(auth, mail);
  if (done.text !== undefined) sendText(auth, done.text);
  return ok(await userJson(auth.database, done.user));
}

async function readChange(auth: Auth, request: AuthRequest, caller: Caller): Promise<Change> {
  const { body } = request;
  const { user } = caller;
  if (Object.hasOwn(body, "app_metadata"))
    throw new AuthFault("not_admin", "Updating app_metadata requires admin privileges");
  const email = different(textField(body, "email"), readEmail, user.email);
  const phone = different(textField(body, "phone"), readPhone, user.phone);
  const password = textField(body, "password");
  const nonce = textField(body, "nonce");
  if (email !== undefined && !auth.settings.GOTRUE_EXTERNAL_EMAIL_ENABLED)
    throw new AuthFault("email_provider_disabled", "Email logins are disabled");
  if (phone !== undefined && !auth.settings.GOTRUE_EXTERNAL_PHONE_ENABLED)
    throw new AuthFault("phone_provider_disabled", "Unsupported phone provider");
  const changesAccount = email !== undefined || phone !== undefined || password !== undefined;
  if (user.isSsoUser && (changesAccount || nonce !== undefined))
    throw new AuthFault(
      "user_sso_managed",
      "Updating email, phone, password of a SSO account only possible via SSO",
    );
  if (changesAccount) {
    const factors = await factorsOf(auth.database, user.id);
    requireAal2(
      caller,
      factors.some((factor) => factor.status === "verified"),
      "AAL2 session is required to update email or password when MFA is enabled.",
    );
  }
  if (user.isAnonymous && password !== undefined && email === undefined && phone === undefined)
    throw new AuthFault(
      "validation_failed",
      "Updating password of an anonymous user without an email or phone is not allowed",
      { status: 422 },
    );
  return {
    data: recordField(body, "data"),
    email,
    phone,
    channel: phone === undefined ? "sms" : readChannel(request),
    passwordHash:
      password === undefined ? undefined : await newPassword(auth, request, caller, password),
    back: {
      redirectTo: auth.redirects.choose(redirectOf(request)),
      challenge: readChallenge(body),
    },
  };
}

function different(
  given: string | undefined,
  read: (text: string) => string,
  current: string | null,
): string | undefined {
  if (given === undefined) return undefined;
  const value = read(given);
  return value === current ? undefined : value;
}

const FRESH_MS = 86_400_000;

/** The hash of a password that may be set. @throws AuthFault weak_password, same_password, reauthentication_needed ... */
async function newPassword(
  auth: Auth,
  request: AuthRequest,
  caller: Caller,
  password: string,
): Promise<string> {
  const { user, session } = caller;
  const s = auth.settings;
  checkPassword(password, passwordPolicy(auth));
  const old = auth.clock() - Date.parse(session.createdAt) > FRESH_MS;
  if (s.GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION && old) {
    const nonce = textField(request.body, "nonce");
    if (nonce === undefined)
      throw new AuthFault("reauthentication_needed", "Password update requires reauthentication");
    await takeNonce(auth, request, user, nonce);
  }
  if (
    s.GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD &&
    user.encryptedPassword !== null
  ) {
    const guard = await guardGuess(auth, "password", {
      account: `user ${user.id}`,
      ip: request.ip,
      userId: user.id,
    });
    const right = await isPassword(
      textField(request.body, "current_password") ?? "",
      user.encryptedPassword,
    );
    if (!right) {
      await guard.wrong();
      throw new AuthFault("invalid_credentials", "Current password is wrong or missing");
    }
    await guard.right();
  }
  if (user.encryptedPassword !== null && (await isPassword(password, user.encryptedPassword)))
    throw new AuthFault("same_password", "New password should be different from the old password.");
  return hashPassword(password);
}

interface Order {
  readonly caller: Caller;
  readonly request: AuthRequest;
  readonly change: Change;
  readonly emailAtOnce: boolean;
  readonly phoneAtOnce: boolean;
}

interface Stored {
  readonly user: StoredUser;
  readonly mails: readonly Prepared[];
  readonly text: PreparedText | undefined;
}

async function store(auth: Auth, tx: Queryable, order: Order): Promise<Stored> {
  const { caller, change, request } = order;
  let user = await lockUser(tx, caller.user.id);
  if (user === undefined) throw new AuthFault("user_not_found", "User not found");
  const now = stamp(auth);
  user = await updateUser(tx, user.id, {
    user_metadata: JSON.stringify(mergeMetadata(user.userMetadata, withoutFacts(change.data))),
    updated_at: now,
  });
  if (change.passwordHash !== undefined) {
    user = await updateUser(tx, user.id, { encrypted_password: change.passwordHash });
    await endSessions(tx, user.id, caller.session.id);
    await dropTokens(tx, user.id, ["recovery", "reauthentication"]);
    await audit(auth, tx, { action: "user_updated_password", ip: request.ip, actor: user });
  }
  const mails: Prepared[] = [];
  if (change.email !== undefined && order.emailAtOnce)
    user = await setContact(auth, tx, user, {
      kind: "email",
      value: change.email,
      confirmed: true,
    });
  else if (change.email !== undefined) {
    await dropTokens(tx, user.id, ["email_change_current", "email_change_new"]);
    const pending = {
      email_change: change.email,
      email_change_sent_at: now,
      email_change_status: 0,
    };
    user = await updateUser(tx, user.id, pending);
    mails.push(...(await prepareEmailChange(auth, tx, user, change.back)));
  }
  let text: PreparedText | undefined;
  if (change.phone !== undefined && order.phoneAtOnce)
    user = await setContact(auth, tx, user, {
      kind: "phone",
      value: change.phone,
      confirmed: true,
    });
  else if (change.phone !== undefined) {
    user = await updateUser(tx, user.id, { phone_change: change.phone, phone_change_sent_at: now });
    // Somebody else's number gets no message, and the answer does not say so.
    if ((await userByPhone(tx, change.phone)) === undefined)
      text = await prepareText(auth, tx, user, {
        kind: "phone_change",
        phone: change.phone,
        channel: change.channel,
      });
  }
  await audit(auth, tx, { action: "user_modified", ip: request.ip, actor: user });
  return { user, mails, text };
}

const FACTS = ["email_verified", "phone_verified", "sub"];

/** What this server states about a user is not the user's to change. */
function withoutFacts(data: Fields | undefined): Fields | undefined {
  if (data === undefined) return undefined;
  return Object.fromEntries(Object.entries(data).filter(([key]) => !FACTS.includes(key)));
}
