/** The public keys that a passkey or a security key may have (RFC 9053): of the algorithm that they name, and strong. */

/** A decoded COSE key: its parameters by their numbers. */
export interface CoseKey {
  get(parameter: number): unknown;
}

const KTY = 1;
const ALG = 3;

/** Least number of bytes of an RSA modulus, and the greatest one: 2048 to 8192 bits. */
const MIN_MODULUS = 256;
const MAX_MODULUS = 1024;

/** The key type of each algorithm that the options name, and the check of such a key. */
const ALGORITHMS: Readonly<Record<number, { kty: number; fits(key: CoseKey): boolean }>> = {
  // This is ES256 on P-256.
  [-7]: { kty: 2, fits: (key) => key.get(-1) === 1 && has(key, -2, 32) && has(key, -3, 32) },
  // This is EdDSA with Ed25519.
  [-8]: { kty: 1, fits: (key) => key.get(-1) === 6 && has(key, -2, 32) },
  // This is RS256.
  [-257]: { kty: 3, fits: isRsa },
};

/** Whether the key is of the algorithm that it names; a library that looks at only one of the two can be misled. */
export function isSoundKey(key: CoseKey): boolean {
  const algorithm = ALGORITHMS[Number(key.get(ALG))];
  return algorithm !== undefined && key.get(KTY) === algorithm.kty && algorithm.fits(key);
}

function isRsa(key: CoseKey): boolean {
  const modulus = key.get(-1);
  const exponent = key.get(-2);
  if (!(modulus instanceof Uint8Array) || !(exponent instanceof Uint8Array)) return false;
  const first = modulus.findIndex((byte) => byte !== 0);
  const length = modulus.length - first;
  if (first < 0 || length < MIN_MODULUS || length > MAX_MODULUS) return false;
  if (length === MIN_MODULUS && (modulus[first] ?? 0) < 0x80) return false;
  const value = exponent.reduce((sum, byte) => sum * 256 + byte, 0);
  return exponent.length <= 4 && value >= 3 && value % 2 === 1;
}

function has(key: CoseKey, parameter: number, bytes: number): boolean {
  const value = key.get(parameter);
  return value instanceof Uint8Array && value.length === bytes;
}
