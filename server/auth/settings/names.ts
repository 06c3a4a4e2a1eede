/** The names beside the table: the providers' settings, other spellings, and what has no effect here. */

import { address, flag, list } from "../../settings/kinds.ts";
import { issuer, secretText } from "./kinds.ts";
import { SETTINGS } from "./table.ts";

/** The settings of each provider, as GOTRUE_EXTERNAL_<NAME>_<suffix>. */
export const PROVIDER_SETTINGS = {
  ENABLED: flag(false, "Sign-in through this provider."),
  CLIENT_ID: list(
    [],
    "The client id; more, separated by commas, are further audiences of id tokens.",
  ),
  SECRET: secretText("The client secret."),
  REDIRECT_URI: address(
    "Where the provider sends people back. Default: the auth API's address and /callback.",
  ),
  URL: issuer("The OpenID Connect issuer, or for GitHub Enterprise its address."),
  API_URL: address("For GitHub Enterprise: the address of its API."),
  SKIP_NONCE_CHECK: flag(false, "Id tokens are taken without a nonce check."),
  EMAIL_OPTIONAL: flag(false, "People without an email address at the provider may come in."),
} as const;

/** Settings that are read elsewhere (server/keys). */
export const KEY_SETTINGS = ["GOTRUE_JWT_SECRET", "GOTRUE_JWT_KEYS"] as const;

/** Spellings that stand for another name. */
export const ALIASES: Readonly<Record<string, keyof typeof SETTINGS>> = {
  GOTRUE_MFA_WEBAUTHN_ENROLL_ENABLED: "GOTRUE_MFA_WEB_AUTHN_ENROLL_ENABLED",
  GOTRUE_MFA_WEBAUTHN_VERIFY_ENABLED: "GOTRUE_MFA_WEB_AUTHN_VERIFY_ENABLED",
  GOTRUE_API_EXTERNAL_URL: "API_EXTERNAL_URL",
  GOTRUE_RATE_LIMIT_O_AUTH_DYNAMIC_CLIENT_REGISTER:
    "GOTRUE_RATE_LIMIT_OAUTH_DYNAMIC_CLIENT_REGISTER",
};

/**
 * GoTrue's names for things that this server decides otherwise, with what decides instead. They are accepted with a
 * warning, so that existing settings carry over. A name may end in an asterisk.
 */
export const IGNORED: Readonly<Record<string, string>> = {
  GOTRUE_API_HOST: "HOST",
  GOTRUE_API_PORT: "PORT",
  GOTRUE_DB_DRIVER: "DATABASE_URL",
  GOTRUE_DB_DATABASE_URL: "DATABASE_URL",
  GOTRUE_DB_NAMESPACE: "DATABASE_URL",
  GOTRUE_DB_MAX_POOL_SIZE: "DATABASE_URL",
  GOTRUE_DB_CLEANUP_ENABLED: "always on",
  GOTRUE_API_MAX_REQUEST_DURATION: "120 s",
  GOTRUE_LOG_LEVEL: "LOG_LEVEL",
  GOTRUE_MAILER_EXTERNAL_HOSTS: "API_EXTERNAL_URL",
  GOTRUE_METRICS_ENABLED: "/metrics",
  GOTRUE_TRACING_ENABLED: "no tracing",
  GOTRUE_PROFILER_ENABLED: "no profiler",
  GOTRUE_JWT_ADMIN_GROUP_NAME: "GOTRUE_JWT_ADMIN_ROLES",
  GOTRUE_JWT_KEY_ID: "GOTRUE_JWT_KEYS",
  GOTRUE_JWT_VALIDMETHODS: "GOTRUE_JWT_KEYS",
  GOTRUE_JWT_VALID_METHODS: "GOTRUE_JWT_KEYS",
  GOTRUE_EXTERNAL_ALLOWED_ID_TOKEN_ISSUERS: "GOTRUE_EXTERNAL_<NAME>_URL",
  GOTRUE_MFA_ENABLED: "GOTRUE_MFA_TOTP_ENROLL_ENABLED",
  GOTRUE_SMTP_LOGGING_ENABLED: "LOG_LEVEL",
  GOTRUE_OPERATOR_TOKEN: "the service key",
  "GOTRUE_COOKIE_*": "no cookies",
  "GOTRUE_MAILER_TEMPLATE_RELOADING_*": "templates are read at the start",
  "GOTRUE_OAUTH_SERVER_*": "fixed",
  "GOTRUE_SMS_TWILIO_VERIFY_*": "GOTRUE_HOOK_SEND_SMS_URI",
  "GOTRUE_SMS_MESSAGEBIRD_*": "GOTRUE_HOOK_SEND_SMS_URI",
  "GOTRUE_SMS_TEXTLOCAL_*": "GOTRUE_HOOK_SEND_SMS_URI",
  "GOTRUE_SMS_VONAGE_*": "GOTRUE_HOOK_SEND_SMS_URI",
};

/** Returns what decides in place of a name without effect; undefined for every other name. */
export function decidesInstead(name: string): string | undefined {
  if (Object.hasOwn(SETTINGS, name)) return undefined;
  const found = Object.entries(IGNORED).find(([key]) =>
    key.endsWith("*") ? name.startsWith(key.slice(0, -1)) : name === key,
  );
  return found?.[1];
}
