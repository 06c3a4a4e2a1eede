/** The rules for passwords, and the form of their hashes. */

import { AuthFault } from "../http/errors.ts";
import type { AuthSettings } from "../settings/settings.ts";

/** Bytes of a password that bcrypt uses; it ignores the rest. */
const MAX_BYTES = 72;

/**
 * Checks a password.
 * @throws AuthFault weak_password with its reasons, validation_failed when it is over 72 bytes
 */
export function checkPassword(settings: AuthSettings, password: string): void {
  if (Buffer.byteLength(password) > MAX_BYTES)
    throw new AuthFault("validation_failed", "Password cannot be longer than 72 characters");
  const minLength = settings.GOTRUE_PASSWORD_MIN_LENGTH;
  const groups = settings.GOTRUE_PASSWORD_REQUIRED_CHARACTERS;
  const reasons: string[] = [];
  const messages: string[] = [];
  if (Array.from(password).length < minLength) {
    reasons.push("length");
    messages.push(`Password should be at least ${minLength} characters.`);
  }
  if (groups.some((group) => !Array.from(group).some((char) => password.includes(char)))) {
    reasons.push("characters");
    messages.push(`Password should contain at least one character of each: ${groups.join(", ")}.`);
  }
  if (reasons.length > 0) throw new AuthFault("weak_password", messages.join(" "), { reasons });
}

/** Whether a text is a bcrypt hash, as another GoTrue exports it: `$2a$`, `$2b$` or `$2y$`. */
export function isPasswordHash(text: string): boolean {
  return /^\$2[aby]\$(0[4-9]|1[0-5])\$[./A-Za-z0-9]{53}$/.test(text);
}
