/** A change of email address or phone number, once its token was taken. */

import type { Queryable } from "../../storage/port.ts";
import { audit } from "../audit.ts";
import type { Auth } from "../context.ts";
import { AuthFault } from "../errors.ts";
import { updateUser } from "../store/users.ts";
import type { StoredUser } from "../store/users.ts";
import { dropTokens } from "../tokens/onetime.ts";
import type { TakenToken } from "../tokens/onetime.ts";
import { setContact } from "./accounts.ts";

/** With both addresses to be asked, the first answer alone changes nothing: undefined. */
export async function changeEmail(
  auth: Auth,
  tx: Queryable,
  user: StoredUser,
  taken: TakenToken,
): Promise<{ readonly user: StoredUser } | undefined> {
  const wanted = user.emailChange;
  const named = taken.kind === "email_change_new" ? wanted : user.email;
  if (wanted === null || named !== taken.sentTo)
    throw new AuthFault("otp_expired", "Token has expired or is invalid");
  const both = auth.settings.GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED && user.email !== null;
  if (both && user.emailChangeStatus === 0) {
    await updateUser(tx, user.id, { email_change_status: 1 });
    return undefined;
  }
  await dropTokens(tx, user.id, [
    "email_change_current",
    "email_change_new",
    "recovery",
    "confirmation",
  ]);
  const changed = await setContact(auth, tx, user, {
    kind: "email",
    value: wanted,
    confirmed: true,
  });
  await audit(auth, tx, { action: "user_modified", ip: "", actor: changed });
  return { user: changed };
}

export async function changePhone(
  auth: Auth,
  tx: Queryable,
  user: StoredUser,
  taken: TakenToken,
): Promise<{ readonly user: StoredUser }> {
  if (user.phoneChange === null || user.phoneChange !== taken.sentTo)
    throw new AuthFault("otp_expired", "Token has expired or is invalid");
  await dropTokens(tx, user.id, ["phone_change", "phone_confirmation"]);
  const value = user.phoneChange;
  const changed = await setContact(auth, tx, user, { kind: "phone", value, confirmed: true });
  await audit(auth, tx, { action: "user_modified", ip: "", actor: changed });
  return { user: changed };
}
