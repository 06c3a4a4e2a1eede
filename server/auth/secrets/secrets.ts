/** Random secrets, and their hashes. No secret reaches the database in the clear. */

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

/** Returns 256 random bits in base64url. */
export function randomSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Returns 224 random bits as 56 hexadecimal digits, the form of GoTrue's link tokens. */
export function randomLinkToken(): string {
  return randomBytes(28).toString("hex");
}

/** Returns so many random decimal digits; the first may be 0. */
export function randomCode(digits: number): string {
  let code = "";
  for (let i = 0; i < digits; i++) code += String(randomInt(10));
  return code;
}

/** Returns the SHA-256 hash in hexadecimal. It is enough for secrets of 128 bits and more; short codes need `Pepper.code`. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Whether two texts are equal; takes the same time wherever they differ. */
export function sameText(a: string, b: string): boolean {
  const one = createHash("sha256").update(a).digest();
  const other = createHash("sha256").update(b).digest();
  return timingSafeEqual(one, other);
}

/** Keyed hashes and encryption. The keys are not in the database, so nobody who reads it can sign in with its content. */
export interface Pepper {
  /** Returns the keyed hash of a code, since a plain hash of six digits is found by trying all of them. */
  code(context: string, code: string): string;
  /** Returns the refresh token that follows another; it is always the same one, so that a retry gets the same token. */
  successor(refreshToken: string): string;
  /** Encrypts a secret that must be read again, such as a TOTP seed. */
  seal(text: string, context: string): string;
  /** Decrypts. @throws Error when the text was not sealed for this context with these keys */
  open(sealed: string, context: string): string;
}

/** Derives all keys from one secret of the installation. */
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
