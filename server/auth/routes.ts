/** Every route of the auth API, to be read in order. */

import { showHealth, showKeys, showSettings } from "./about.ts";
import type { Auth } from "./context.ts";
import { isLocalAddress, mailboxPage } from "./mail/mailbox.ts";
import { AuthFault } from "./errors.ts";
import type { LimitName } from "./limits.ts";
import type { Answer, AuthRequest } from "./request.ts";
import { logout } from "./sessions/logout.ts";
import { token } from "./sessions/token.ts";
import { reauthenticate, recover, resend, sendOtp } from "./users/passwordless.ts";
import { signUp } from "./users/signup.ts";
import { getUser, putUser } from "./users/update.ts";
import { verifyGet, verifyPost } from "./users/verify.ts";

export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  handle(auth: Auth, request: AuthRequest): Promise<Answer>;
  /** Per address; the routes without one count for themselves or cost nothing. */
  readonly limit?: LimitName;
  readonly captcha?: true;
  /** The body may be a form, as browsers and identity providers post it. */
  readonly form?: true;
}

export const ROUTES: readonly Route[] = [
  { method: "GET", path: "/health", handle: showHealth },
  { method: "GET", path: "/settings", handle: showSettings },
  { method: "GET", path: "/.well-known/jwks.json", handle: showKeys },

  { method: "POST", path: "/signup", handle: signUp, captcha: true },
  { method: "POST", path: "/token", handle: token, captcha: true },
  { method: "POST", path: "/otp", handle: sendOtp, limit: "otp", captcha: true },
  { method: "POST", path: "/magiclink", handle: sendOtp, limit: "magiclink", captcha: true },
  { method: "POST", path: "/recover", handle: recover, limit: "recover", captcha: true },
  { method: "POST", path: "/resend", handle: resend, limit: "resend", captcha: true },
  { method: "GET", path: "/verify", handle: verifyGet },
  { method: "POST", path: "/verify", handle: verifyPost, limit: "verify" },
  { method: "POST", path: "/logout", handle: logout },
  { method: "GET", path: "/reauthenticate", handle: reauthenticate, limit: "reauthenticate" },
  { method: "GET", path: "/user", handle: getUser },
  { method: "PUT", path: "/user", handle: putUser, limit: "user" },

  { method: "GET", path: "/dev/mailbox", handle: showMailbox },
];

async function showMailbox(auth: Auth, request: AuthRequest): Promise<Answer> {
  if (auth.mailbox === null || !isLocalAddress(request.ip))
    throw new AuthFault("not_found", "There is no such route");
  return { page: { type: "text/html; charset=utf-8", text: mailboxPage(auth.mailbox) } };
}
