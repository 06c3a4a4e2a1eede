/** A SAML identity provider for tests: its metadata, and the responses that it signs. */

import {
  constants,
  createCipheriv,
  generateKeyPairSync,
  publicEncrypt,
  randomBytes,
  randomUUID,
  type X509Certificate,
} from "node:crypto";
import { inflateRawSync } from "node:zlib";
import { signXml } from "@node-saml/node-saml/lib/xml.js";
import { certificateOf, pemOf } from "../../server/auth/settings/certificate.ts";

export interface SamlIdp {
  readonly entityId: string;
  readonly metadata: string;
  /** Returns the form that the browser posts after the person has signed in. */
  respond(
    loginUrl: string,
    wanted?: SamlResponse,
  ): { readonly RelayState: string; readonly SAMLResponse: string };
}

export interface SamlResponse {
  readonly nameId?: string;
  readonly email?: string;
  readonly audience?: string;
  /** The end of validity, in minutes from now. */
  readonly notOnOrAfter?: number;
  readonly inResponseTo?: string;
  /** The part without the request's id: everything, or only the part that is not signed. */
  readonly unsolicited?: "all" | "response";
  /** An address other than the service provider's. */
  readonly recipient?: string;
  /** Changes the response before it is signed. */
  readonly change?: (xml: string) => string;
  /** The algorithm of the signature and its digest; sha256 without it. */
  readonly hash?: "sha1" | "sha512";
  /** Changes the response after it was signed. */
  readonly tamper?: (xml: string) => string;
  readonly attributes?: Readonly<Record<string, string>>;
  /** The service provider's certificate: the signed assertion is encrypted for its key. */
  readonly encryptFor?: X509Certificate;
}

/**
 * Makes an identity provider.
 * @param privateKey a new one without it; the metadata contains its certificate
 */
export function createSamlIdp(
  entityId: string,
  privateKey = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey,
): SamlIdp {
  const certificate = certificateOf(privateKey, "test idp");
  const plain = certificate.replace(/-----[^-]+-----|\s/g, "");
  const metadata = `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}"><IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${plain}</X509Certificate></X509Data></KeyInfo></KeyDescriptor><SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.example.org/sso"/></IDPSSODescriptor></EntityDescriptor>`;
  return {
    entityId,
    metadata,
    respond(loginUrl, wanted = {}) {
      const query = new URL(loginUrl).searchParams;
      const request = inflateRawSync(
        Buffer.from(query.get("SAMLRequest") ?? "", "base64"),
      ).toString("utf8");
      const read = (name: string): string =>
        new RegExp(`${name}="([^"]+)"`).exec(request)?.[1] ?? "";
      const issuer = />([^<]+)<\/(?:\w+:)?Issuer>/.exec(request)?.[1] ?? "";
      const id = wanted.inResponseTo ?? read("ID");
      const acs = read("AssertionConsumerServiceURL");
      const answers = ` InResponseTo="${id}"`;
      const signedAnswer = wanted.unsolicited === "all" ? "" : answers;
      const outerAnswer = wanted.unsolicited === undefined ? answers : "";
      const now = Date.now();
      const at = (minutes: number): string => new Date(now + minutes * 60_000).toISOString();
      const until = at(wanted.notOnOrAfter ?? 5);
      const mail = wanted.email ?? "sso@corp.example";
      const attributes = Object.entries({ mail, ...wanted.attributes })
        .map(
          ([name, value]) =>
            `<saml:Attribute Name="${name}"><saml:AttributeValue>${value}</saml:AttributeValue></saml:Attribute>`,
        )
        .join("");
      const assertionId = `_${randomUUID()}`;
      const assertion = `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${assertionId}" Version="2.0" IssueInstant="${at(0)}"><saml:Issuer>${entityId}</saml:Issuer><saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent">${wanted.nameId ?? "sso-person-1"}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData${signedAnswer} NotOnOrAfter="${until}" Recipient="${wanted.recipient ?? acs}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${at(-10)}" NotOnOrAfter="${until}"><saml:AudienceRestriction><saml:Audience>${wanted.audience ?? issuer}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${at(0)}" SessionIndex="_1"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement>${attributes}</saml:AttributeStatement></saml:Assertion>`;
      const response = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_${randomUUID()}" Version="2.0" IssueInstant="${at(0)}" Destination="${acs}"${outerAnswer}><saml:Issuer>${entityId}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>${assertion}</samlp:Response>`;
      const path = `//*[local-name(.)='Assertion']`;
      const signed = signXml(
        wanted.change === undefined ? response : wanted.change(response),
        path,
        { reference: `${path}/*[local-name(.)='Issuer']`, action: "after" },
        {
          privateKey: pemOf(privateKey),
          publicCert: certificate,
          signatureAlgorithm: wanted.hash ?? "sha256",
          digestAlgorithm: wanted.hash ?? "sha256",
        },
      );
      const tampered = wanted.tamper === undefined ? signed : wanted.tamper(signed);
      const sent =
        wanted.encryptFor === undefined ? tampered : encrypted(tampered, wanted.encryptFor);
      return {
        RelayState: query.get("RelayState") ?? "",
        SAMLResponse: Buffer.from(sent).toString("base64"),
      };
    },
  };
}

/** Returns the response with its assertion encrypted in the way of XML Encryption: AES-256-GCM, and its key with RSA-OAEP. */
function encrypted(response: string, certificate: X509Certificate): string {
  const assertion = /<saml:Assertion.*<\/saml:Assertion>/s.exec(response)?.[0] ?? "";
  const data = encryptXml(assertion, certificate);
  return response.replace(
    assertion,
    () => `<saml:EncryptedAssertion>${data}</saml:EncryptedAssertion>`,
  );
}

/** Returns an EncryptedData that contains an XML: anybody who has the service provider's metadata can make one. */
export function encryptXml(content: string, certificate: X509Certificate): string {
  const key = randomBytes(32);
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  const parts = [iv, cipher.update(content, "utf8"), cipher.final()];
  const sealed = Buffer.concat([...parts, cipher.getAuthTag()]).toString("base64");
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  const wrapped = publicEncrypt(
    { key: certificate.publicKey, padding, oaepHash: "sha1" },
    key,
  ).toString("base64");
  const value = (text: string): string =>
    `<xenc:CipherData><xenc:CipherValue>${text}</xenc:CipherValue></xenc:CipherData>`;
  const encryptedKey = `<xenc:EncryptedKey><xenc:EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p"><ds:DigestMethod Algorithm="http://www.w3.org/2000/09/xmldsig#sha1"/></xenc:EncryptionMethod>${value(wrapped)}</xenc:EncryptedKey>`;
  return `<xenc:EncryptedData xmlns:xenc="http://www.w3.org/2001/04/xmlenc#" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" Type="http://www.w3.org/2001/04/xmlenc#Element"><xenc:EncryptionMethod Algorithm="http://www.w3.org/2009/xmlenc11#aes256-gcm"/><ds:KeyInfo>${encryptedKey}</ds:KeyInfo>${value(sealed)}</xenc:EncryptedData>`;
}

/** Returns an RSA key in a form for GOTRUE_SAML_PRIVATE_KEY. */
export function samlPrivateKey(): string {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return privateKey.export({ format: "der", type: "pkcs1" }).toString("base64");
}
