/** The handlers of GET /settings, /health and /.well-known/jwks.json. */

import type { Auth } from "./context/context.ts";
import { ok, type AuthResponse } from "./http/request.ts";

/** The providers that GoTrue lists; each is off unless the operator turns it on. */
const PROVIDERS = [
  "apple",
  "azure",
  "bitbucket",
  "discord",
  "facebook",
  "figma",
  "fly",
  "github",
  "gitlab",
  "google",
  "kakao",
  "keycloak",
  "linkedin",
  "linkedin_oidc",
  "notion",
  "slack",
  "slack_oidc",
  "spotify",
  "twitch",
  "twitter",
  "workos",
  "zoom",
];

/** Shows which ways to sign in are on. */
export async function showSettings(auth: Auth): Promise<AuthResponse> {
  const s = auth.settings;
  const external: Record<string, boolean> = {};
  for (const name of PROVIDERS) external[name] = false;
  for (const [name, provider] of s.providers) external[name] = provider.enabled;
  return ok({
    external: {
      anonymous_users: s.GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED,
      ...external,
      email: s.GOTRUE_EXTERNAL_EMAIL_ENABLED,
      phone: s.GOTRUE_EXTERNAL_PHONE_ENABLED,
      web3_ethereum: s.GOTRUE_EXTERNAL_WEB3_ETHEREUM_ENABLED,
      web3_solana: s.GOTRUE_EXTERNAL_WEB3_SOLANA_ENABLED,
    },
    disable_signup: s.GOTRUE_DISABLE_SIGNUP,
    mailer_autoconfirm: s.GOTRUE_MAILER_AUTOCONFIRM,
    phone_autoconfirm: s.GOTRUE_SMS_AUTOCONFIRM,
    sms_provider: s.GOTRUE_SMS_PROVIDER,
    mfa_enabled: true,
    saml_enabled: s.GOTRUE_SAML_ENABLED,
    passkeys_enabled: s.GOTRUE_PASSKEY_ENABLED,
  });
}

/**
 * Shows that the API works.
 * @throws Error when the database cannot be reached
 */
export async function showHealth(auth: Auth): Promise<AuthResponse> {
  await auth.database.query("select 1 as alive");
  return ok({
    version: "inkpool",
    name: "GoTrue",
    description: "GoTrue is a user registration and authentication API",
  });
}

/** Shows the public keys by which access tokens are checked. */
export async function showKeys(auth: Auth): Promise<AuthResponse> {
  return { json: auth.keys.jwks(), headers: { "cache-control": "public, max-age=600" } };
}
