/** The settings of the auth API under GoTrue's own names, with their defaults: the table of docs/auth.md. */

import { address, choice, flag, list, optional, whole, words } from "../../settings/kinds.ts";
import {
  block,
  characterGroups,
  duration,
  headerMap,
  linkPath,
  longSecret,
  optionalWords,
  percent,
  rate,
  secretText,
} from "./kinds.ts";
import { OAUTH_SERVER_SETTINGS } from "./oauth-server.ts";
import { SMS_SETTINGS } from "./sms.ts";

const HOUR = 3_600_000;
const DAY = 86_400;

export const SETTINGS = {
  GOTRUE_SITE_URL: address(
    "Where people land after a link in a mail. Default: the address that this server listens on.",
  ),
  API_EXTERNAL_URL: address(
    "Where the outside reaches this server, with or without /auth/v1. Default: GOTRUE_SITE_URL's origin, or this server's own address when that is on this machine.",
  ),
  GOTRUE_URI_ALLOW_LIST: list(
    [],
    "More addresses that a redirect may go to. `*` stands for anything but dots and slashes, `**` for anything.",
  ),
  GOTRUE_DISABLE_SIGNUP: flag(false, "Nobody can create an account; the admin API still can."),
  GOTRUE_CORS_ALLOWED_HEADERS: list([], "More request headers that other origins may send."),

  GOTRUE_JWT_EXP: whole([30, 604_800], 3600, "Seconds that an access token is good for."),
  GOTRUE_JWT_AUD: words("authenticated", "The audience of the tokens."),
  GOTRUE_JWT_ISSUER: optionalWords("The issuer in the tokens. Default: the auth API's address."),
  GOTRUE_JWT_DEFAULT_GROUP_NAME: choice(
    ["authenticated", "anon"],
    "authenticated",
    "The role of a new user.",
  ),
  GOTRUE_JWT_ADMIN_ROLES: list(
    ["service_role", "supabase_admin"],
    "The roles that may use the admin API.",
  ),

  INKPOOL_AUTH_KEY: longSecret(
    32,
    "A secret of at least 32 characters that codes and seeds are keyed with; it must not change. Default: a secret made by the first start.",
  ),
  GOTRUE_EXTERNAL_EMAIL_ENABLED: flag(true, "Accounts with an email address."),
  GOTRUE_EXTERNAL_EMAIL_MAGIC_LINK_ENABLED: flag(true, "Sign-in by a link or code in a mail."),
  GOTRUE_EXTERNAL_EMAIL_AUTHORIZED_ADDRESSES: list(
    [],
    "When given, mails go to these addresses only.",
  ),
  GOTRUE_EXTERNAL_PHONE_ENABLED: flag(false, "Accounts with a phone number."),
  GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: flag(false, "Accounts without any credentials."),
  GOTRUE_EXTERNAL_FLOW_STATE_EXPIRY_DURATION: duration(
    "5m",
    "How long a PKCE exchange and a provider's sign-in may take.",
  ),
  GOTRUE_EXTERNAL_WEB3_SOLANA_ENABLED: flag(false, "Sign-in with a Solana wallet."),
  GOTRUE_EXTERNAL_WEB3_SOLANA_MAXIMUM_VALIDITY_DURATION: duration(
    "10m",
    "How far the signed message's time may be from now.",
  ),
  GOTRUE_EXTERNAL_WEB3_ETHEREUM_ENABLED: flag(false, "Sign-in with an Ethereum wallet."),
  GOTRUE_EXTERNAL_WEB3_ETHEREUM_MAXIMUM_VALIDITY_DURATION: duration(
    "10m",
    "How far the signed message's time may be from now.",
  ),

  GOTRUE_PASSWORD_MIN_LENGTH: whole([6, 72], 6, "Characters of a password at least."),
  GOTRUE_PASSWORD_REQUIRED_CHARACTERS: characterGroups(
    "A password needs one character of each group.",
  ),

  GOTRUE_MAILER_AUTOCONFIRM: flag(false, "An email address counts as confirmed without a mail."),
  GOTRUE_MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS: flag(
    false,
    "Sign-in before the address is confirmed.",
  ),
  GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED: flag(
    true,
    "A change of address is confirmed at the old and at the new one.",
  ),
  GOTRUE_MAILER_OTP_EXP: whole(
    [60, 7 * DAY],
    DAY,
    "Seconds that a link or code in a mail is good for.",
  ),
  GOTRUE_MAILER_OTP_LENGTH: whole([6, 10], 6, "Digits of a code in a mail."),
  GOTRUE_MAILER_SUBJECTS_CONFIRMATION: words("Confirm Your Email", "Subject of the sign-up mail."),
  GOTRUE_MAILER_SUBJECTS_RECOVERY: words("Reset Your Password", "Subject of the recovery mail."),
  GOTRUE_MAILER_SUBJECTS_MAGIC_LINK: words("Your Magic Link", "Subject of the magic link mail."),
  GOTRUE_MAILER_SUBJECTS_INVITE: words("You have been invited", "Subject of the invitation."),
  GOTRUE_MAILER_SUBJECTS_EMAIL_CHANGE: words(
    "Confirm Email Change",
    "Subject of the mails about a change of address.",
  ),
  GOTRUE_MAILER_SUBJECTS_REAUTHENTICATION: words(
    "Confirm reauthentication",
    "Subject of the reauthentication mail.",
  ),
  GOTRUE_MAILER_TEMPLATES_CONFIRMATION: optionalWords(
    "File or http address of the sign-up mail's HTML.",
  ),
  GOTRUE_MAILER_TEMPLATES_RECOVERY: optionalWords(
    "File or http address of the recovery mail's HTML.",
  ),
  GOTRUE_MAILER_TEMPLATES_MAGIC_LINK: optionalWords(
    "File or http address of the magic link mail's HTML.",
  ),
  GOTRUE_MAILER_TEMPLATES_INVITE: optionalWords("File or http address of the invitation's HTML."),
  GOTRUE_MAILER_TEMPLATES_EMAIL_CHANGE: optionalWords(
    "File or http address of the HTML about a change of address.",
  ),
  GOTRUE_MAILER_TEMPLATES_REAUTHENTICATION: optionalWords(
    "File or http address of the reauthentication mail's HTML.",
  ),
  GOTRUE_MAILER_URLPATHS_CONFIRMATION: linkPath("Path of the link in the sign-up mail."),
  GOTRUE_MAILER_URLPATHS_RECOVERY: linkPath(
    "Path of the link in the recovery and magic link mails.",
  ),
  GOTRUE_MAILER_URLPATHS_INVITE: linkPath("Path of the link in the invitation."),
  GOTRUE_MAILER_URLPATHS_EMAIL_CHANGE: linkPath(
    "Path of the link in the mails about a change of address.",
  ),

  GOTRUE_SMTP_HOST: optionalWords(
    "The mail server. Without it, mails are noted in the log and not sent.",
  ),
  GOTRUE_SMTP_PORT: whole(
    [1, 65_535],
    587,
    "The mail server's port; 465 speaks TLS from the start.",
  ),
  GOTRUE_SMTP_USER: optionalWords("The name to log in with at the mail server."),
  GOTRUE_SMTP_PASS: secretText("The password to log in with at the mail server."),
  GOTRUE_SMTP_ADMIN_EMAIL: optionalWords(
    "The sender's address. Default: noreply at the host of GOTRUE_SITE_URL.",
  ),
  GOTRUE_SMTP_SENDER_NAME: words("", "The sender's name. Default: the product's name."),
  GOTRUE_SMTP_MAX_FREQUENCY: duration(
    "60s",
    "At most one mail of a kind to one address in this time.",
  ),
  GOTRUE_SMTP_HEADERS: headerMap("More headers for each mail."),
  INKPOOL_DEV_MAILBOX: flag(
    false,
    "For development: mails and text messages can be read at /auth/v1/dev/mailbox, from this machine only.",
  ),

  ...SMS_SETTINGS,

  GOTRUE_MFA_CHALLENGE_EXPIRY_DURATION: whole(
    [30, DAY],
    300,
    "Seconds that a challenge is good for.",
  ),
  GOTRUE_MFA_FACTOR_EXPIRY_DURATION: duration("300s", "How long a factor may stay unverified."),
  GOTRUE_MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY: whole(
    [1, 100_000],
    15,
    "Challenges and, separately, verifications per address in one minute.",
  ),
  GOTRUE_MFA_MAX_ENROLLED_FACTORS: whole([1, 100], 10, "Factors of one user."),
  GOTRUE_MFA_MAX_VERIFIED_FACTORS: whole([1, 100], 10, "Verified factors of one user."),
  GOTRUE_MFA_TOTP_ENROLL_ENABLED: flag(true, "New authenticator apps."),
  GOTRUE_MFA_TOTP_VERIFY_ENABLED: flag(true, "Sign-in with authenticator apps."),
  GOTRUE_MFA_PHONE_ENROLL_ENABLED: flag(false, "New phone factors."),
  GOTRUE_MFA_PHONE_VERIFY_ENABLED: flag(false, "Sign-in with phone factors."),
  GOTRUE_MFA_PHONE_OTP_LENGTH: whole([6, 10], 6, "Digits of a phone factor's code."),
  GOTRUE_MFA_PHONE_MAX_FREQUENCY: duration(
    "60s",
    "At most one code to one phone factor in this time.",
  ),
  GOTRUE_MFA_PHONE_TEMPLATE: block(
    "Your code is {{ .Code }}",
    "The text message of a phone factor.",
  ),
  GOTRUE_MFA_WEB_AUTHN_ENROLL_ENABLED: flag(false, "New security keys as second factors."),
  GOTRUE_MFA_WEB_AUTHN_VERIFY_ENABLED: flag(false, "Sign-in with security keys as second factors."),
  GOTRUE_PASSKEY_ENABLED: flag(false, "Sign-in with passkeys."),
  GOTRUE_PASSKEY_MAX_PASSKEYS_PER_USER: whole([1, 100], 10, "Passkeys of one user."),
  GOTRUE_WEBAUTHN_RP_ID: optionalWords(
    "The domain that security keys and passkeys belong to. Default: the host of GOTRUE_SITE_URL.",
  ),
  GOTRUE_WEBAUTHN_RP_DISPLAY_NAME: words(
    "",
    "The name that security keys show. Default: the product's name.",
  ),
  GOTRUE_WEBAUTHN_RP_ORIGINS: list(
    [],
    "The origins that may use security keys and passkeys. Default: the origin of GOTRUE_SITE_URL.",
  ),
  GOTRUE_WEBAUTHN_CHALLENGE_EXPIRY_DURATION: duration(
    "5m",
    "How long a passkey ceremony may take.",
  ),

  GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED: flag(
    true,
    "Reuse of a refresh token ends its session. Tokens rotate either way.",
  ),
  GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL: whole(
    [0, 3600],
    10,
    "Seconds in which a refresh token used again gives the same new session.",
  ),
  INKPOOL_STRICT_REFRESH_TOKEN_REUSE: flag(
    false,
    "After those seconds any used refresh token ends its session. Without it, as on the hosted service, the last one that was used still gives the new session, until that is refreshed.",
  ),
  GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION: flag(
    false,
    "A new password needs a nonce when the session is older than a day.",
  ),
  GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD: flag(
    false,
    "A new password needs the current one.",
  ),
  INKPOOL_STRICT_AAL2: flag(
    true,
    "A user with a second factor needs it also to link and unlink identities, to verify one more factor, to grant and revoke OAuth access and to end other sessions.",
  ),
  INKPOOL_REVEAL_TAKEN_CONTACTS: flag(
    false,
    "A user who changes to another account's address or number gets an error that says so, as on the hosted service.",
  ),
  GOTRUE_SECURITY_MANUAL_LINKING_ENABLED: flag(false, "People may link and unlink identities."),
  GOTRUE_SECURITY_CAPTCHA_ENABLED: flag(false, "Sign-in and sign-up need a captcha."),
  GOTRUE_SECURITY_CAPTCHA_PROVIDER: choice(
    ["hcaptcha", "turnstile"],
    "hcaptcha",
    "Who checks the captcha.",
  ),
  GOTRUE_SECURITY_CAPTCHA_SECRET: secretText("The key for the captcha's check."),
  INKPOOL_CAPTCHA_URL: address("Another address for the captcha's check, for tests and proxies."),
  GOTRUE_SESSIONS_TIMEBOX: optional(duration("", "A session ends after this time.")),
  GOTRUE_SESSIONS_INACTIVITY_TIMEOUT: optional(
    duration("", "A session ends when it was not refreshed for this time."),
  ),
  GOTRUE_SESSIONS_SINGLE_PER_USER: flag(false, "A new sign-in ends the user's other sessions."),

  INKPOOL_AUDIT_LOG_RETENTION: optional(
    duration("", "How long entries of the audit log are kept. Default: for ever."),
  ),

  GOTRUE_RATE_LIMIT_HEADER: optionalWords(
    "The header that contains the client's address; set it only behind a proxy that overwrites it.",
  ),
  GOTRUE_RATE_LIMIT_EMAIL_SENT: rate({ count: 30, perMs: HOUR }, "30/1h", "Mails of this server."),
  GOTRUE_RATE_LIMIT_SMS_SENT: rate(
    { count: 30, perMs: HOUR },
    "30/1h",
    "Text messages of this server.",
  ),
  INKPOOL_MESSAGES_PER_CLIENT: percent(
    33,
    "How many of these mails, and of these text messages, one client address may cause: to confirmed accounts, and as many to all others.",
  ),
  INKPOOL_MESSAGES_PER_RECIPIENT: percent(
    33,
    "How many of them go to one address or number; beyond that, only clients with a session of the account may go on.",
  ),
  INKPOOL_MESSAGES_RESERVE: percent(
    50,
    "How many of them are kept for accounts with a confirmed address or number.",
  ),
  GOTRUE_RATE_LIMIT_OTP: whole(
    [1, 1_000_000],
    30,
    "Requests per address in 5 minutes, each: otp, signup, recover, resend, magiclink, user.",
  ),
  GOTRUE_RATE_LIMIT_VERIFY: whole([1, 1_000_000], 30, "Verify requests per address in 5 minutes."),
  GOTRUE_RATE_LIMIT_TOKEN_REFRESH: whole(
    [1, 1_000_000],
    150,
    "Token requests per address in 5 minutes.",
  ),
  GOTRUE_RATE_LIMIT_SSO: whole([1, 1_000_000], 30, "SSO requests per address in 5 minutes."),
  GOTRUE_RATE_LIMIT_ANONYMOUS_USERS: whole(
    [1, 1_000_000],
    30,
    "Anonymous sign-ins per address in one hour.",
  ),
  GOTRUE_RATE_LIMIT_WEB3: whole([1, 1_000_000], 30, "Wallet sign-ins per address in 5 minutes."),

  GOTRUE_SAML_ENABLED: flag(false, "Sign-in through SAML 2.0 identity providers."),
  GOTRUE_SAML_PRIVATE_KEY: secretText(
    "The service provider's RSA key: base64 of its PKCS#1 or PKCS#8 DER, or a PEM.",
  ),
  GOTRUE_SAML_EXTERNAL_URL: address(
    "The service provider's address when it differs from API_EXTERNAL_URL.",
  ),
  GOTRUE_SAML_ALLOW_ENCRYPTED_ASSERTIONS: flag(
    false,
    "Identity providers may encrypt their assertions.",
  ),
  GOTRUE_SAML_RELAY_STATE_VALIDITY_PERIOD: duration(
    "2m",
    "How long a sign-in at the identity provider may take.",
  ),
  INKPOOL_SAML_IDP_INITIATED: flag(
    true,
    "A sign-in may begin at the identity provider, as on the hosted service: an assertion that answers no request is taken.",
  ),
  GOTRUE_SAML_RATE_LIMIT_ASSERTION: whole(
    [1, 1_000_000],
    15,
    "Assertions per address in 5 minutes.",
  ),

  ...OAUTH_SERVER_SETTINGS,
} as const;
