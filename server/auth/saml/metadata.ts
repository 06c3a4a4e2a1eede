/** Reads an identity provider's metadata: its id, its sign-in address and its signing keys. */

import { AuthFault } from "../http/errors.ts";

export interface IdentityProvider {
  readonly entityId: string;
  /** The address to which the browser is sent. */
  readonly entryPoint: string;
  /** The certificates in base64 of the DER, without line breaks. */
  readonly certificates: readonly string[];
}

const METADATA = "urn:oasis:names:tc:SAML:2.0:metadata";
const SIGNATURE = "http://www.w3.org/2000/09/xmldsig#";
const REDIRECT = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect";

/** The part of the DOM that is used here. */
export interface Node {
  readonly textContent: string | null;
  getAttribute(name: string): string | null;
  getElementsByTagNameNS(space: string, name: string): ArrayLike<Node>;
}

/**
 * Reads metadata.
 * @throws AuthFault validation_failed unless it describes exactly one identity provider
 */
export async function parseMetadata(xml: string): Promise<IdentityProvider> {
  const refuse = (message: string): AuthFault =>
    new AuthFault("validation_failed", `SAML Metadata ${message}`);
  if (/<!DOCTYPE/i.test(xml)) throw refuse("must not contain a document type");
  const root = await parse(xml).catch(() => {
    throw refuse("is not XML");
  });
  const [entity, ...more] = all(root, METADATA, "EntityDescriptor");
  const entityId = entity?.getAttribute("entityID") ?? "";
  if (entity === undefined || entityId === "") throw refuse("does not contain an EntityID");
  if (more.length > 0) throw refuse("contains multiple EntityDescriptors");
  const [idp, ...rest] = all(entity, METADATA, "IDPSSODescriptor");
  if (idp === undefined) throw refuse("does not contain any IDPSSODescriptor");
  if (rest.length > 0) throw refuse("contains multiple IDPSSODescriptors");
  const service = all(idp, METADATA, "SingleSignOnService").find(
    (one) => one.getAttribute("Binding") === REDIRECT,
  );
  const entryPoint = service?.getAttribute("Location") ?? "";
  if (!URL.canParse(entryPoint) || !/^https?:$/.test(new URL(entryPoint).protocol))
    throw refuse("does not contain a SingleSignOnService with the HTTP-Redirect binding");
  const certificates = all(idp, METADATA, "KeyDescriptor")
    .filter((key) => key.getAttribute("use") !== "encryption")
    .flatMap((key) => all(key, SIGNATURE, "X509Certificate"))
    .map((node) => (node.textContent ?? "").replace(/\s+/g, ""));
  if (certificates.length === 0) throw refuse("does not contain a signing certificate");
  return { entityId, entryPoint, certificates };
}

/**
 * Parses XML.
 * @throws Error for anything else
 */
export async function parse(xml: string): Promise<Node> {
  const { parseDomFromString } = await import("@node-saml/node-saml/lib/xml.js");
  return (await parseDomFromString(xml)) as unknown as Node;
}

export function all(node: Node, space: string, name: string): Node[] {
  return Array.from(node.getElementsByTagNameNS(space, name));
}

const MAX_BYTES = 1024 * 1024;

/**
 * Fetches metadata from an address that an administrator chose. @throws AuthFault saml_metadata_fetch_failed when
 * there is no response, or one over 1 MB
 */
export async function fetchMetadata(address: string): Promise<string> {
  try {
    const response = await fetch(address, {
      headers: { accept: "application/samlmetadata+xml, application/xml" },
      signal: AbortSignal.timeout(10_000),
    });
    const text = response.ok ? await readBounded(response, MAX_BYTES) : undefined;
    if (text !== undefined) return text;
  } catch {
    // This fails below, as a response with an error status does.
  }
  throw new AuthFault(
    "saml_metadata_fetch_failed",
    "SAML Metadata could not be fetched from metadata_url",
  );
}

/** Reads the body; undefined when it is larger, and then the rest is not received. */
async function readBounded(response: Response, bytes: number): Promise<string | undefined> {
  const parts: Uint8Array[] = [];
  let received = 0;
  for await (const part of response.body ?? []) {
    received += part.length;
    // Leaving the loop cancels the response.
    if (received > bytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}
