/** Finds settings that make no sense together. */

import type { Values } from "../../settings/read.ts";
import { parseScope } from "./scopes.ts";
import { readPrivateKey } from "./certificate.ts";
import type { SETTINGS } from "./table.ts";

type AuthValues = Values<typeof SETTINGS>;

/** Returns one line for each contradiction, with the variable, the fault and the expected value. */
export function contradictions(settings: AuthValues): string[] {
  return RULES.flatMap((rule) => (rule.wrong(settings) ? [rule.says] : []));
}

interface Contradiction {
  readonly says: string;
  wrong(settings: AuthValues): boolean;
}

const RULES: readonly Contradiction[] = [
  {
    says: "GOTRUE_MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS contradicts GOTRUE_MAILER_AUTOCONFIRM; expected one of the two",
    wrong: (s) => s.GOTRUE_MAILER_AUTOCONFIRM && s.GOTRUE_MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS,
  },
  {
    says: "GOTRUE_SMTP_PASS is missing; expected the password, since GOTRUE_SMTP_USER is set",
    wrong: (s) => s.GOTRUE_SMTP_USER !== null && s.GOTRUE_SMTP_PASS === null,
  },
  {
    says: "GOTRUE_SMTP_HOST is missing; expected the mail server, since GOTRUE_SMTP_USER is set",
    wrong: (s) => s.GOTRUE_SMTP_HOST === null && s.GOTRUE_SMTP_USER !== null,
  },
  {
    says: "INKPOOL_DEV_MAILBOX contradicts GOTRUE_SMTP_HOST; expected one of the two, since mails that are sent are not kept",
    wrong: (s) => s.INKPOOL_DEV_MAILBOX && s.GOTRUE_SMTP_HOST !== null,
  },
  {
    says: "GOTRUE_HOOK_SEND_SMS_URI is missing; expected the webhook's address, since GOTRUE_HOOK_SEND_SMS_ENABLED is true",
    wrong: (s) => s.GOTRUE_HOOK_SEND_SMS_ENABLED && s.GOTRUE_HOOK_SEND_SMS_URI === null,
  },
  {
    says: "GOTRUE_HOOK_SEND_SMS_URI has the wrong scheme; expected https, or http on this machine",
    wrong: (s) =>
      s.GOTRUE_HOOK_SEND_SMS_URI !== null && !isHttpsOrLocal(s.GOTRUE_HOOK_SEND_SMS_URI),
  },
  {
    says: "GOTRUE_HOOK_SEND_SMS_SECRETS is missing or not in the form v1,whsec_<base64>; expected the key that signs the webhook's calls, since GOTRUE_HOOK_SEND_SMS_ENABLED is true",
    wrong: (s) => s.GOTRUE_HOOK_SEND_SMS_ENABLED && !areSecrets(s.GOTRUE_HOOK_SEND_SMS_SECRETS),
  },
  {
    says: "GOTRUE_HOOK_SEND_SMS_ENABLED is false; expected true, since GOTRUE_SMS_PROVIDER is webhook",
    wrong: (s) => s.GOTRUE_SMS_PROVIDER === "webhook" && !s.GOTRUE_HOOK_SEND_SMS_ENABLED,
  },
  {
    says: "GOTRUE_SMS_TWILIO_ACCOUNT_SID, GOTRUE_SMS_TWILIO_AUTH_TOKEN or GOTRUE_SMS_TWILIO_MESSAGE_SERVICE_SID is missing; expected all three, since GOTRUE_SMS_PROVIDER is twilio",
    wrong: (s) =>
      s.GOTRUE_SMS_PROVIDER === "twilio" &&
      !s.GOTRUE_HOOK_SEND_SMS_ENABLED &&
      [
        s.GOTRUE_SMS_TWILIO_ACCOUNT_SID,
        s.GOTRUE_SMS_TWILIO_AUTH_TOKEN,
        s.GOTRUE_SMS_TWILIO_MESSAGE_SERVICE_SID,
      ].includes(null),
  },
  {
    says: "INKPOOL_TWILIO_URL has the wrong scheme; expected https, or http on this machine",
    wrong: (s) => s.INKPOOL_TWILIO_URL !== null && !isHttpsOrLocal(s.INKPOOL_TWILIO_URL),
  },
  {
    says: "GOTRUE_SECURITY_CAPTCHA_SECRET is missing; expected the captcha's key, since GOTRUE_SECURITY_CAPTCHA_ENABLED is true",
    wrong: (s) => s.GOTRUE_SECURITY_CAPTCHA_ENABLED && s.GOTRUE_SECURITY_CAPTCHA_SECRET === null,
  },
  {
    says: "GOTRUE_SAML_PRIVATE_KEY is missing; expected the service provider's key, since GOTRUE_SAML_ENABLED is true",
    wrong: (s) => s.GOTRUE_SAML_ENABLED && s.GOTRUE_SAML_PRIVATE_KEY === null,
  },
  {
    says: "GOTRUE_SAML_PRIVATE_KEY is not an RSA key; expected base64 of its PKCS#1 or PKCS#8 DER, or a PEM",
    wrong: (s) => s.GOTRUE_SAML_PRIVATE_KEY !== null && !isRsaKey(s.GOTRUE_SAML_PRIVATE_KEY),
  },
  {
    says: "GOTRUE_OAUTH_SERVER_AUTHORIZATION_PATH is missing; expected the path of the page that asks for consent, since GOTRUE_OAUTH_SERVER_ENABLED is true",
    wrong: (s) =>
      s.GOTRUE_OAUTH_SERVER_ENABLED && s.GOTRUE_OAUTH_SERVER_AUTHORIZATION_PATH === null,
  },
  {
    says: "GOTRUE_OAUTH_SERVER_DEFAULT_SCOPE has an unknown scope; expected scopes of openid, email, profile, phone, offline_access with spaces between them",
    wrong: (s) => parseScope(s.GOTRUE_OAUTH_SERVER_DEFAULT_SCOPE) === undefined,
  },
  {
    says: "GOTRUE_MFA_MAX_VERIFIED_FACTORS is greater than GOTRUE_MFA_MAX_ENROLLED_FACTORS; expected at most as many",
    wrong: (s) => s.GOTRUE_MFA_MAX_VERIFIED_FACTORS > s.GOTRUE_MFA_MAX_ENROLLED_FACTORS,
  },
  {
    says: "GOTRUE_WEBAUTHN_RP_ORIGINS has an origin outside of GOTRUE_WEBAUTHN_RP_ID; expected origins such as https://RP_ID or of its subdomains",
    wrong: (s) =>
      s.GOTRUE_WEBAUTHN_RP_ORIGINS.some(
        (origin) => !URL.canParse(origin) || !belongsTo(origin, s.GOTRUE_WEBAUTHN_RP_ID),
      ),
  },
];

function isHttpsOrLocal(address: string): boolean {
  const url = new URL(address);
  return url.protocol === "https:" || ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
}

function areSecrets(secrets: string | null): boolean {
  return (
    secrets !== null &&
    secrets.split("|").every((one) => /^v1,whsec_[A-Za-z0-9+/]{22,}={0,2}$/.test(one))
  );
}

function belongsTo(origin: string, domain: string | null): boolean {
  const host = new URL(origin).hostname;
  return domain === null || host === domain || host.endsWith(`.${domain}`);
}

function isRsaKey(text: string): boolean {
  try {
    readPrivateKey(text);
    return true;
  } catch {
    return false;
  }
}
