/** The service provider's key and a self-signed certificate: identity providers ask for one, whoever signed it. */

import { createHash, createPrivateKey, createPublicKey, sign, type KeyObject } from "node:crypto";

/** Reads a PEM, or base64 of a PKCS#1 or PKCS#8 DER. @throws Error when it is no RSA key */
export function readPrivateKey(text: string): KeyObject {
  const key = text.includes("-----BEGIN")
    ? createPrivateKey(text.replaceAll("\\n", "\n"))
    : readDer(text);
  if (key.asymmetricKeyType !== "rsa") throw new Error("not an RSA key");
  return key;
}

function readDer(text: string): KeyObject {
  const der = Buffer.from(text, "base64");
  try {
    return createPrivateKey({ key: der, format: "der", type: "pkcs1" });
  } catch {
    return createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  }
}

/** Returns the key as PKCS#8 PEM. */
export function pemOf(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}

/** Returns a self-signed X.509 v3 certificate as PEM, always the same for a key. */
export function certificateOf(key: KeyObject, commonName: string): string {
  const publicKey = createPublicKey(key).export({ type: "spki", format: "der" });
  const algorithm = sequence([objectId("2a864886f70d01010b"), Buffer.from("0500", "hex")]);
  const name = sequence([
    wrap(0x31, sequence([objectId("550403"), wrap(0x0c, Buffer.from(commonName))])),
  ]);
  const serial = createHash("sha256").update(publicKey).digest().subarray(0, 16);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x01;
  const body = sequence([
    wrap(0xa0, wrap(0x02, Buffer.from([2]))),
    wrap(0x02, serial),
    algorithm,
    name,
    sequence([utcTime("200101000000Z"), utcTime("491231235959Z")]),
    name,
    publicKey,
  ]);
  const signature = Buffer.concat([Buffer.from([0]), sign("sha256", body, key)]);
  const certificate = sequence([body, algorithm, wrap(0x03, signature)]);
  const lines = certificate.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}

/** Encodes DER: tag, length, content. */
function wrap(tag: number, content: Buffer): Buffer {
  const length = content.length;
  if (length < 128) return Buffer.concat([Buffer.from([tag, length]), content]);
  const bytes = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...bytes]), content]);
}

function sequence(parts: readonly Buffer[]): Buffer {
  return wrap(0x30, Buffer.concat(parts));
}

function objectId(hex: string): Buffer {
  return wrap(0x06, Buffer.from(hex, "hex"));
}

function utcTime(text: string): Buffer {
  return wrap(0x17, Buffer.from(text));
}
