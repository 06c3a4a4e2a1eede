/** The routes of the auth API, to be read in order. */

import { showHealth, showKeys, showSettings } from "./about.ts";
import { adminAudit } from "./admin/audit.ts";
import {
  createClient,
  deleteClient,
  getClient,
  listClients,
  newClientSecret,
  updateClient,
} from "./admin/clients.ts";
import {
  adminDeleteFactor,
  adminListFactors,
  adminUpdateFactor,
  adminDeletePasskey,
  adminListPasskeys,
} from "./admin/factors.ts";
import { generateLink } from "./admin/links.ts";
import {
  adminCreateUser,
  adminDeleteUser,
  adminGetUser,
  adminListUsers,
  adminUpdateUser,
  invite,
} from "./admin/users.ts";
import type { Auth } from "./context/context.ts";
import { AuthFault } from "./http/errors.ts";
import type { LimitName } from "./context/limits.ts";
import { mailboxPage } from "./mail/mailbox.ts";
import { challengeFactor } from "./mfa/challenge.ts";
import { enrollFactor, unenrollFactor } from "./mfa/enroll.ts";
import { verifyFactor } from "./mfa/verify.ts";
import { authorize, authorizeLinking } from "./oauth/authorize.ts";
import { authorizeClient } from "./oauth-server/authorize.ts";
import { showUserInfo } from "./oauth-server/claims.ts";
import { decideAuthorization, showAuthorization } from "./oauth-server/consent.ts";
import { listGrants, revokeGrant } from "./oauth-server/consents.ts";
import { showMetadata } from "./oauth-server/discovery.ts";
import { registerClient } from "./oauth-server/registration.ts";
import { issueTokens } from "./oauth-server/token.ts";
import { callback } from "./oauth/callback.ts";
import { unlinkIdentity } from "./oauth/unlink.ts";
import {
  deletePasskey,
  finishAuthentication,
  finishRegistration,
  listPasskeys,
  renamePasskey,
  startAuthentication,
  startRegistration,
} from "./passkeys/routes.ts";
import type { AuthResponse, AuthRequest } from "./http/request.ts";
import {
  createSsoProvider,
  deleteSsoProvider,
  getSsoProvider,
  listSsoProviders,
  updateSsoProvider,
} from "./saml/providers.ts";
import { showServiceMetadata, startSso, takeAssertion } from "./saml/routes.ts";
import { logout } from "./sessions/logout.ts";
import { token } from "./token.ts";
import { recover, sendOtp } from "./users/otp.ts";
import { reauthenticate } from "./users/reauthenticate.ts";
import { resend } from "./users/resend.ts";
import { signUp } from "./users/signup.ts";
import { getUser, putUser } from "./users/update.ts";
import { verifyGet, verifyPost } from "./users/verify.ts";

export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  handle(auth: Auth, request: AuthRequest): Promise<AuthResponse>;
  /** The limit of requests of one address. A route without one counts itself, needs a token, or is cheap. */
  readonly limit?: LimitName;
  readonly captcha?: true;
  /** Whether the response is sent at an even time, which does not reveal whether there is an account. */
  readonly even?: true;
  /** Greatest number of bytes of a body, where it may exceed `BODY_BYTES`. */
  readonly bodyBytes?: number;
  /** Whether the body may be a form, as identity providers send it. */
  readonly form?: true;
  /** Whether errors are those of an OAuth token endpoint. */
  readonly oauthErrors?: true;
}

/** Greatest number of bytes of a body. */
export const BODY_BYTES = 64 * 1024;
/** Greatest number of bytes of an assertion: a response of 128 KB in base64, in a form. */
const ASSERTION_BYTES = 192 * 1024;
/** Greatest number of bytes of an identity provider's metadata. */
const METADATA_BYTES = 512 * 1024;

export const ROUTES: readonly Route[] = [
  { method: "GET", path: "/health", handle: showHealth },
  { method: "GET", path: "/settings", handle: showSettings },
  { method: "GET", path: "/.well-known/jwks.json", handle: showKeys },

  { method: "POST", path: "/signup", handle: signUp, limit: "signup_request", captcha: true },
  { method: "POST", path: "/token", handle: token, limit: "token", captcha: true },
  { method: "POST", path: "/otp", handle: sendOtp, limit: "otp", captcha: true, even: true },
  {
    method: "POST",
    path: "/magiclink",
    handle: sendOtp,
    limit: "magiclink",
    captcha: true,
    even: true,
  },
  {
    method: "POST",
    path: "/recover",
    handle: recover,
    limit: "recover",
    captcha: true,
    even: true,
  },
  { method: "POST", path: "/resend", handle: resend, limit: "resend", captcha: true, even: true },
  { method: "GET", path: "/verify", handle: verifyGet },
  { method: "POST", path: "/verify", handle: verifyPost, limit: "verify", even: true },
  { method: "POST", path: "/logout", handle: logout },
  { method: "GET", path: "/reauthenticate", handle: reauthenticate, limit: "reauthenticate" },
  { method: "GET", path: "/user", handle: getUser },
  { method: "PUT", path: "/user", handle: putUser, limit: "user" },

  { method: "GET", path: "/authorize", handle: authorize, limit: "oauth" },
  { method: "GET", path: "/callback", handle: callback, limit: "oauth" },
  { method: "POST", path: "/callback", handle: callback, limit: "oauth", form: true },
  { method: "GET", path: "/user/identities/authorize", handle: authorizeLinking, limit: "oauth" },
  { method: "DELETE", path: "/user/identities/:identity_id", handle: unlinkIdentity },

  { method: "POST", path: "/sso", handle: startSso, limit: "sso", captcha: true },
  { method: "GET", path: "/sso/saml/metadata", handle: showServiceMetadata, limit: "sso" },
  {
    method: "POST",
    path: "/sso/saml/acs",
    handle: takeAssertion,
    limit: "saml_assertion",
    form: true,
    bodyBytes: ASSERTION_BYTES,
  },

  { method: "POST", path: "/factors", handle: enrollFactor },
  {
    method: "POST",
    path: "/factors/:factor_id/challenge",
    handle: challengeFactor,
    limit: "factor_challenge",
  },
  {
    method: "POST",
    path: "/factors/:factor_id/verify",
    handle: verifyFactor,
    limit: "factor_verify",
  },
  { method: "DELETE", path: "/factors/:factor_id", handle: unenrollFactor },

  {
    method: "POST",
    path: "/passkeys/registration/options",
    handle: startRegistration,
    limit: "passkey",
  },
  {
    method: "POST",
    path: "/passkeys/registration/verify",
    handle: finishRegistration,
    limit: "passkey",
  },
  {
    method: "POST",
    path: "/passkeys/authentication/options",
    handle: startAuthentication,
    limit: "passkey",
    captcha: true,
  },
  {
    method: "POST",
    path: "/passkeys/authentication/verify",
    handle: finishAuthentication,
    limit: "passkey",
  },
  { method: "GET", path: "/passkeys", handle: listPasskeys },
  { method: "PATCH", path: "/passkeys/:passkey_id", handle: renamePasskey },
  { method: "DELETE", path: "/passkeys/:passkey_id", handle: deletePasskey },

  { method: "GET", path: "/.well-known/oauth-authorization-server", handle: showMetadata },
  { method: "GET", path: "/.well-known/openid-configuration", handle: showMetadata },
  { method: "GET", path: "/oauth/authorize", handle: authorizeClient, limit: "oauth" },
  {
    method: "GET",
    path: "/oauth/authorizations/:authorization_id",
    handle: showAuthorization,
  },
  {
    method: "POST",
    path: "/oauth/authorizations/:authorization_id/consent",
    handle: decideAuthorization,
  },
  {
    method: "POST",
    path: "/oauth/token",
    handle: issueTokens,
    limit: "oauth_token",
    form: true,
    oauthErrors: true,
  },
  { method: "GET", path: "/oauth/userinfo", handle: showUserInfo },
  {
    method: "POST",
    path: "/oauth/clients/register",
    handle: registerClient,
    limit: "oauth_register",
  },
  { method: "GET", path: "/user/oauth/grants", handle: listGrants },
  { method: "DELETE", path: "/user/oauth/grants", handle: revokeGrant },

  { method: "POST", path: "/invite", handle: invite },
  { method: "GET", path: "/admin/users", handle: adminListUsers },
  { method: "POST", path: "/admin/users", handle: adminCreateUser },
  { method: "GET", path: "/admin/users/:user_id", handle: adminGetUser },
  { method: "PUT", path: "/admin/users/:user_id", handle: adminUpdateUser },
  { method: "DELETE", path: "/admin/users/:user_id", handle: adminDeleteUser },
  { method: "GET", path: "/admin/users/:user_id/factors", handle: adminListFactors },
  { method: "PUT", path: "/admin/users/:user_id/factors/:factor_id", handle: adminUpdateFactor },
  { method: "DELETE", path: "/admin/users/:user_id/factors/:factor_id", handle: adminDeleteFactor },
  { method: "GET", path: "/admin/users/:user_id/passkeys", handle: adminListPasskeys },
  {
    method: "DELETE",
    path: "/admin/users/:user_id/passkeys/:passkey_id",
    handle: adminDeletePasskey,
  },
  { method: "POST", path: "/admin/generate_link", handle: generateLink },
  { method: "GET", path: "/admin/sso/providers", handle: listSsoProviders },
  {
    method: "POST",
    path: "/admin/sso/providers",
    handle: createSsoProvider,
    bodyBytes: METADATA_BYTES,
  },
  { method: "GET", path: "/admin/sso/providers/:idp_id", handle: getSsoProvider },
  {
    method: "PUT",
    path: "/admin/sso/providers/:idp_id",
    handle: updateSsoProvider,
    bodyBytes: METADATA_BYTES,
  },
  { method: "DELETE", path: "/admin/sso/providers/:idp_id", handle: deleteSsoProvider },
  { method: "GET", path: "/admin/audit", handle: adminAudit },
  { method: "GET", path: "/admin/oauth/clients", handle: listClients },
  { method: "POST", path: "/admin/oauth/clients", handle: createClient },
  { method: "GET", path: "/admin/oauth/clients/:client_id", handle: getClient },
  { method: "PUT", path: "/admin/oauth/clients/:client_id", handle: updateClient },
  { method: "DELETE", path: "/admin/oauth/clients/:client_id", handle: deleteClient },
  {
    method: "POST",
    path: "/admin/oauth/clients/:client_id/regenerate_secret",
    handle: newClientSecret,
  },

  { method: "GET", path: "/dev/mailbox", handle: showMailbox },
];

async function showMailbox(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  if (auth.mailbox === null || !request.local)
    throw new AuthFault("not_found", "There is no such route");
  return { page: { type: "text/html; charset=utf-8", text: mailboxPage(auth.mailbox) } };
}
