/** POST /token?grant_type=password. */

import { audit } from "../audit.ts";
import type { Auth } from "../context.ts";
import { guardGuess } from "../counters.ts";
import { AuthFault } from "../errors.ts";
import { ok, textField } from "../request.ts";
import type { Answer, AuthRequest } from "../request.ts";
import { userByEmail, userByPhone } from "../store/users.ts";
import type { StoredUser } from "../store/users.ts";
import { refuseBanned } from "../users/accounts.ts";
import { readEmail, readPhone } from "../users/contact.ts";
import { checkPassword, isPassword } from "../users/password.ts";
import { passwordPolicy } from "../users/signup.ts";
import { startSession, writeSession } from "./grant.ts";

/** The password comes first: only its owner learns that an account is banned or not confirmed. */
export async function signInWithPassword(auth: Auth, request: AuthRequest): Promise<Answer> {
  const password = textField(request.body, "password") ?? "";
  const { account, user } = await find(auth, request);
  const guard = await guardGuess(auth, "password", { account, ip: request.ip, userId: user?.id });
  const right = await isPassword(password, user?.encryptedPassword ?? null);
  if (user === undefined || !right || user.isSsoUser) {
    await guard.wrong();
    await audit(auth, auth.database, {
      action: "login_failed",
      ip: request.ip,
      actor: user ?? { id: "", email: null, phone: null },
    });
    throw new AuthFault("invalid_credentials", "Invalid login credentials");
  }
  await guard.right();
  refuseBanned(auth, user);
  refuseUnconfirmed(auth, request, user);
  const grant = await auth.database.transaction(async (tx) => {
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

async function find(
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
    const account = readEmail(email);
    return { account, user: await userByEmail(auth.database, account) };
  }
  if (phone === undefined) throw new AuthFault("validation_failed", "missing email or phone");
  if (!auth.settings.GOTRUE_EXTERNAL_PHONE_ENABLED)
    throw new AuthFault("phone_provider_disabled", "Phone logins are disabled");
  const account = readPhone(phone);
  return { account, user: await userByPhone(auth.database, account) };
}

function refuseUnconfirmed(auth: Auth, request: AuthRequest, user: StoredUser): void {
  const byEmail = textField(request.body, "email") !== undefined;
  const early = auth.settings.GOTRUE_MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS;
  if (byEmail && user.emailConfirmedAt === null && !early)
    throw new AuthFault("email_not_confirmed", "Email not confirmed");
  if (!byEmail && user.phoneConfirmedAt === null)
    throw new AuthFault("phone_not_confirmed", "Phone not confirmed");
}

/** A password from before the rules became stricter lets its owner in, with a hint. */
function weakness(auth: Auth, password: string): Readonly<Record<string, unknown>> | undefined {
  try {
    checkPassword(password, passwordPolicy(auth));
    return undefined;
  } catch (error) {
    if (!(error instanceof AuthFault)) throw error;
    return { weak_password: { message: error.message, reasons: error.reasons ?? [] } };
  }
}
