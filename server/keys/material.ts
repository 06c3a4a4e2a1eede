/** Reads GOTRUE_JWT_SECRET and GOTRUE_JWT_KEYS as keys that sign and verify. */

import { importJWK, type CryptoKey, type JWK } from "jose";
import type { Variables } from "../settings/read.ts";

export const ALGORITHMS = ["HS256", "RS256", "ES256"] as const;

export type Algorithm = (typeof ALGORITHMS)[number];

export interface VerifyingKey {
  /** The key's id; null for the plain secret, which verifies tokens that name no key. */
  readonly kid: string | null;
  readonly alg: Algorithm;
  readonly key: CryptoKey | Uint8Array;
  /** The key as /.well-known/jwks.json shows it; null for a symmetric key. */
  readonly publicJwk: Readonly<Record<string, unknown>> | null;
}

export interface SigningKey {
  readonly kid: string | null;
  readonly alg: Algorithm;
  readonly key: CryptoKey | Uint8Array;
}

export interface KeyMaterial {
  readonly signing: SigningKey;
  readonly verifying: readonly VerifyingKey[];
}

export type MaterialResult =
  | { readonly ok: true; readonly material: KeyMaterial | null }
  | { readonly ok: false; readonly problem: string };

/** Least number of characters of a secret; a shorter one can be guessed from one token. */
export const SECRET_LENGTH = 32;

const KEYS_EXPECTED =
  'a JSON array of JSON Web Keys (HS256, RS256 or ES256), each with kid, alg and key_ops, one of them with the private key and "sign" in key_ops';

class KeysProblem extends Error {}

/** Returns the operator's keys, or null when there are none. A problem never quotes a key. */
export async function readKeyMaterial(env: Variables): Promise<MaterialResult> {
  const secret = env["GOTRUE_JWT_SECRET"]?.trim() || null;
  const keys = env["GOTRUE_JWT_KEYS"]?.trim() || null;
  if (secret !== null && secret.length < SECRET_LENGTH)
    return {
      ok: false,
      problem: `GOTRUE_JWT_SECRET is too short; expected at least ${SECRET_LENGTH} characters`,
    };
  if (keys === null)
    return { ok: true, material: secret === null ? null : materialOfSecret(secret) };
  try {
    const { signing, verifying } = await parseKeys(keys);
    const plain = secret === null ? [] : materialOfSecret(secret).verifying;
    return { ok: true, material: { signing, verifying: [...verifying, ...plain] } };
  } catch (error) {
    const wrong = error instanceof KeysProblem ? error.message : "has a key that cannot be read";
    return { ok: false, problem: `GOTRUE_JWT_KEYS ${wrong}; expected ${KEYS_EXPECTED}` };
  }
}

export function materialOfSecret(secret: string): KeyMaterial {
  const key = new TextEncoder().encode(secret);
  return {
    signing: { kid: null, alg: "HS256", key },
    verifying: [{ kid: null, alg: "HS256", key, publicJwk: null }],
  };
}

async function parseKeys(text: string): Promise<KeyMaterial> {
  const jwks = readList(text);
  const verifying: VerifyingKey[] = [];
  const signing: SigningKey[] = [];
  for (const jwk of jwks) {
    const { kid, alg } = identify(jwk);
    if (verifying.some((one) => one.kid === kid)) throw new KeysProblem("names one kid twice");
    const publicJwk = publicPart(jwk, kid, alg);
    const key = await importKey(publicJwk ?? jwk, alg);
    if (bitsOf(key) < MIN_BITS[alg]) throw new KeysProblem(`has a key too short for ${alg}`);
    verifying.push({ kid, alg, key, publicJwk });
    if (!mayVerify(jwk)) throw new KeysProblem("has a key without verify or sign in key_ops");
    if (!maySign(jwk)) continue;
    if (jwk.kty !== "oct" && jwk.d === undefined)
      throw new KeysProblem("has a signing key without its private part");
    signing.push({ kid, alg, key: await importKey(jwk, alg) });
  }
  const [only, ...more] = signing;
  if (only === undefined) throw new KeysProblem("has no signing key");
  if (more.length > 0) throw new KeysProblem("has several signing keys");
  return { signing: only, verifying };
}

/** Least number of bits of a key: a shorter one can be guessed, or is refused by the library for each token. */
const MIN_BITS: Readonly<Record<Algorithm, number>> = {
  HS256: 8 * SECRET_LENGTH,
  RS256: 2048,
  ES256: 256,
};

/** Returns the bits of a symmetric key or of an RSA modulus; Infinity for a key of another kind. */
function bitsOf(key: CryptoKey | Uint8Array): number {
  if (key instanceof Uint8Array) return 8 * key.length;
  const { modulusLength } = key.algorithm as { readonly modulusLength?: number };
  return modulusLength ?? Infinity;
}

/** Imports a key without key_ops: Web Crypto refuses a private key that may also verify, as GoTrue's keys do. */
function importKey(jwk: JWK, alg: Algorithm): Promise<CryptoKey | Uint8Array> {
  const { key_ops: _operations, use: _use, ext: _ext, ...bare } = jwk;
  return importJWK(bare, alg);
}

function readList(text: string): readonly JWK[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new KeysProblem("is not JSON");
  }
  const list = isRecord(parsed) ? parsed["keys"] : parsed;
  if (!Array.isArray(list) || list.length === 0) throw new KeysProblem("is not a list of keys");
  if (!list.every(isRecord)) throw new KeysProblem("has something that is not a key");
  return list as unknown as readonly JWK[];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const KEY_TYPES: Readonly<Record<Algorithm, string>> = { HS256: "oct", RS256: "RSA", ES256: "EC" };

function identify(jwk: JWK): { kid: string; alg: Algorithm } {
  const alg = ALGORITHMS.find((one) => one === jwk.alg);
  if (alg === undefined) throw new KeysProblem("has a key with another alg");
  if (typeof jwk.kid !== "string" || jwk.kid === "") throw new KeysProblem("has a key without kid");
  if (jwk.kty !== KEY_TYPES[alg])
    throw new KeysProblem(`has a key of another kty than ${alg} needs`);
  return { kid: jwk.kid, alg };
}

function maySign(jwk: JWK): boolean {
  return Array.isArray(jwk.key_ops) && jwk.key_ops.includes("sign");
}

/** Whether a key may verify. One that only verifies older tokens has `verify`; a signing key verifies its own. */
function mayVerify(jwk: JWK): boolean {
  return jwk.key_ops === undefined || jwk.key_ops.includes("verify") || maySign(jwk);
}

const PUBLIC_MEMBERS = ["kty", "n", "e", "crv", "x", "y"] as const;

function publicPart(jwk: JWK, kid: string, alg: Algorithm): Record<string, unknown> | null {
  if (jwk.kty === "oct") return null;
  const members = PUBLIC_MEMBERS.filter((name) => jwk[name] !== undefined);
  const part: Record<string, unknown> = Object.fromEntries(
    members.map((name) => [name, jwk[name]]),
  );
  return { ...part, kid, alg, use: "sig", key_ops: ["verify"] };
}
