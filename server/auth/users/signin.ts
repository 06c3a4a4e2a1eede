/** POST /token?grant_type=password. */

import { NO_ACTOR, audit } from "../context/audit.ts";
import { refuseBanned } from "../context/caller.ts";
import type { Auth } from "../context/context.ts";
import { guardGuess } from "../context/counters.ts";
import { AuthFault } from "../http/errors.ts";
import {
  ok,
  textField,
  parseEmail,
  parsePhone,
  type AuthResponse,
  type AuthRequest,
} from "../http/request.ts";
import { startSession, writeSession } from "../sessions/grant.ts";
import { lockUser, userByEmail, userByPhone, type StoredUser } from "../store/users.ts";
import { checkPassword } from "./password.ts";

/** Signs in with a password, which is checked first, so that only its owner learns that an account is banned or not confirmed. */
export async function signInWithPassword(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  const password = textField(request.body, "password") ?? "";
  const { account, user } = await findAccount(auth, request);
  const guard = await guardGuess(auth, "password", { account, ip: request.ip, userId: user?.id });
  const right = await auth.passwords.matches(request.ip, password, user?.encryptedPassword ?? null);
  if (user === undefined || !right || user.isSsoUser) {
    await audit(auth, auth.database, {
      action: "login_failed",
      ip: request.ip,
      actor: user ?? NO_ACTOR,
    });
    throw wrongCredentials();
  }
  await guard.right();
  const grant = await auth.database.transaction(async (tx) => {
    const locked = await lockUser(tx, user.id);
    // Another request may have replaced the password, or banned or deleted the user, since it was compared.
    if (locked?.encryptedPassword !== user.encryptedPassword) throw wrongCredentials();
    refuseBanned(auth, locked);
    refuseUnconfirmed(auth, request, locked);
    await audit(auth, tx, {
      action: "login",
      ip: request.ip,
      actor: user,
      traits: { provider: account.includes("@") ? "email" : "phone" },
    });
    return startSession(auth, tx, {
      user,
      method: "password",
      request,
      more: weakness(auth, password),
    });
  });
  return ok(await writeSession(auth, grant));
}

const wrongCredentials = (): AuthFault =>
  new AuthFault("invalid_credentials", "Invalid login credentials");

/** Returns the account that the client names, whether it exists or not, and its user. */
async function findAccount(
  auth: Auth,
  request: AuthRequest,
): Promise<{ readonly account: string; readonly user: StoredUser | undefined }> {
  const email = textField(request.body, "email");
  const phone = textField(request.body, "phone");
  if (email !== undefined && phone !== undefined)
    throw new AuthFault(
      "validation_failed",
      "Only an email address or phone number should be provided on login.",
    );
  if (email !== undefined) {
    if (!auth.settings.GOTRUE_EXTERNAL_EMAIL_ENABLED)
      throw new AuthFault("email_provider_disabled", "Email logins are disabled");
    const account = parseEmail(email);
    return { account, user: await userByEmail(auth.database, account) };
  }
  if (phone === undefined) throw new AuthFault("validation_failed", "missing email or phone");
  if (!auth.settings.GOTRUE_EXTERNAL_PHONE_ENABLED)
    throw new AuthFault("phone_provider_disabled", "Phone logins are disabled");
  const account = parsePhone(phone);
  return { account, user: await userByPhone(auth.database, account) };
}

function refuseUnconfirmed(auth: Auth, request: AuthRequest, user: StoredUser): void {
  const byEmail = textField(request.body, "email") !== undefined;
  const needsNone = auth.settings.GOTRUE_MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS;
  if (byEmail && user.emailConfirmedAt === null && !needsNone)
    throw new AuthFault("email_not_confirmed", "Email not confirmed");
  if (!byEmail && user.phoneConfirmedAt === null)
    throw new AuthFault("phone_not_confirmed", "Phone not confirmed");
}

/**
 * Returns the weaknesses of a password that is older than the present rules: the owner signs in, and the response
 * states them.
 */
function weakness(auth: Auth, password: string): Readonly<Record<string, unknown>> | undefined {
  try {
    checkPassword(auth.settings, password);
    return undefined;
  } catch (error) {
    if (!(error instanceof AuthFault)) throw error;
    return { weak_password: { message: error.message, reasons: error.reasons ?? [] } };
  }
}
