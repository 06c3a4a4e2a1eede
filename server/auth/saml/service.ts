/** This server as a SAML service provider. The library is loaded with the first sign-in. */

import type { Profile, SAML } from "@node-saml/node-saml";
import type { Auth } from "../context/context.ts";
import { AuthFault } from "../http/errors.ts";
import { API_PATH } from "../http/urls.ts";
import { certificateOf, pemOf, readPrivateKey } from "../settings/certificate.ts";
import type { IdentityProvider } from "./metadata.ts";

/** @throws AuthFault saml_provider_disabled */
export function requireSaml(auth: Auth): void {
  if (!auth.settings.GOTRUE_SAML_ENABLED)
    throw new AuthFault("saml_provider_disabled", "SAML 2.0 is disabled");
}

/** The service provider's address for identity providers. */
export function serviceAddress(auth: Auth): string {
  const own = auth.settings.GOTRUE_SAML_EXTERNAL_URL;
  if (own === null) return auth.urls.api();
  return own.endsWith(API_PATH) ? own : `${own}${API_PATH}`;
}

interface Options {
  readonly idp: IdentityProvider;
  readonly nameIdFormat: string | null;
  /** The id of the request that a response has to answer; undefined for a new request, null for none. */
  readonly requestId: string | undefined | null;
}

async function createService(
  auth: Auth,
  options: Options,
): Promise<{ readonly saml: SAML; readonly requestId: () => string | undefined }> {
  const library = await import("@node-saml/node-saml");
  const base = serviceAddress(auth);
  const key = readPrivateKey(auth.settings.GOTRUE_SAML_PRIVATE_KEY ?? "");
  let newId: string | undefined;
  const saml = new library.SAML({
    issuer: `${base}/sso/saml/metadata`,
    audience: `${base}/sso/saml/metadata`,
    callbackUrl: `${base}/sso/saml/acs`,
    entryPoint: options.idp.entryPoint,
    idpIssuer: options.idp.entityId,
    idpCert: [...options.idp.certificates],
    privateKey: pemOf(key),
    publicCert: certificateOf(key, "inkpool"),
    signatureAlgorithm: "sha256",
    digestAlgorithm: "sha256",
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false,
    identifierFormat: options.nameIdFormat,
    disableRequestedAuthnContext: true,
    acceptedClockSkewMs: 30_000,
    maxAssertionAgeMs: 600_000,
    ...(auth.settings.GOTRUE_SAML_ALLOW_ENCRYPTED_ASSERTIONS ? { decryptionPvk: pemOf(key) } : {}),
    validateInResponseTo:
      options.requestId === null
        ? library.ValidateInResponseTo.never
        : library.ValidateInResponseTo.always,
    requestIdExpirationPeriodMs: auth.settings.GOTRUE_SAML_RELAY_STATE_VALIDITY_PERIOD,
    cacheProvider: {
      async saveAsync(id, value) {
        newId = id;
        return { value, createdAt: auth.clock() };
      },
      getAsync: async (id) =>
        id === options.requestId ? new Date(auth.clock()).toISOString() : null,
      removeAsync: async () => null,
    },
  });
  return { saml, requestId: () => newId };
}

/** The URL that starts a sign-in, and the id that the response has to answer. */
export async function loginAddress(
  auth: Auth,
  options: Omit<Options, "requestId">,
  relayState: string,
): Promise<{ readonly url: string; readonly requestId: string }> {
  const { saml, requestId } = await createService(auth, { ...options, requestId: undefined });
  const url = await saml.getAuthorizeUrlAsync(relayState, undefined, {});
  return { url, requestId: requestId() ?? "" };
}

/** The profile of a valid assertion. @throws AuthFault validation_failed when the response is not valid */
export async function checkResponse(
  auth: Auth,
  options: Options,
  response: string,
): Promise<Profile> {
  const { saml } = await createService(auth, options);
  try {
    const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: response });
    if (profile !== null) return profile;
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unknown";
    auth.log.warn("a SAML response was refused", {
      idp: options.idp.entityId,
      reason: reason.slice(0, 200),
    });
  }
  throw new AuthFault("validation_failed", "SAML Assertion is not valid", { status: 403 });
}

/** The XML by which an identity provider gets to know this server. */
export async function serviceMetadata(auth: Auth): Promise<string> {
  const key = readPrivateKey(auth.settings.GOTRUE_SAML_PRIVATE_KEY ?? "");
  const certificate = certificateOf(key, "inkpool");
  const idp = { entityId: "", entryPoint: "https://localhost", certificates: [certificate] };
  const { saml } = await createService(auth, { idp, nameIdFormat: null, requestId: undefined });
  const decryption = auth.settings.GOTRUE_SAML_ALLOW_ENCRYPTED_ASSERTIONS ? certificate : null;
  return saml.generateServiceProviderMetadata(decryption, certificate);
}
