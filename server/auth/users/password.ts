/** What a password must be, and how it is kept: bcrypt in the library's own threads. */

import { hash, verify } from "@node-rs/bcrypt";
import { AuthFault } from "../errors.ts";

export interface PasswordPolicy {
  readonly minLength: number;
  readonly requiredCharacters: readonly string[];
}

/** GoTrue's cost, so that its hashes and ours take the same time. */
export const BCRYPT_COST = 10;

/** bcrypt reads no further. */
const MAX_BYTES = 72;

/** @throws AuthFault weak_password with its reasons, validation_failed when it is too long */
export function checkPassword(password: string, policy: PasswordPolicy): void {
  if (Buffer.byteLength(password) > MAX_BYTES)
    throw new AuthFault("validation_failed", "Password cannot be longer than 72 characters");
  const reasons: string[] = [];
  const messages: string[] = [];
  if (Array.from(password).length < policy.minLength) {
    reasons.push("length");
    messages.push(`Password should be at least ${policy.minLength} characters.`);
  }
  const groups = policy.requiredCharacters;
  if (groups.some((group) => !Array.from(group).some((char) => password.includes(char)))) {
    reasons.push("characters");
    messages.push(`Password should contain at least one character of each: ${groups.join(", ")}.`);
  }
  if (reasons.length > 0) throw new AuthFault("weak_password", messages.join(" "), { reasons });
}

export function hashPassword(password: string): Promise<string> {
  return hash(password, { cost: BCRYPT_COST });
}

/** The hash of a text that nobody knows: checking against it takes as long as checking a real one. */
const NOBODY = hash(`${Math.random()}${process.hrtime.bigint()}`, { cost: BCRYPT_COST });

/** Takes the same time whether there is a hash or not. */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const right = await verify(password, stored ?? (await NOBODY));
  return right && stored !== null;
}

/** A hash that another GoTrue made: `$2a$`, `$2b$` or `$2y$`. */
export function isPasswordHash(text: string): boolean {
  return /^\$2[aby]\$(0[4-9]|1[0-5])\$[./A-Za-z0-9]{53}$/.test(text);
}
