/** The routes POST /sso, GET /sso/saml/metadata and POST /sso/saml/acs. */

import type { Queryable } from "../../storage/port.ts";
import { audit } from "../context/audit.ts";
import { isExpired, type Auth } from "../context/context.ts";
import { AuthFault } from "../http/errors.ts";
import { findAccount } from "../oauth/accounts.ts";
import type { ProviderProfile } from "../oauth/providers.ts";
import { withQuery, faultRedirect, sessionRedirect } from "../http/redirects.ts";
import { isUuid, ok, textField, type AuthResponse, type AuthRequest } from "../http/request.ts";
import { startSession, writeSession, type Grant } from "../sessions/grant.ts";
import {
  issueCode,
  newState,
  openFlow,
  readChallenge,
  takeState,
  type Flow,
} from "../tokens/flows.ts";
import { retryOnConflict } from "../users/accounts.ts";
import { mapAttributes } from "./attributes.ts";
import { parseMetadata, type IdentityProvider } from "./metadata.ts";
import {
  ssoProviderByDomain,
  ssoProviderByEntity,
  ssoProviderById,
  type SsoProvider,
} from "./providers.ts";
import {
  checkResponse,
  loginAddress,
  namedIssuer,
  requireSaml,
  serviceMetadata,
  useOnce,
} from "./service.ts";
import type { Assertion } from "../assertions/verify.ts";

/** POST /sso: redirects to the identity provider. @throws AuthFault saml_provider_disabled, sso_provider_not_found, sso_provider_disabled */
export async function startSso(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  requireSaml(auth);
  const provider = await chosenProvider(auth, request);
  const challenge = readChallenge(request.body);
  const relayState = newState();
  const idp = await parseMetadata(provider.metadataXml);
  const options = { idp, nameIdFormat: provider.nameIdFormat };
  const { url, requestId } = await loginAddress(auth, options, relayState);
  await openFlow(auth, auth.database, {
    kind: "saml",
    validMs: auth.settings.GOTRUE_SAML_RELAY_STATE_VALIDITY_PERIOD,
    challenge,
    state: relayState,
    provider: provider.id,
    redirectTo: auth.redirects.choose(textField(request.body, "redirect_to")),
    sealed: auth.pepper.seal(requestId, `saml ${relayState}`),
  });
  const stay = request.body["skip_http_redirect"] === true;
  return stay ? ok({ url }) : { status: 303, location: url };
}

async function chosenProvider(auth: Auth, request: AuthRequest): Promise<SsoProvider> {
  const id = textField(request.body, "provider_id");
  const domain = textField(request.body, "domain");
  if ((id === undefined) === (domain === undefined))
    throw new AuthFault("validation_failed", "Only one of provider_id or domain supported");
  if (id !== undefined && !isUuid(id))
    throw new AuthFault("validation_failed", "provider_id must be an UUID");
  const provider =
    id === undefined
      ? await ssoProviderByDomain(auth.database, (domain ?? "").trim().toLowerCase())
      : await ssoProviderById(auth.database, id.toLowerCase());
  if (provider === undefined)
    throw new AuthFault(
      "sso_provider_not_found",
      id === undefined ? "No SSO provider assigned for this domain" : "No such SSO provider",
    );
  if (provider.disabled) throw new AuthFault("sso_provider_disabled", "SSO provider is disabled");
  return provider;
}

/** GET /sso/saml/metadata. @throws AuthFault saml_provider_disabled */
export async function showServiceMetadata(auth: Auth): Promise<AuthResponse> {
  requireSaml(auth);
  return { page: { type: "application/xml; charset=utf-8", text: await serviceMetadata(auth) } };
}

/** POST /sso/saml/acs: the browser returns with an assertion. A fault becomes a redirect that carries it. */
export async function takeAssertion(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  requireSaml(auth);
  let target = auth.urls.site();
  let pkce = false;
  try {
    const relayState = textField(request.body, "RelayState");
    if (beginsElsewhere(auth, relayState)) {
      target = auth.redirects.choose(relayState);
      return await finishUnsolicited(auth, request, target);
    }
    const flow =
      relayState === undefined ? undefined : await takeState(auth.database, "saml", relayState);
    if (relayState === undefined || flow === undefined)
      throw new AuthFault(
        "saml_relay_state_not_found",
        "SAML RelayState does not exist, try logging in again?",
      );
    target = flow.redirectTo ?? target;
    pkce = flow.challenge !== null;
    if (isExpired(auth, flow.expiresAt))
      throw new AuthFault(
        "saml_relay_state_expired",
        "SAML RelayState has expired. Try loggin in again?",
      );
    return await finish(auth, request, { flow, relayState, target });
  } catch (error) {
    if (!(error instanceof AuthFault)) throw error;
    return { location: faultRedirect(target, error, pkce) };
  }
}

/**
 * Whether the sign-in began at the identity provider: it then sends no state of this server, but the target address,
 * as with GoTrue.
 */
function beginsElsewhere(auth: Auth, relayState: string | undefined): relayState is string {
  if (!auth.settings.INKPOOL_SAML_IDP_INITIATED) return false;
  return relayState !== undefined && URL.canParse(relayState);
}

async function finishUnsolicited(
  auth: Auth,
  request: AuthRequest,
  target: string,
): Promise<AuthResponse> {
  const response = textField(request.body, "SAMLResponse") ?? "";
  const issuer = await namedIssuer(auth, request, response);
  const provider = await ssoProviderByEntity(auth.database, issuer);
  if (provider === undefined || provider.disabled) throw noConnection();
  const idp = await parseMetadata(provider.metadataXml);
  const assertion = await checkResponse(auth, request, { idp, response, requestId: null });
  const proved = { provider, idp, assertion, target, flow: null };
  const grant = await signIn(auth, request, proved);
  if (typeof grant === "string") throw new Error("there is no flow that a code could belong to");
  return { location: sessionRedirect(target, await writeSession(auth, grant), {}) };
}

const noConnection = (): AuthFault =>
  new AuthFault(
    "saml_idp_not_found",
    "A SAML connection has not been established with this Identity Provider",
  );

/** The flow to which an assertion belongs. */
interface OpenFlow {
  readonly flow: Flow;
  readonly relayState: string;
  readonly target: string;
}

async function finish(auth: Auth, request: AuthRequest, open: OpenFlow): Promise<AuthResponse> {
  const { flow, relayState, target } = open;
  const provider = await ssoProviderById(auth.database, flow.provider ?? "");
  if (provider === undefined || provider.disabled) throw noConnection();
  const idp = await parseMetadata(provider.metadataXml);
  const requestId = auth.pepper.open(flow.sealed ?? "", `saml ${relayState}`);
  const response = textField(request.body, "SAMLResponse") ?? "";
  const assertion = await checkResponse(auth, request, { idp, response, requestId });
  const outcome = await signIn(auth, request, { provider, idp, assertion, target, flow });
  if (typeof outcome === "string") return { location: withQuery(target, { code: outcome }) };
  return { location: sessionRedirect(target, await writeSession(auth, outcome), {}) };
}

function profileOf(provider: SsoProvider, assertion: Assertion): ProviderProfile {
  const subject = assertion.nameId;
  if (subject === "")
    throw new AuthFault(
      "saml_assertion_no_user_id",
      "SAML Assertion did not contain a persistent Subject Identifier attribute or Subject NameID uniquely identifying this user",
    );
  const mapped = mapAttributes(provider.attributeMapping, assertion.profile);
  const email = typeof mapped["email"] === "string" ? mapped["email"].toLowerCase() : undefined;
  if (email === undefined)
    throw new AuthFault(
      "saml_assertion_no_email",
      "SAML Assertion does not contain an email address",
    );
  return {
    subject,
    email,
    emailVerified: true,
    data: {
      iss: provider.entityId,
      sub: subject,
      email,
      email_verified: true,
      phone_verified: false,
      custom_claims: mapped,
    },
  };
}

interface ProvedSignIn {
  readonly provider: SsoProvider;
  readonly idp: IdentityProvider;
  readonly assertion: Assertion;
  readonly target: string;
  /** The flow; null for a sign-in that began at the identity provider. */
  readonly flow: Flow | null;
}

/** Signs in with a code under PKCE, otherwise with a session. */
async function signIn(
  auth: Auth,
  request: AuthRequest,
  proved: ProvedSignIn,
): Promise<string | Grant> {
  const profile = profileOf(proved.provider, proved.assertion);
  return retryOnConflict(() =>
    auth.database.transaction(async (tx) => {
      await useOnce(auth, tx, proved.idp, proved.assertion);
      return start(auth, tx, request, { ...proved, profile });
    }),
  );
}

async function start(
  auth: Auth,
  tx: Queryable,
  request: AuthRequest,
  proved: ProvedSignIn & { readonly profile: ProviderProfile },
): Promise<string | Grant> {
  const { flow, target } = proved;
  const found = await findAccount(auth, tx, request, {
    provider: `sso:${proved.provider.id}`,
    profile: proved.profile,
    emailOptional: false,
    sso: true,
    redirectTo: target,
  });
  if (found.kind === "unverified")
    throw new Error("addresses of an identity provider count as verified");
  const { user } = found;
  const traits = { provider: `sso:${proved.provider.id}` };
  await audit(auth, tx, { action: "login", ip: request.ip, actor: user, traits });
  if (flow !== null && flow.challenge !== null)
    return issueCode(auth, tx, { flowId: flow.id, userId: user.id, method: "sso/saml" });
  return startSession(auth, tx, {
    user,
    method: "sso/saml",
    provider: proved.provider.id,
    request,
  });
}
