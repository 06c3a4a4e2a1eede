/** GET /.well-known/oauth-authorization-server (RFC 8414) and /.well-known/openid-configuration. */

import type { Auth } from "../context/context.ts";
import type { AuthResponse } from "../http/request.ts";
import { issuerOf } from "./authorizations.ts";
import { requireOAuthServer } from "./authorize.ts";
import { AUTH_METHODS, GRANT_TYPES } from "./clients.ts";
import { SCOPES } from "../settings/scopes.ts";

/**
 * Serves one document for both addresses: a client of either reads the parts that it knows. @throws AuthFault
 * feature_disabled
 */
export async function showMetadata(auth: Auth): Promise<AuthResponse> {
  requireOAuthServer(auth);
  const api = auth.urls.api();
  const algorithm = auth.keys.idTokenAlgorithm;
  return {
    headers: { "cache-control": "public, max-age=600" },
    json: {
      issuer: issuerOf(auth),
      authorization_endpoint: `${api}/oauth/authorize`,
      token_endpoint: `${api}/oauth/token`,
      userinfo_endpoint: `${api}/oauth/userinfo`,
      jwks_uri: `${api}/.well-known/jwks.json`,
      ...(auth.settings.GOTRUE_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION
        ? { registration_endpoint: `${api}/oauth/clients/register` }
        : {}),
      scopes_supported: SCOPES.filter((scope) => scope !== "openid" || algorithm !== null),
      response_types_supported: ["code"],
      response_modes_supported: ["query"],
      grant_types_supported: GRANT_TYPES,
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: algorithm === null ? [] : [algorithm],
      token_endpoint_auth_methods_supported: AUTH_METHODS,
      code_challenge_methods_supported: ["S256"],
      claims_supported: CLAIMS,
      authorization_response_iss_parameter_supported: true,
      request_uri_parameter_supported: false,
    },
  };
}

const CLAIMS = [
  "iss",
  "sub",
  "aud",
  "exp",
  "iat",
  "auth_time",
  "nonce",
  "email",
  "email_verified",
  "phone_number",
  "phone_number_verified",
  "name",
  "picture",
  "preferred_username",
  "updated_at",
];
