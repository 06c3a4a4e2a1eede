/** The routes of the consent page: GET /oauth/authorizations/:authorization_id, and POST .../consent. */

import type { Queryable } from "../../storage/port.ts";
import { audit } from "../context/audit.ts";
import {
  lacksSecondFactor,
  requireSecondFactor,
  requirePerson,
  type Caller,
} from "../context/caller.ts";
import { isExpired, type Auth } from "../context/context.ts";
import { AuthFault } from "../http/errors.ts";
import {
  ok,
  pathParam,
  textField,
  type AuthRequest,
  type AuthResponse,
  type Fields,
} from "../http/request.ts";
import { requireOAuthServer } from "./authorize.ts";
import {
  approve,
  claimAuthorization,
  lockAuthorization,
  returnAddress,
  type Authorization,
} from "./authorizations.ts";
import { clientById, describeClient, type OAuthClient } from "./clients.ts";
import { grantedScope, storeConsent } from "./consents.ts";
import { covers } from "../settings/scopes.ts";

const unknown = (): AuthFault =>
  new AuthFault("oauth_authorization_not_found", "authorization not found");

/**
 * Requires that the page is of this site: one of another origin asks for nobody's consent, whatever token it has.
 * @throws AuthFault validation_failed
 */
function checkOrigin(auth: Auth, request: AuthRequest): void {
  if (request.origin !== undefined && !auth.redirects.allows(request.origin))
    throw new AuthFault("validation_failed", "unauthorized request origin");
}

/**
 * Shows a client's request to the caller. When the caller has granted it before, and has used their second factor, if
 * any, there is nothing to ask: the response is the address that leads back to the client.
 * @throws AuthFault feature_disabled, oauth_authorization_not_found, oauth_client_forbidden, validation_failed
 */
export async function showAuthorization(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  requireOAuthServer(auth);
  checkOrigin(auth, request);
  const caller = await requirePerson(auth, request);
  const id = pathParam(request, "authorization_id");
  return auth.database.transaction(async (tx) => {
    const { asked, client } = await pending(
      auth,
      tx,
      await claimAuthorization(tx, id, caller.user.id),
    );
    const granted = await grantedScope(tx, caller.user.id, asked.clientId);
    if (
      granted !== undefined &&
      covers(granted, asked.scope) &&
      !(await lacksSecondFactor(auth, tx, caller))
    )
      return ok({ redirect_url: await approve(auth, tx, asked, caller.session.id) });
    return ok(describe(id, asked, client, caller));
  });
}

function describe(id: string, asked: Authorization, client: OAuthClient, caller: Caller): Fields {
  return {
    authorization_id: id,
    redirect_uri: asked.redirectUri,
    client: describeClient(client),
    user: { id: caller.user.id, email: caller.user.email ?? "" },
    scope: asked.scope,
  };
}

/**
 * Returns an authorization that can still be decided, and its client. @throws AuthFault
 * oauth_authorization_not_found, validation_failed
 */
async function pending(
  auth: Auth,
  tx: Queryable,
  asked: Authorization | undefined,
): Promise<{ readonly asked: Authorization; readonly client: OAuthClient }> {
  if (asked === undefined || isExpired(auth, asked.expiresAt)) throw unknown();
  if (asked.status !== "pending")
    throw new AuthFault("validation_failed", "authorization request cannot be processed");
  const client = await clientById(tx, asked.clientId);
  // The address may have been removed from the client since its request.
  if (client === undefined || !client.redirectUris.includes(asked.redirectUri)) throw unknown();
  return { asked, client };
}

/**
 * Takes the caller's decision, and returns the address that leads back to the client. A denial needs no second
 * factor.
 * @throws AuthFault feature_disabled, oauth_authorization_not_found, oauth_client_forbidden, insufficient_aal, validation_failed
 */
export async function decideAuthorization(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  requireOAuthServer(auth);
  checkOrigin(auth, request);
  const caller = await requirePerson(auth, request);
  const action = textField(request.body, "action");
  if (action !== "approve" && action !== "deny")
    throw new AuthFault("validation_failed", "action must be 'approve' or 'deny'");
  const id = pathParam(request, "authorization_id");
  return auth.database.transaction(async (tx) => {
    const { asked } = await pending(auth, tx, await lockAuthorization(tx, id, caller.user.id));
    if (action === "deny") {
      await tx.query("delete from auth_oauth_authorizations where id_hash = $1", [asked.idHash]);
      const values = { error: "access_denied", error_description: "User denied the request" };
      return ok({ redirect_url: returnAddress(auth, asked, values) });
    }
    await requireSecondFactor(auth, tx, caller, "AAL2 required to grant access to an OAuth client");
    await storeConsent(auth, tx, { ...asked, userId: caller.user.id });
    await audit(auth, tx, {
      action: "oauth_consent_granted",
      ip: request.ip,
      actor: caller.user,
      traits: { client_id: asked.clientId, scope: asked.scope },
    });
    return ok({ redirect_url: await approve(auth, tx, asked, caller.session.id) });
  });
}
