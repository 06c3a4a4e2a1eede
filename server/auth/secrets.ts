/** Random secrets and what is stored of them. Raw secrets never reach the database. */

import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  randomInt,
  timingSafeEqual,
} from "node:crypto";

/** 256 random bits, base64url. */
export function randomSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** 56 hexadecimal digits, the form of GoTrue's link tokens. */
export function randomLinkToken(): string {
  return randomBytes(28).toString("hex");
}

/** Decimal digits; the first may be 0. */
export function randomCode(digits: number): string {
  let code = "";
  for (let i = 0; i < digits; i++) code += String(randomInt(10));
  return code;
}

/** Good for secrets that cannot be guessed; for codes see `Pepper.code`. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Takes the same time wherever the texts differ. */
export function sameText(a: string, b: string): boolean {
  const one = createHash("sha256").update(a).digest();
  const other = createHash("sha256").update(b).digest();
  return timingSafeEqual(one, other);
}

/** Keys that are not in the database, so that its content alone opens nothing. */
export interface Pepper {
  /** What is stored of a code: six digits alone would be found by trying. */
  code(context: string, code: string): string;
  /** The refresh token that follows a given one; the same each time, so that a retry gets the same answer. */
  successor(refreshToken: string): string;
  /** For secrets that must come back, such as a TOTP seed. */
  seal(text: string, context: string): string;
  /** @throws Error when the text was not sealed for this context with these keys. */
  open(sealed: string, context: string): string;
}

/** All keys derive from one secret of the installation. */
export function createPepper(secret: string): Pepper {
  const derive = (use: string): Buffer =>
    Buffer.from(hkdfSync("sha256", secret, "inkpool auth", use, 32));
  const codes = derive("codes");
  const successors = derive("refresh tokens");
  const sealing = derive("sealed values");
  return {
    code: (context, code) =>
      createHmac("sha256", codes).update(`${context}\0${code}`).digest("hex"),
    successor: (refreshToken) =>
      createHmac("sha256", successors).update(refreshToken).digest("base64url"),
    seal(text, context) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", sealing, nonce).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url");
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed, "base64url");
      const cipher = createDecipheriv("aes-256-gcm", sealing, bytes.subarray(0, 12));
      cipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([cipher.update(bytes.subarray(28)), cipher.final()]).toString("utf8");
    },
  };
}
