/** Tests attacks with encrypted assertions. Anybody can encrypt for this service: its key is in its metadata. */

import {
  constants,
  createCipheriv,
  publicEncrypt,
  randomBytes,
  X509Certificate,
} from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { encryptXml, type SamlResponse } from "../../../testing/auth/saml-idp.ts";
import {
  startSamlBed,
  withXml,
  xmlOf,
  type SamlBed,
  type SamlForm,
} from "../../../testing/auth/saml-sign-in.ts";

let bed: SamlBed;
let certificate: X509Certificate;

beforeAll(async () => {
  bed = await startSamlBed({ GOTRUE_SAML_ALLOW_ENCRYPTED_ASSERTIONS: "true" });
  const metadata = await (await bed.server.call("/sso/saml/metadata")).text();
  const found = /use="encryption".*?X509Certificate>([^<]+)</s.exec(metadata)?.[1] ?? "";
  certificate = new X509Certificate(Buffer.from(found, "base64"));
});

afterAll(() => bed.server.close());

const solicited = async (response?: SamlResponse): Promise<SamlForm> =>
  bed.idp.respond(await bed.loginUrl(), response);

const ASSERTION = /<saml:Assertion.*<\/saml:Assertion>/s;
const ENCRYPTED = /<saml:EncryptedAssertion>.*<\/saml:EncryptedAssertion>/s;
const SIGNATURE = /<(?:ds:)?Signature.*<\/(?:ds:)?Signature>/s;

/** Returns the response with something else in place of its assertion. */
function holding(form: SamlForm, content: (assertion: string) => string): string {
  return xmlOf(form).replace(ASSERTION, (assertion) => content(assertion));
}

const wrap = (data: string): string => `<saml:EncryptedAssertion>${data}</saml:EncryptedAssertion>`;
const seal = (xml: string): string => wrap(encryptXml(xml, certificate));
const forged = (assertion: string): string =>
  assertion
    .replace(SIGNATURE, "")
    .replace(/ ID="[^"]*"/, ' ID="_forged"')
    .replaceAll("sso@corp.example", "boss@corp.example");

/** Encrypts an assertion in AES-256-CBC, as many identity providers send it, with a chosen key transport. */
function inCbc(assertion: string, transport: "oaep" | "1.5", flip = -1): string {
  const key = randomBytes(32);
  const iv = randomBytes(16);
  const cipher = createCipheriv("aes-256-cbc", key, iv);
  const bytes = Buffer.concat([iv, cipher.update(assertion, "utf8"), cipher.final()]);
  if (flip >= 0) bytes[flip % bytes.length] = (bytes[flip % bytes.length] ?? 0) ^ 1;
  const padding =
    transport === "oaep" ? constants.RSA_PKCS1_OAEP_PADDING : constants.RSA_PKCS1_PADDING;
  const wrapped = publicEncrypt({ key: certificate.publicKey, padding }, key).toString("base64");
  const name = transport === "oaep" ? "rsa-oaep-mgf1p" : "rsa-1_5";
  const xenc = "http://www.w3.org/2001/04/xmlenc#";
  return wrap(
    `<xenc:EncryptedData xmlns:xenc="${xenc}" xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><xenc:EncryptionMethod Algorithm="${xenc}aes256-cbc"/><ds:KeyInfo><xenc:EncryptedKey><xenc:EncryptionMethod Algorithm="${xenc}${name}"/><xenc:CipherData><xenc:CipherValue>${wrapped}</xenc:CipherValue></xenc:CipherData></xenc:EncryptedKey></ds:KeyInfo><xenc:CipherData><xenc:CipherValue>${bytes.toString("base64")}</xenc:CipherValue></xenc:CipherData></xenc:EncryptedData>`,
  );
}

/** Returns the whole response of the server, which must not reveal the reason. */
async function answer(form: SamlForm, xml: string): Promise<string> {
  const { url, values } = await bed.post(withXml(form, xml));
  return values.has("access_token") ? "in" : `${url.origin}${url.pathname} ${values.toString()}`;
}

const ATTACKS: Readonly<Record<string, (form: SamlForm) => string>> = {
  "no signature": (form) => holding(form, (one) => seal(one.replace(SIGNATURE, ""))),
  "a forged assertion": (form) => holding(form, (one) => seal(forged(one))),
  "a forged one that has the signature": (form) =>
    holding(form, (one) =>
      seal(
        forged(one).replace("</saml:Issuer>", `</saml:Issuer>${SIGNATURE.exec(one)?.[0] ?? ""}`),
      ),
    ),
  "a forged one around the signed one": (form) =>
    holding(form, (one) =>
      seal(forged(one).replace("</saml:Assertion>", `${one}</saml:Assertion>`)),
    ),
  "a forged one before the signed one": (form) => holding(form, (one) => seal(forged(one) + one)),
  "a forged one in plain beside it": (form) => holding(form, (one) => forged(one) + seal(one)),
  "a forged one encrypted beside it": (form) => holding(form, (one) => one + seal(forged(one))),
  "two encrypted ones": (form) => holding(form, (one) => seal(one) + seal(forged(one))),
  "one encrypted twice": (form) => holding(form, (one) => seal(seal(one))),
  "20,000 elements inside": (form) => holding(form, () => seal(`<a>${"<b/>".repeat(10_000)}</a>`)),
  "2,000 deep inside": (form) =>
    holding(form, () => seal("<a>".repeat(2_000) + "</a>".repeat(2_000))),
  "a document type inside": (form) =>
    holding(form, (one) => seal(`<!DOCTYPE a [<!ENTITY b "c">]>${one}`)),
  "a comment inside": (form) =>
    holding(form, (one) => seal(one.replace("sso@corp", "boss@corp.example<!-- -->sso@corp"))),
  "no XML inside": (form) => holding(form, () => seal("boss@corp.example")),
  "another element inside": (form) => holding(form, () => seal("<saml:Response/>")),
  "key transport by PKCS#1 v1.5": (form) => holding(form, (one) => inCbc(one, "1.5")),
  "a path in the key's address": (form) =>
    holding(form, (one) =>
      seal(one).replace(
        /<ds:KeyInfo>.*<\/ds:KeyInfo>/s,
        `<ds:KeyInfo><ds:RetrievalMethod URI="#' or //*//*//*//* or '"/></ds:KeyInfo>`,
      ),
    ),
  "no key": (form) =>
    holding(form, (one) => seal(one).replace(/<ds:KeyInfo>.*<\/ds:KeyInfo>/s, "")),
  "no cipher text": (form) =>
    holding(form, (one) => seal(one).replaceAll(/CipherValue>[^<]*</g, "CipherValue><")),
  "a cipher text of 4 bytes": (form) =>
    holding(form, (one) =>
      seal(one).replace(
        /[^<>]*(?=<\/xenc:CipherValue><\/xenc:CipherData><\/xenc:EncryptedData>)/,
        "AAAAAA==",
      ),
    ),
  "another algorithm than its bytes": (form) =>
    holding(form, (one) => seal(one).replace("xmlenc11#aes256-gcm", "xmlenc11#aes128-gcm")),
};

test("AUTH-31 no encrypted assertion signs in that would not sign in plain, and each is refused with the same answer", async () => {
  const sealed = await solicited();
  expect(await answer(sealed, holding(sealed, seal))).toBe("in");
  const cbc = await solicited();
  expect(
    await answer(
      cbc,
      holding(cbc, (one) => inCbc(one, "oaep")),
    ),
  ).toBe("in");
  const answers = new Set<string>();
  for (const [what, attack] of Object.entries(ATTACKS)) {
    const form = await solicited();
    const got = await answer(form, attack(form));
    expect([what, got.includes("validation_failed")]).toEqual([what, true]);
    answers.add(got);
  }
  expect(Object.keys(ATTACKS)).toHaveLength(21);
  // A bit that is changed in the first blocks, in the middle or in the padding: no oracle tells which. The bits of
  // the padding and of the signature's own copy of a certificate carry no information, and such a response signs in.
  let refused = 0;
  for (let flip = 0; flip < 24; flip++) {
    const form = await solicited();
    const xml = holding(form, (one) => inCbc(one, "oaep", flip < 12 ? flip : flip * 97));
    const got = await answer(form, xml);
    if (got === "in") continue;
    answers.add(got);
    refused++;
  }
  expect(refused).toBeGreaterThan(12);
  expect([...answers]).toHaveLength(1);
}, 120_000);

test("AUTH-31 an assertion that was encrypted signs in once, and not for another service or request", async () => {
  const form = await bed.unsolicited();
  const xml = holding(form, seal);
  expect(await answer(form, xml)).toBe("in");
  expect(await answer(form, xml)).toContain("validation_failed");
  // The thief encrypts it again, or sends it in plain.
  expect(await answer(form, holding(form, seal))).toContain("validation_failed");
  expect(await answer(form, xmlOf(form))).toContain("validation_failed");
  const own = await solicited();
  const stolen = ENCRYPTED.exec(holding(await solicited(), seal))?.[0] ?? "";
  expect(
    await answer(
      own,
      holding(own, () => stolen),
    ),
  ).toContain("validation_failed");
  for (const response of [
    { audience: "https://a.example" },
    { recipient: "https://a.example" },
    { hash: "sha1" },
  ] as const) {
    const other = await solicited(response);
    expect(await answer(other, holding(other, seal))).toContain("validation_failed");
  }
});
