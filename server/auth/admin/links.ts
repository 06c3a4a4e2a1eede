/** POST /admin/generate_link: the link and code of a mail, for the service key to deliver. */

import type { Queryable } from "../../storage/port.ts";
import { audit } from "../context/audit.ts";
import { requireAdmin } from "../context/caller.ts";
import type { Auth } from "../context/context.ts";
import { AuthFault } from "../http/errors.ts";
import { actionLink } from "../users/mail-messages.ts";
import {
  ok,
  recordField,
  requiredText,
  textField,
  parseEmail,
  requestedRedirect,
  type AuthResponse,
  type AuthRequest,
  type Fields,
} from "../http/request.ts";
import { userJson } from "../store/json.ts";
import { updateUser, userByEmail, type StoredUser } from "../store/users.ts";
import { contactTaken, createUser, orExists } from "../users/accounts.ts";
import { PURPOSES, type PurposeName, type PreparedMail, prepareMail } from "../users/send.ts";
import { checkPassword } from "../users/password.ts";

const TYPES = [
  "signup",
  "invite",
  "magiclink",
  "recovery",
  "email_change_current",
  "email_change_new",
] as const;

type LinkType = (typeof TYPES)[number];

interface Order {
  readonly type: LinkType;
  readonly email: string;
  readonly newEmail: string | undefined;
  readonly passwordHash: string | undefined;
  readonly data: Fields | undefined;
  readonly redirectTo: string;
}

/**
 * POST /admin/generate_link. Sends no mail. Creates the account for `signup`, `invite` and `magiclink`. @throws
 * AuthFault email_exists, user_not_found, validation_failed
 */
export async function generateLink(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  await requireAdmin(auth, request);
  const order = await readOrder(auth, request);
  const work = auth.database.transaction(async (tx) => {
    const mail = await prepare(auth, tx, order);
    await audit(auth, tx, {
      action: "generate_link",
      ip: request.ip,
      actor: null,
      traits: { user_id: mail.user.id, type: order.type },
    });
    return mail;
  });
  const mail = await orExists(work, contactTaken("email"));
  const { mail: kind, type } = PURPOSES[mail.name];
  return ok({
    ...(await userJson(auth.database, mail.user)),
    action_link: actionLink(auth, { kind, type, token: mail.token, redirectTo: mail.redirectTo }),
    email_otp: mail.token.code,
    hashed_token: mail.token.link,
    redirect_to: mail.redirectTo,
    verification_type: mail.name,
  });
}

async function readOrder(auth: Auth, request: AuthRequest): Promise<Order> {
  const { body } = request;
  const given = requiredText(body, "type");
  const type = TYPES.find((one) => one === given);
  if (type === undefined)
    throw new AuthFault(
      "validation_failed",
      `Invalid email action link type requested: ${given.slice(0, 40)}`,
    );
  const newEmail = textField(body, "new_email");
  const password = textField(body, "password");
  if (type.startsWith("email_change") && newEmail === undefined)
    throw new AuthFault("validation_failed", "new_email is required");
  if (type === "email_change_current" && !auth.settings.GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED)
    throw new AuthFault(
      "validation_failed",
      "Enable secure email change to generate link for current email",
    );
  if (password !== undefined) checkPassword(auth.settings, password);
  return {
    type,
    email: parseEmail(requiredText(body, "email")),
    newEmail: newEmail === undefined ? undefined : parseEmail(newEmail),
    passwordHash:
      password === undefined ? undefined : await auth.passwords.hash(request.ip, password),
    data: recordField(body, "data"),
    redirectTo: auth.redirects.choose(requestedRedirect(request)),
  };
}

async function prepare(auth: Auth, tx: Queryable, order: Order): Promise<PreparedMail> {
  const known = await userByEmail(tx, order.email);
  const back = { redirectTo: order.redirectTo };
  const send = (user: StoredUser, name: PurposeName, to: string): Promise<PreparedMail> =>
    prepareMail(auth, tx, user, { name, to, back });
  switch (order.type) {
    case "signup":
    case "invite":
      if (known !== undefined && known.emailConfirmedAt !== null) throw contactTaken("email");
      if (order.type === "signup" && known === undefined && order.passwordHash === undefined)
        throw new AuthFault("validation_failed", "Signup requires a valid password");
      return send(known ?? (await createUser(auth, tx, order)), order.type, order.email);
    case "magiclink":
      return known === undefined
        ? send(await createUser(auth, tx, order), "signup", order.email)
        : send(known, "magiclink", order.email);
    case "recovery":
      return send(required(known), "recovery", order.email);
    case "email_change_current":
    case "email_change_new": {
      const wanted = order.newEmail ?? "";
      if ((await userByEmail(tx, wanted)) !== undefined) throw contactTaken("email");
      const user = required(known);
      const pending = { email_change: wanted, email_change_status: 0 };
      const changed = await updateUser(tx, user.id, pending);
      return send(changed, order.type, order.type === "email_change_new" ? wanted : order.email);
    }
  }
}

function required(user: StoredUser | undefined): StoredUser {
  if (user === undefined) throw new AuthFault("user_not_found", "User with this email not found");
  return user;
}
