/** Completes a change of email address or phone number when its token was redeemed. */

import type { Queryable } from "../../storage/port.ts";
import { audit } from "../context/audit.ts";
import type { Auth } from "../context/context.ts";
import { AuthFault } from "../http/errors.ts";
import { updateUser, type StoredUser } from "../store/users.ts";
import { dropTokens, type TakenToken } from "../tokens/onetime.ts";
import { setContact } from "./accounts.ts";

const expired = (): AuthFault => new AuthFault("otp_expired", "Token has expired or is invalid");

/**
 * Changes the address; undefined when the other of the two addresses has to confirm as well.
 * @throws AuthFault otp_expired when the token was for another change
 */
export async function changeEmail(
  auth: Auth,
  tx: Queryable,
  user: StoredUser,
  token: TakenToken,
  ip: string,
): Promise<StoredUser | undefined> {
  const wanted = user.emailChange;
  const named = token.kind === "email_change_new" ? wanted : user.email;
  if (wanted === null || named !== token.sentTo) throw expired();
  const needsBoth = auth.settings.GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED && user.email !== null;
  if (needsBoth && user.emailChangeStatus === 0) {
    await updateUser(tx, user.id, { email_change_status: 1 });
    return undefined;
  }
  await dropTokens(tx, user.id, [
    "email_change_current",
    "email_change_new",
    "recovery",
    "confirmation",
    "ownership",
  ]);
  const contact = { kind: "email", value: wanted, confirmed: true } as const;
  const changed = await setContact(auth, tx, user, contact);
  await audit(auth, tx, { action: "user_modified", ip, actor: changed });
  return changed;
}

/**
 * Changes the phone number.
 * @throws AuthFault otp_expired when the token was for another change
 */
export async function changePhone(
  auth: Auth,
  tx: Queryable,
  user: StoredUser,
  token: TakenToken,
  ip: string,
): Promise<StoredUser> {
  if (user.phoneChange === null || user.phoneChange !== token.sentTo) throw expired();
  await dropTokens(tx, user.id, ["phone_change", "phone_confirmation", "phone_ownership"]);
  const contact = { kind: "phone", value: user.phoneChange, confirmed: true } as const;
  const changed = await setContact(auth, tx, user, contact);
  await audit(auth, tx, { action: "user_modified", ip, actor: changed });
  return changed;
}
