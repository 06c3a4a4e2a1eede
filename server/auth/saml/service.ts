/** The SAML service provider that this server is. The library is loaded with the first sign-in. */

import type { SAML } from "@node-saml/node-saml";
import { addressKey } from "../../limits/client-key.ts";
import type { Queryable } from "../../storage/port.ts";
import { timestamp, type Auth } from "../context/context.ts";
import { AuthFault } from "../http/errors.ts";
import { API_PATH } from "../http/urls.ts";
import { certificateOf, pemOf, readPrivateKey } from "../settings/certificate.ts";
import type { AuthRequest } from "../http/request.ts";
import { sha256 } from "../secrets/secrets.ts";
import { MAX_AGE_MS, SKEW_MS } from "../assertions/checks.ts";
import type { IdentityProvider } from "./metadata.ts";
import type { Assertion, SamlResult, SamlTask } from "../assertions/verify.ts";

/**
 * Requires that SAML is on.
 * @throws AuthFault saml_provider_disabled
 */
export function requireSaml(auth: Auth): void {
  if (!auth.settings.GOTRUE_SAML_ENABLED)
    throw new AuthFault("saml_provider_disabled", "SAML 2.0 is disabled");
}

/** Returns the service provider's address for identity providers. */
export function serviceAddress(auth: Auth): string {
  const own = auth.settings.GOTRUE_SAML_EXTERNAL_URL;
  if (own === null) return auth.urls.api();
  return own.endsWith(API_PATH) ? own : `${own}${API_PATH}`;
}

interface Options {
  readonly idp: IdentityProvider;
  readonly nameIdFormat: string | null;
}

async function createService(
  auth: Auth,
  { idp, nameIdFormat }: Options,
): Promise<{ readonly saml: SAML; readonly requestId: () => string | undefined }> {
  const library = await import("@node-saml/node-saml");
  const key = privateKey(auth);
  let newId: string | undefined;
  const saml = new library.SAML({
    issuer: entityId(auth),
    callbackUrl: recipient(auth),
    entryPoint: idp.entryPoint,
    idpCert: [...idp.certificates],
    privateKey: pemOf(key),
    publicCert: certificateOf(key, "inkpool"),
    signatureAlgorithm: "sha256",
    digestAlgorithm: "sha256",
    wantAssertionsSigned: true,
    identifierFormat: nameIdFormat,
    disableRequestedAuthnContext: true,
    ...(takesEncrypted(auth) ? { decryptionPvk: pemOf(key) } : {}),
    validateInResponseTo: library.ValidateInResponseTo.always,
    cacheProvider: {
      async saveAsync(id, value) {
        newId = id;
        return { value, createdAt: auth.clock() };
      },
      getAsync: async () => null,
      removeAsync: async () => null,
    },
  });
  return { saml, requestId: () => newId };
}

const entityId = (auth: Auth): string => `${serviceAddress(auth)}/sso/saml/metadata`;
const recipient = (auth: Auth): string => `${serviceAddress(auth)}/sso/saml/acs`;

function privateKey(auth: Auth): ReturnType<typeof readPrivateKey> {
  return readPrivateKey(auth.settings.GOTRUE_SAML_PRIVATE_KEY ?? "");
}

function takesEncrypted(auth: Auth): boolean {
  return auth.settings.GOTRUE_SAML_ALLOW_ENCRYPTED_ASSERTIONS;
}

/** Returns the URL that starts a sign-in, and the id that the response has to answer. */
export async function loginAddress(
  auth: Auth,
  options: Options,
  relayState: string,
): Promise<{ readonly url: string; readonly requestId: string }> {
  const { saml, requestId } = await createService(auth, options);
  const url = await saml.getAuthorizeUrlAsync(relayState, undefined, {});
  return { url, requestId: requestId() ?? "" };
}

const refused = (): AuthFault =>
  new AuthFault("validation_failed", "SAML Assertion is not valid", { status: 403 });

/**
 * Returns the identity provider that a response names, unchecked. @throws AuthFault validation_failed,
 * over_request_rate_limit
 */
export async function namedIssuer(
  auth: Auth,
  request: AuthRequest,
  response: string,
): Promise<string> {
  const result = await ask(auth, request, { kind: "issuer", response });
  if (result.kind !== "issuer") throw refused();
  return result.issuer;
}

/**
 * Returns the assertion of a valid response: signed, encrypted or not, from this provider, for this service, fresh,
 * and the answer to this request or to none.
 * @throws AuthFault validation_failed, over_request_rate_limit
 */
export async function checkResponse(
  auth: Auth,
  request: AuthRequest,
  sent: {
    readonly idp: IdentityProvider;
    readonly response: string;
    /** The id of the request; null for a sign-in that began at the identity provider. */
    readonly requestId: string | null;
  },
): Promise<Assertion> {
  const { idp, response, requestId } = sent;
  const result = await ask(auth, request, {
    kind: "verify",
    response,
    expected: {
      entityId: idp.entityId,
      recipient: recipient(auth),
      requestId,
      now: auth.clock(),
    },
    audience: entityId(auth),
    certificates: idp.certificates,
    decryptionKey: takesEncrypted(auth) ? pemOf(privateKey(auth)) : null,
  });
  if (result.kind !== "assertion") throw refused();
  return result.assertion;
}

async function ask(auth: Auth, request: AuthRequest, task: SamlTask): Promise<SamlResult> {
  try {
    return await auth.saml.run(addressKey(request.ip), task);
  } catch (error) {
    if (error instanceof AuthFault) throw error;
    const reason = error instanceof Error ? error.message : "unknown";
    auth.log.warn("a SAML response was refused", { reason: reason.slice(0, 200) });
    throw refused();
  }
}

/** Uses up an assertion, which signs in once, wherever its sign-in began. @throws AuthFault validation_failed */
export async function useOnce(
  auth: Auth,
  tx: Queryable,
  idp: IdentityProvider,
  assertion: Assertion,
): Promise<void> {
  const first = await tx.query(
    `insert into auth_counters (key, count, until_at) values ($1, 1, $2)
     on conflict (key) do nothing returning key`,
    [
      `saml ${sha256(`${idp.entityId} ${assertion.id}`)}`,
      timestamp(auth, MAX_AGE_MS + 2 * SKEW_MS),
    ],
  );
  if (first.rows.length === 0) throw refused();
}

/** Returns the XML by which an identity provider learns about this server. */
export async function serviceMetadata(auth: Auth): Promise<string> {
  const certificate = certificateOf(privateKey(auth), "inkpool");
  const idp = { entityId: "", entryPoint: "https://localhost", certificates: [certificate] };
  const { saml } = await createService(auth, { idp, nameIdFormat: null });
  return saml.generateServiceProviderMetadata(
    takesEncrypted(auth) ? certificate : null,
    certificate,
  );
}
