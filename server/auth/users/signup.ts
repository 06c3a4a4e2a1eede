/** POST /signup: with an email address, a phone number, or neither. */

import { audit } from "../audit.ts";
import type { Auth } from "../context.ts";
import { takeMail, takeText } from "../counters.ts";
import { AuthFault } from "../errors.ts";
import { ok, recordField, textField } from "../request.ts";
import type { Answer, AuthRequest } from "../request.ts";
import { startSession, writeSession } from "../sessions/grant.ts";
import { lockUser, updateUser, userByEmail, userByPhone } from "../store/users.ts";
import type { StoredUser } from "../store/users.ts";
import { readChallenge } from "../tokens/flows.ts";
import { StorageFault } from "../../storage/port.ts";
import { createUser, imitateUser, orExists } from "./accounts.ts";
import type { NewUser } from "./accounts.ts";
import { readEmail, readPhone } from "./contact.ts";
import { writeUser } from "./json.ts";
import { prepareMail, prepareText, sendPrepared, sendText } from "./messages.ts";
import type { Channel } from "./messages.ts";
import { checkPassword, hashPassword } from "./password.ts";
import { identitiesOf } from "../store/users.ts";

export async function signUp(auth: Auth, request: AuthRequest): Promise<Answer> {
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
  const data = recordField(request.body, "data");
  if (email !== undefined) {
    if (!auth.settings.GOTRUE_EXTERNAL_EMAIL_ENABLED)
      throw new AuthFault("email_provider_disabled", "Email signups are disabled");
    const wanted = { email: readEmail(email), data };
    checkPassword(password, passwordPolicy(auth));
    return signUpByEmail(auth, request, { ...wanted, passwordHash: await hashPassword(password) });
  }
  if (!auth.settings.GOTRUE_EXTERNAL_PHONE_ENABLED)
    throw new AuthFault("phone_provider_disabled", "Phone signups are disabled");
  const wanted = { phone: readPhone(phone ?? ""), data };
  checkPassword(password, passwordPolicy(auth));
  return signUpByPhone(auth, request, { ...wanted, passwordHash: await hashPassword(password) });
}

export function passwordPolicy(auth: Auth): {
  minLength: number;
  requiredCharacters: readonly string[];
} {
  return {
    minLength: auth.settings.GOTRUE_PASSWORD_MIN_LENGTH,
    requiredCharacters: auth.settings.GOTRUE_PASSWORD_REQUIRED_CHARACTERS,
  };
}

/** @throws AuthFault signup_disabled */
export function refuseSignUp(auth: Auth): void {
  if (auth.settings.GOTRUE_DISABLE_SIGNUP)
    throw new AuthFault("signup_disabled", "Signups not allowed for this instance");
}

async function signUpAnonymously(auth: Auth, request: AuthRequest): Promise<Answer> {
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

/** The account counts as confirmed at once: somebody who tries a taken address learns it, there is no way around. */
async function signUpAtOnce(auth: Auth, request: AuthRequest, wanted: Wanted): Promise<Answer> {
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
): Promise<Answer> {
  const challenge = readChallenge(request.body);
  if (auth.settings.GOTRUE_MAILER_AUTOCONFIRM) return signUpAtOnce(auth, request, wanted);
  const back = { redirectTo: auth.redirects.choose(redirectOf(request)), challenge };
  await takeMail(auth, "signup", wanted.email);
  const mail = await againstRaces(() =>
    auth.database.transaction(async (tx) => {
      const existing = await userByEmail(tx, wanted.email);
      const user = existing ?? (await createUser(auth, tx, wanted));
      const repeated = existing !== undefined;
      await audit(auth, tx, {
        action: repeated ? "user_repeated_signup" : "user_signedup",
        ip: request.ip,
        actor: user,
      });
      if (user.emailConfirmedAt !== null) return undefined;
      const own = repeated ? await restart(tx, user, wanted) : user;
      const prepared = await prepareMail(auth, tx, own, { name: "signup", to: wanted.email, back });
      return { prepared, repeated, identities: await identitiesOf(tx, user.id) };
    }),
  );
  if (mail !== undefined) sendPrepared(auth, mail.prepared);
  if (mail === undefined || mail.repeated) return ok(imitateUser(auth, wanted));
  return ok(writeUser(mail.prepared.user, mail.identities, []));
}

/** An account that nobody has confirmed belongs to nobody: the last sign-up sets the password. Invitations stay as they are. */
async function restart(
  tx: Parameters<typeof lockUser>[0],
  user: StoredUser,
  wanted: Wanted,
): Promise<StoredUser> {
  if (user.invitedAt !== null) return user;
  return updateUser(tx, user.id, {
    encrypted_password: wanted.passwordHash,
    user_metadata: JSON.stringify({ ...wanted.data, ...facts(user) }),
  });
}

function facts(user: StoredUser): Readonly<Record<string, unknown>> {
  const known = ["sub", "email", "phone", "email_verified", "phone_verified"];
  return Object.fromEntries(
    Object.entries(user.userMetadata).filter(([key]) => known.includes(key)),
  );
}

async function signUpByPhone(
  auth: Auth,
  request: AuthRequest,
  wanted: Wanted & { readonly phone: string },
): Promise<Answer> {
  const channel = readChannel(request);
  if (auth.settings.GOTRUE_SMS_AUTOCONFIRM) return signUpAtOnce(auth, request, wanted);
  await takeText(auth, "signup", wanted.phone, auth.settings.GOTRUE_SMS_MAX_FREQUENCY);
  const text = await againstRaces(() =>
    auth.database.transaction(async (tx) => {
      const existing = await userByPhone(tx, wanted.phone);
      const user = existing ?? (await createUser(auth, tx, wanted));
      if (user.phoneConfirmedAt !== null) return undefined;
      const own = existing === undefined ? user : await restart(tx, user, wanted);
      const order = { kind: "phone_confirmation", phone: wanted.phone, channel } as const;
      await audit(auth, tx, { action: "user_signedup", ip: request.ip, actor: own });
      const prepared = await prepareText(auth, tx, own, order);
      return {
        prepared,
        repeated: existing !== undefined,
        identities: await identitiesOf(tx, user.id),
      };
    }),
  );
  if (text !== undefined) sendText(auth, text.prepared);
  if (text === undefined || text.repeated) return ok(imitateUser(auth, wanted));
  return ok(writeUser(text.prepared.user, text.identities, []));
}

/** @throws AuthFault validation_failed */
export function readChannel(request: AuthRequest): Channel {
  const channel = textField(request.body, "channel") ?? "sms";
  if (channel !== "sms" && channel !== "whatsapp")
    throw new AuthFault(
      "validation_failed",
      "Invalid channel, supported values are 'sms' or 'whatsapp'",
    );
  return channel;
}

/** Where the link should lead, as the client asks for it. */
export function redirectOf(request: AuthRequest): string | undefined {
  return textField(request.query, "redirect_to") ?? textField(request.body, "redirect_to");
}

/** Two requests may make the same user at once: the second one finds it on its second try. */
export async function againstRaces<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StorageFault && error.code === "23505") return work();
    throw error;
  }
}
