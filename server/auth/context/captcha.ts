/** Checks captchas of hCaptcha and Turnstile by the same HTTP call. */

import type { Auth } from "./context.ts";
import { AuthFault } from "../http/errors.ts";
import { recordField, textField, type AuthRequest } from "../http/request.ts";

const VERIFY_URLS = {
  hcaptcha: "https://hcaptcha.com/siteverify",
  turnstile: "https://challenges.cloudflare.com/turnstile/v0/siteverify",
} as const;

/** Checks the captcha of a request. Does nothing when captchas are off. @throws AuthFault captcha_failed */
export async function checkCaptcha(auth: Auth, request: AuthRequest): Promise<void> {
  const s = auth.settings;
  if (!s.GOTRUE_SECURITY_CAPTCHA_ENABLED) return;
  // These two grants continue a sign-in that began with a captcha.
  if (["refresh_token", "pkce"].includes(String(request.query["grant_type"]))) return;
  const security = recordField(request.body, "gotrue_meta_security") ?? {};
  const solution = textField(security, "captcha_token");
  if (solution === undefined)
    throw new AuthFault(
      "captcha_failed",
      "captcha protection: request disallowed (no captcha_token found)",
    );
  const address = s.INKPOOL_CAPTCHA_URL ?? VERIFY_URLS[s.GOTRUE_SECURITY_CAPTCHA_PROVIDER];
  const body = new URLSearchParams({
    secret: s.GOTRUE_SECURITY_CAPTCHA_SECRET ?? "",
    response: solution,
    remoteip: request.ip,
  });
  if (!(await isSolved(auth, address, body)))
    throw new AuthFault(
      "captcha_failed",
      "captcha protection: request disallowed (invalid-input-response)",
    );
}

/** Whether a captcha is solved; false when its provider cannot be reached. */
async function isSolved(auth: Auth, address: string, body: URLSearchParams): Promise<boolean> {
  try {
    const response = await fetch(address, {
      method: "POST",
      body,
      signal: AbortSignal.timeout(10_000),
    });
    const result: unknown = await response.json();
    return (
      typeof result === "object" &&
      result !== null &&
      "success" in result &&
      result.success === true
    );
  } catch {
    auth.log.error("the captcha could not be checked", {
      provider: auth.settings.GOTRUE_SECURITY_CAPTCHA_PROVIDER,
    });
    return false;
  }
}
