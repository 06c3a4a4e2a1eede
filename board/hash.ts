/** Hashes that every browser computes alike. They are neither secret nor safe against forgery, and nothing relies on that. */

const MODULUS = 2 ** 53;

/** Hashes a text to a whole number from 0 to 2^53 - 1. */
export function hash53(text: string): number {
  let low = 0x9e3779b9;
  let high = 0x7f4a7c15;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    low = Math.imul(low ^ code, 0x85ebca6b);
    low ^= low >>> 15;
    high = Math.imul(high ^ code, 0xc2b2ae35);
    high ^= high >>> 13;
  }
  return joined(low, high);
}

/** Hashes whole numbers from -2^31 to 2^31 - 1, as `hash53` does a text. */
export function hashIntegers(values: Int32Array): number {
  let low = 0x9e3779b9;
  let high = 0x7f4a7c15;
  for (const value of values) {
    low = Math.imul(low ^ value, 0x85ebca6b);
    low ^= low >>> 15;
    high = Math.imul(high ^ value, 0xc2b2ae35);
    high ^= high >>> 13;
  }
  return joined(low, high);
}

function joined(low: number, high: number): number {
  const a = Math.imul(low ^ (high >>> 16), 0x27d4eb2f);
  const b = Math.imul(high ^ (a >>> 14), 0x165667b1);
  return ((b ^ (b >>> 15)) >>> 11) * 2 ** 32 + ((a ^ (a >>> 16)) >>> 0);
}

/** Returns a + b modulo 2^53. The plain sum may exceed the integers that a number represents exactly. */
export function addModulo(a: number, b: number): number {
  return a >= MODULUS - b ? a - (MODULUS - b) : a + b;
}

/** Returns a - b modulo 2^53. */
export function subtractModulo(a: number, b: number): number {
  return a >= b ? a - b : a + (MODULUS - b);
}
