/** The faults that a client can cause, with GoTrue's code and its usual status. docs/auth.md has the same list. */

/** The faults, as code: [status, meaning]. */
export const ERRORS = {
  anonymous_provider_disabled: [422, "Anonymous sign-ins are off."],
  bad_code_verifier: [400, "The code verifier does not fit the code challenge."],
  bad_json: [400, "The body is not the JSON that this route expects."],
  bad_jwt: [403, "The access token is malformed, wrongly signed or expired."],
  bad_oauth_callback: [400, "The provider's answer is incomplete or wrong."],
  bad_oauth_state: [400, "The provider's answer belongs to no sign-in that is under way."],
  captcha_failed: [400, "The captcha is missing or was not solved."],
  conflict: [409, "Another request changed the same thing at the same time."],
  email_address_invalid: [400, "This is not an email address."],
  email_address_not_authorized: [400, "Mails to this address are not allowed."],
  email_address_not_provided: [400, "The provider gave no email address."],
  email_conflict_identity_not_deletable: [
    422,
    "Another account has the remaining identity's address.",
  ],
  email_exists: [422, "Another account has this email address."],
  email_not_confirmed: [400, "The email address is not confirmed yet."],
  email_provider_disabled: [422, "Accounts with an email address are off."],
  feature_disabled: [404, "This part of the server is off."],
  flow_state_expired: [403, "The sign-in took too long."],
  flow_state_not_found: [404, "The code is unknown or was used."],
  identity_already_exists: [422, "The identity belongs to an account already."],
  identity_not_found: [404, "The identity is unknown."],
  insufficient_aal: [403, "This needs a second factor."],
  invalid_grant: [400, "The wallet's message or signature is not valid."],
  invalid_credentials: [400, "The name or the password is wrong."],
  manual_linking_disabled: [404, "Linking of identities is off."],
  mfa_challenge_expired: [422, "The challenge took too long."],
  mfa_factor_name_conflict: [422, "Another factor has this name."],
  mfa_factor_not_found: [404, "The factor or the challenge is unknown."],
  mfa_ip_address_mismatch: [422, "The challenge was made for another address, or was used."],
  mfa_phone_enroll_not_enabled: [422, "New phone factors are off."],
  mfa_phone_verify_not_enabled: [422, "Phone factors are off."],
  mfa_totp_enroll_not_enabled: [422, "New authenticator apps are off."],
  mfa_totp_verify_not_enabled: [422, "Authenticator apps are off."],
  mfa_verification_failed: [422, "The factor's code or signature is wrong."],
  mfa_verified_factor_exists: [422, "The phone number is a factor already."],
  mfa_webauthn_enroll_not_enabled: [422, "New security keys are off."],
  mfa_webauthn_verify_not_enabled: [422, "Security keys are off."],
  no_authorization: [401, "The access token is missing."],
  not_admin: [403, "This needs the service key."],
  not_found: [404, "The auth API has no such route."],
  oauth_authorization_not_found: [
    404,
    "The OAuth authorization is unknown, over or another user's.",
  ],
  oauth_client_forbidden: [403, "An OAuth client may not do this for its user."],
  oauth_client_not_found: [404, "The OAuth client is unknown."],
  oauth_consent_not_found: [404, "The user has granted this OAuth client nothing."],
  oauth_dynamic_client_registration_disabled: [403, "OAuth clients may not register themselves."],
  oauth_provider_not_supported: [400, "The provider is unknown, off or cannot be reached."],
  otp_disabled: [422, "Sign-in by link or code is off, or the account is unknown."],
  otp_expired: [403, "The link or code is wrong, used or too old."],
  over_email_send_rate_limit: [429, "Too many mails."],
  over_request_rate_limit: [429, "Too many requests."],
  over_sms_send_rate_limit: [429, "Too many text messages."],
  passkey_disabled: [404, "Passkeys are off."],
  passkey_not_found: [404, "The passkey is unknown."],
  phone_exists: [422, "Another account has this phone number."],
  phone_not_confirmed: [400, "The phone number is not confirmed yet."],
  phone_provider_disabled: [400, "Accounts with a phone number are off."],
  provider_disabled: [400, "This way of signing in is off."],
  provider_email_needs_verification: [403, "The provider has not verified the email address."],
  reauthentication_needed: [400, "The session is too old for this: ask for a nonce first."],
  reauthentication_not_valid: [422, "The nonce is wrong, used or too old."],
  refresh_token_already_used: [400, "The refresh token was used before; its session is over."],
  refresh_token_not_found: [400, "The refresh token is unknown."],
  same_password: [422, "The new password is the old one."],
  saml_assertion_no_email: [400, "The assertion contains no email address."],
  saml_assertion_no_user_id: [400, "The assertion contains no name id."],
  saml_entity_id_mismatch: [400, "The metadata belongs to another identity provider."],
  saml_idp_already_exists: [422, "The identity provider is known already."],
  saml_idp_not_found: [404, "The identity provider is not connected any longer."],
  saml_metadata_fetch_failed: [400, "The metadata could not be fetched."],
  saml_provider_disabled: [404, "SAML is off."],
  saml_relay_state_expired: [403, "The sign-in at the identity provider took too long."],
  saml_relay_state_not_found: [404, "The assertion belongs to no sign-in that is under way."],
  session_expired: [400, "The session is over by time."],
  session_not_found: [403, "The session is over."],
  signup_disabled: [422, "New accounts are off."],
  single_identity_not_deletable: [422, "The last identity of an account stays."],
  sms_send_failed: [422, "The text message could not be sent."],
  sso_domain_already_exists: [400, "The domain belongs to another identity provider."],
  sso_provider_disabled: [422, "The identity provider is off."],
  sso_provider_not_found: [404, "The identity provider is unknown."],
  too_many_enrolled_mfa_factors: [422, "The user has as many factors as are allowed."],
  too_many_passkeys: [422, "The user has as many passkeys as are allowed."],
  unexpected_audience: [400, "The id token was issued for another application."],
  unexpected_failure: [500, "The server failed."],
  unsupported_grant_type: [400, "The grant type is unknown."],
  user_already_exists: [422, "The account exists already."],
  user_banned: [403, "The account is banned."],
  user_not_found: [404, "The account is unknown."],
  user_sso_managed: [422, "The account is managed by its identity provider."],
  validation_failed: [400, "A value is missing or wrong."],
  weak_password: [422, "The password is too weak."],
  web3_provider_disabled: [422, "Sign-in with a wallet is off."],
  web3_unsupported_chain: [400, "The chain is unknown."],
  webauthn_challenge_expired: [400, "The ceremony took too long."],
  webauthn_challenge_not_found: [400, "The ceremony is unknown or was finished."],
  webauthn_credential_exists: [422, "The credential is registered already."],
  webauthn_verification_failed: [400, "The credential's answer is wrong."],
} as const satisfies Readonly<Record<string, readonly [number, string]>>;

export type ErrorCode = keyof typeof ERRORS;

/**
 * A fault that may be thrown anywhere under a route; register.ts turns it into a response. The client reads the
 * message, so it must not contain secrets.
 */
export class AuthFault extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  /** The reasons of weak_password. */
  readonly reasons: readonly string[] | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    more: { status?: number; reasons?: readonly string[] } = {},
  ) {
    super(message);
    this.name = "AuthFault";
    this.code = code;
    this.status = more.status ?? ERRORS[code][0];
    this.reasons = more.reasons;
  }
}

/** The version from which `code` in an error is its code; before it, its status. */
export const API_VERSION = "2024-01-01";

/** Whether a client's X-Supabase-Api-Version asks for the newer error format. */
export function wantsCodes(version: string | undefined): boolean {
  return version !== undefined && /^2\d{3}-\d\d-\d\d$/.test(version) && version >= API_VERSION;
}

/** Returns the body of an error response. */
export function faultBody(fault: AuthFault, codes: boolean): Readonly<Record<string, unknown>> {
  const weak = fault.reasons === undefined ? {} : { weak_password: { reasons: fault.reasons } };
  return codes
    ? { code: fault.code, message: fault.message, ...weak }
    : { code: fault.status, error_code: fault.code, msg: fault.message, ...weak };
}

/** Returns the OAuth error of a redirect, by the status that a response would have. */
export function oauthError(status: number): string {
  if (status === 401) return "unauthorized_client";
  if (status === 403) return "access_denied";
  return status >= 500 ? "server_error" : "invalid_request";
}
