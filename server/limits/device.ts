/** Identifies the device of a request by a cookie that the realtime handshake sets, and no page reads. */

import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";

const NAME = "inkpool_device";
const DEVICE = /^[\w-]{22}$/;
const YEAR_S = 365 * 24 * 60 * 60;
/** Greatest number of characters of the header that are read. */
const MAX_COOKIES = 8_192;

/** Returns the device's random name, or "" for a client that presents none. */
export function deviceOf({ headers }: Pick<IncomingMessage, "headers">): string {
  const { cookie = "" } = headers;
  if (cookie.length > MAX_COOKIES) return "";
  for (const pair of cookie.split(";")) {
    const [name, value = ""] = pair.trim().split("=");
    if (name === NAME && DEVICE.test(value)) return value;
  }
  return "";
}

/** Makes a name for a new device. */
export function newDevice(): string {
  return randomBytes(16).toString("base64url");
}

/** Returns the header's line that gives a device its name. @param path without a trailing slash, "" for the root */
export function deviceCookie(device: string, path: string): string {
  return `Set-Cookie: ${NAME}=${device}; Path=${path}/; Max-Age=${YEAR_S}; HttpOnly; SameSite=Lax`;
}
