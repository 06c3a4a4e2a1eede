/** Reads a response of an identity provider. It runs in a worker thread, since a stranger chooses how much work it is. */

import { SAML, ValidateInResponseTo } from "@node-saml/node-saml";
import { decryptXml, parseDomFromString } from "@node-saml/node-saml/lib/xml.js";
import { xmlFault } from "./bounds.ts";
import {
  issuerOf,
  MAX_AGE_MS,
  responseFault,
  SKEW_MS,
  type Element,
  type Expected,
} from "./checks.ts";

/** A task of the thread. */
export type SamlTask =
  | { readonly kind: "issuer"; readonly response: string }
  | {
      readonly kind: "verify";
      readonly response: string;
      readonly expected: Expected;
      /** The entity id of this service. */
      readonly audience: string;
      /** The provider's certificates, in base64 of the DER. */
      readonly certificates: readonly string[];
      /** The key as PEM; null where encrypted assertions are refused. */
      readonly decryptionKey: string | null;
    };

/** A verified assertion. */
export interface Assertion {
  readonly id: string;
  readonly nameId: string;
  /** Everything that the library read, by name; the attributes are under `attributes`. */
  readonly profile: Readonly<Record<string, unknown>>;
}

export type SamlResult =
  | { readonly kind: "issuer"; readonly issuer: string }
  | { readonly kind: "assertion"; readonly assertion: Assertion };

/**
 * Verifies a response.
 * @throws Error for every response that signs nobody in, with the reason for the log
 */
export async function performSamlTask(task: SamlTask): Promise<SamlResult> {
  const root = await readXml(Buffer.from(task.response, "base64").toString("utf8"));
  if (task.kind === "issuer") return { kind: "issuer", issuer: issuerOf(root) };
  requireAlgorithms(root);
  if (task.decryptionKey !== null) await boundEncrypted(root, task.decryptionKey);
  const saml = new SAML({
    issuer: task.audience,
    audience: task.audience,
    callbackUrl: task.expected.recipient,
    idpCert: [...task.certificates],
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false,
    acceptedClockSkewMs: SKEW_MS,
    maxAssertionAgeMs: MAX_AGE_MS,
    // `responseFault` compares it, also in the signed part; the library accepts an assertion that answers nothing.
    validateInResponseTo: ValidateInResponseTo.never,
    ...(task.decryptionKey === null ? {} : { decryptionPvk: task.decryptionKey }),
  });
  const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: task.response });
  if (profile === null) throw new Error("the response contains no assertion");
  const signed = await readXml(profile.getAssertionXml?.() ?? "");
  const fault = responseFault(root, signed, task.expected);
  if (fault !== undefined) throw new Error(fault);
  // Functions cannot be passed from one thread to another.
  const plain = Object.entries(profile).filter(([, value]) => typeof value !== "function");
  return {
    kind: "assertion",
    assertion: {
      id: signed.getAttribute("ID") ?? "",
      nameId: typeof profile.nameID === "string" ? profile.nameID : "",
      profile: Object.fromEntries(plain),
    },
  };
}

/**
 * Parses XML.
 * @throws Error for anything else, and for XML over the bounds
 */
async function readXml(xml: string): Promise<Root> {
  const fault = xmlFault(xml);
  if (fault !== undefined) throw new Error(`the XML is refused: ${fault}`);
  return ((await parseDomFromString(xml)) as unknown as { documentElement: Root }).documentElement;
}

interface Root extends Element {
  toString(): string;
  getElementsByTagNameNS(space: string, name: string): ArrayLike<Root>;
}

const ENCRYPTION = "http://www.w3.org/2001/04/xmlenc#";
const MORE = "http://www.w3.org/2001/04/xmldsig-more#";

/**
 * The accepted signature algorithms. SHA-1 is refused, for signatures and digests; so are RSA with PKCS#1 v1.5 as key
 * transport, and triple DES.
 */
const SIGNATURES: readonly string[] = [
  `${MORE}rsa-sha256`,
  `${MORE}rsa-sha512`,
  "http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1",
];
const DIGESTS: readonly string[] = [`${ENCRYPTION}sha256`, `${ENCRYPTION}sha512`];
const CIPHERS: readonly string[] = [
  `${ENCRYPTION}rsa-oaep-mgf1p`,
  `${ENCRYPTION}aes128-cbc`,
  `${ENCRYPTION}aes256-cbc`,
  "http://www.w3.org/2009/xmlenc11#aes128-gcm",
  "http://www.w3.org/2009/xmlenc11#aes256-gcm",
];

/**
 * Requires accepted algorithms.
 * @throws Error when an element names another one
 */
function requireAlgorithms(root: Root): void {
  const references = named(root, "Reference").flatMap((one) => named(one, "DigestMethod"));
  requireOf(named(root, "SignatureMethod"), SIGNATURES);
  requireOf(references, DIGESTS);
  requireOf(named(root, "EncryptionMethod"), CIPHERS);
}

function requireOf(methods: readonly Root[], taken: readonly string[]): void {
  for (const method of methods)
    if (!taken.includes(method.getAttribute("Algorithm") ?? ""))
      throw new Error(`the algorithm of a ${method.localName} is not taken`);
}

/** Returns the elements of a name in any namespace, as the libraries look them up. */
function named(root: Root, name: string): Root[] {
  return Array.from(root.getElementsByTagNameNS("*", name));
}

/**
 * Decrypts an assertion and checks it like the response: anybody can encrypt for this service, so the decrypted text
 * has the same bounds and algorithms.
 */
async function boundEncrypted(root: Root, key: string): Promise<void> {
  for (const encrypted of named(root, "EncryptedAssertion"))
    requireAlgorithms(await readXml(await decryptXml(encrypted.toString(), key)));
}
