/** Email addresses and phone numbers, in the one form that is stored. */

import { AuthFault } from "../errors.ts";

const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Lower case. @throws AuthFault validation_failed */
export function readEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (email === "") throw new AuthFault("validation_failed", "An email address is required");
  if (email.length > 255) throw new AuthFault("validation_failed", "An email address is too long");
  if (!EMAIL.test(email))
    throw new AuthFault("validation_failed", "Unable to validate email address: invalid format");
  return email;
}

/** Digits in E.164 without the plus. @throws AuthFault validation_failed */
export function readPhone(text: string): string {
  const phone = text.trim().replace(/^\+/, "").replaceAll(" ", "");
  if (!/^[1-9]\d{1,14}$/.test(phone))
    throw new AuthFault("validation_failed", "Invalid phone number format (E.164 required)");
  return phone;
}
