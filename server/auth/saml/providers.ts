/** The admin API for identity providers: /admin/sso/providers. */

import { randomUUID } from "node:crypto";
import type { Queryable, Row } from "../../storage/port.ts";
import { audit } from "../context/audit.ts";
import { requireAdmin } from "../context/caller.ts";
import { type Auth, timestamp } from "../context/context.ts";
import { AuthFault } from "../http/errors.ts";
import {
  flagField,
  isUuid,
  ok,
  pathParam,
  recordField,
  textField,
  textsField,
  type AuthResponse,
  type AuthRequest,
  type Fields,
} from "../http/request.ts";
import { insert, isSet, json, one, text, textOrNull, update } from "../store/rows.ts";
import { orExists } from "../users/accounts.ts";
import { withoutNulls } from "../store/json.ts";
import { fetchMetadata, parseMetadata } from "./metadata.ts";

export interface SsoProvider {
  readonly id: string;
  readonly entityId: string;
  readonly metadataXml: string;
  readonly metadataUrl: string | null;
  readonly nameIdFormat: string | null;
  readonly attributeMapping: Fields;
  readonly disabled: boolean;
  readonly domains: readonly string[];
  readonly createdAt: string;
  readonly updatedAt: string;
}

async function readProvider(db: Queryable, row: Row | undefined): Promise<SsoProvider | undefined> {
  if (row === undefined) return undefined;
  const found = await db.query(
    "select domain from auth_sso_domains where provider_id = $1 order by domain",
    [text(row, "id")],
  );
  return {
    id: text(row, "id"),
    entityId: text(row, "entity_id"),
    metadataXml: text(row, "metadata_xml"),
    metadataUrl: textOrNull(row, "metadata_url"),
    nameIdFormat: textOrNull(row, "name_id_format"),
    attributeMapping: json(row, "attribute_mapping"),
    disabled: isSet(row, "disabled"),
    domains: found.rows.map((domain) => text(domain, "domain")),
    createdAt: text(row, "created_at"),
    updatedAt: text(row, "updated_at"),
  };
}

/** Returns the provider with an id; undefined for an unknown one. */
export async function ssoProviderById(db: Queryable, id: string): Promise<SsoProvider | undefined> {
  return readProvider(db, await one(db, "select * from auth_sso_providers where id = $1", [id]));
}

/** Returns the provider of an entity; undefined for an unknown one. */
export async function ssoProviderByEntity(
  db: Queryable,
  entityId: string,
): Promise<SsoProvider | undefined> {
  return readProvider(
    db,
    await one(db, "select * from auth_sso_providers where entity_id = $1", [entityId]),
  );
}

/** Returns the provider of an email domain, in lower case; undefined when none has it. */
export async function ssoProviderByDomain(
  db: Queryable,
  domain: string,
): Promise<SsoProvider | undefined> {
  const row = await one(db, "select provider_id from auth_sso_domains where domain = $1", [domain]);
  return row === undefined ? undefined : ssoProviderById(db, text(row, "provider_id"));
}

function writeProvider(provider: SsoProvider, withMetadata: boolean): Fields {
  return {
    id: provider.id,
    disabled: provider.disabled,
    saml: withoutNulls({
      entity_id: provider.entityId,
      metadata_xml: withMetadata ? provider.metadataXml : null,
      metadata_url: provider.metadataUrl,
      name_id_format: provider.nameIdFormat,
      attribute_mapping: provider.attributeMapping,
    }),
    domains: provider.domains.map((domain) => ({ domain })),
    created_at: provider.createdAt,
    updated_at: provider.updatedAt,
  };
}

async function providerOfPath(auth: Auth, request: AuthRequest): Promise<SsoProvider> {
  const id = pathParam(request, "idp_id").toLowerCase();
  const provider = isUuid(id) ? await ssoProviderById(auth.database, id) : undefined;
  if (provider === undefined)
    throw new AuthFault("sso_provider_not_found", "SSO Identity Provider not found");
  return provider;
}

const NAME_ID_FORMATS = [
  "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent",
  "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress",
  "urn:oasis:names:tc:SAML:2.0:nameid-format:transient",
  "urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified",
];

interface Wanted {
  readonly xml: string | undefined;
  readonly url: string | undefined;
  readonly domains: readonly string[] | undefined;
  readonly mapping: Fields | undefined;
  readonly nameIdFormat: string | undefined;
  readonly disabled: boolean | undefined;
}

async function readWanted(body: Fields): Promise<Wanted> {
  const xml = textField(body, "metadata_xml");
  const url = textField(body, "metadata_url");
  if (xml !== undefined && url !== undefined)
    throw new AuthFault(
      "validation_failed",
      "Only one of metadata_xml or metadata_url needs to be set",
    );
  if (url !== undefined && !isHttpsOrLocal(url))
    throw new AuthFault("validation_failed", "metadata_url is not a HTTPS URL");
  const nameIdFormat = textField(body, "name_id_format");
  if (nameIdFormat !== undefined && !NAME_ID_FORMATS.includes(nameIdFormat))
    throw new AuthFault(
      "validation_failed",
      `name_id_format must be unspecified or one of ${NAME_ID_FORMATS.join(", ")}`,
    );
  const domains = textsField(body, "domains")?.map((domain) => domain.trim().toLowerCase());
  if (domains?.some((domain) => !/^[a-z0-9.-]{1,253}$/.test(domain)) === true)
    throw new AuthFault("validation_failed", "domains must contain domain names");
  return {
    xml: url === undefined ? xml : await fetchMetadata(url),
    url,
    domains,
    mapping: recordField(body, "attribute_mapping"),
    nameIdFormat,
    disabled: flagField(body, "disabled"),
  };
}

function isHttpsOrLocal(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  return (
    url.protocol === "https:" ||
    (url.protocol === "http:" && ["localhost", "127.0.0.1"].includes(url.hostname))
  );
}

/** GET /admin/sso/providers, without their metadata. */
export async function listSsoProviders(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  await requireAdmin(auth, request);
  const found = await auth.database.query(
    "select * from auth_sso_providers order by created_at, id",
  );
  const items = await Promise.all(found.rows.map((row) => readProvider(auth.database, row)));
  return ok({
    items: items.flatMap((item) => (item === undefined ? [] : [writeProvider(item, false)])),
  });
}

/** GET /admin/sso/providers/:idp_id. @throws AuthFault sso_provider_not_found */
export async function getSsoProvider(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  await requireAdmin(auth, request);
  return ok(writeProvider(await providerOfPath(auth, request), true));
}

/** POST /admin/sso/providers. @throws AuthFault saml_idp_already_exists, sso_domain_already_exists, saml_metadata_fetch_failed, validation_failed */
export async function createSsoProvider(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  await requireAdmin(auth, request);
  if (textField(request.body, "type") !== "saml")
    throw new AuthFault("validation_failed", "Only 'saml' supported for SSO provider type");
  const wanted = await readWanted(request.body);
  if (wanted.xml === undefined)
    throw new AuthFault("validation_failed", "Either metadata_xml or metadata_url must be set");
  const { entityId } = await parseMetadata(wanted.xml);
  const id = randomUUID();
  const { xml } = wanted;
  const work = auth.database.transaction(async (tx) => {
    await insert(tx, "auth_sso_providers", {
      id,
      entity_id: entityId,
      metadata_xml: xml,
      metadata_url: wanted.url ?? null,
      name_id_format: wanted.nameIdFormat ?? null,
      attribute_mapping: JSON.stringify(wanted.mapping ?? {}),
      disabled: wanted.disabled === true ? 1 : 0,
      created_at: timestamp(auth),
      updated_at: timestamp(auth),
    });
    await setDomains(auth, tx, id, wanted.domains ?? []);
    await note(auth, tx, request, id);
    return ssoProviderById(tx, id);
  });
  const known = `SAML Identity Provider with this EntityID (${entityId}) already exists`;
  const provider = await orExists(work, new AuthFault("saml_idp_already_exists", known));
  if (provider === undefined) throw new Error("the provider is gone right after it was made");
  return { status: 201, json: writeProvider(provider, true) };
}

/**
 * Replaces the domains of a provider.
 * @throws AuthFault sso_domain_already_exists
 */
async function setDomains(
  auth: Auth,
  tx: Queryable,
  id: string,
  domains: readonly string[],
): Promise<void> {
  await tx.query("delete from auth_sso_domains where provider_id = $1", [id]);
  for (const domain of new Set(domains)) {
    const added = await tx.query(
      `insert into auth_sso_domains (domain, id, created_at, provider_id) values ($1, $2, $3, $4)
       on conflict (domain) do nothing returning domain`,
      [domain, randomUUID(), timestamp(auth), id],
    );
    if (added.rows.length === 0)
      throw new AuthFault(
        "sso_domain_already_exists",
        `SSO Domain '${domain}' is already assigned to an SSO identity provider`,
      );
  }
}

/** PUT /admin/sso/providers/:idp_id. @throws AuthFault sso_provider_not_found, saml_entity_id_mismatch, sso_domain_already_exists */
export async function updateSsoProvider(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  await requireAdmin(auth, request);
  const provider = await providerOfPath(auth, request);
  const wanted = await readWanted(request.body);
  if (wanted.xml !== undefined && (await parseMetadata(wanted.xml)).entityId !== provider.entityId)
    throw new AuthFault(
      "saml_entity_id_mismatch",
      `SAML Metadata can be updated only if the EntityID matches for the provider; expected '${provider.entityId}'`,
    );
  const changed = await auth.database.transaction(async (tx) => {
    await update(tx, "auth_sso_providers", provider.id, {
      metadata_xml: wanted.xml ?? provider.metadataXml,
      metadata_url: wanted.url ?? provider.metadataUrl,
      name_id_format: wanted.nameIdFormat ?? provider.nameIdFormat,
      attribute_mapping: JSON.stringify(wanted.mapping ?? provider.attributeMapping),
      disabled: (wanted.disabled ?? provider.disabled) ? 1 : 0,
      updated_at: timestamp(auth),
    });
    if (wanted.domains !== undefined) await setDomains(auth, tx, provider.id, wanted.domains);
    await note(auth, tx, request, provider.id);
    return ssoProviderById(tx, provider.id);
  });
  return ok(writeProvider(changed ?? provider, true));
}

/** DELETE /admin/sso/providers/:idp_id. @throws AuthFault sso_provider_not_found */
export async function deleteSsoProvider(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  await requireAdmin(auth, request);
  const provider = await providerOfPath(auth, request);
  await auth.database.transaction(async (tx) => {
    await setDomains(auth, tx, provider.id, []);
    await tx.query("delete from auth_sso_providers where id = $1", [provider.id]);
    await note(auth, tx, request, provider.id);
  });
  return ok(writeProvider(provider, true));
}

function note(auth: Auth, tx: Queryable, request: AuthRequest, id: string): Promise<void> {
  const traits = { sso_provider_id: id, method: request.method };
  return audit(auth, tx, { action: "sso_provider_changed", ip: request.ip, actor: null, traits });
}
