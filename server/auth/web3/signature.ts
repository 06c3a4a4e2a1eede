/** Checks the signatures of wallets. */

import { ed25519 } from "@noble/curves/ed25519.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { base58 } from "@scure/base";

/**
 * Returns the address, in lower case, whose key signed the message; undefined for an invalid signature. `signature`
 * is 0x and 130 digits.
 */
export function ethereumSigner(message: string, signature: string): string | undefined {
  try {
    const bytes = Buffer.from(signature.replace(/^0x/, ""), "hex");
    const last = bytes[64] ?? 255;
    const recovery = last >= 27 ? last - 27 : last;
    if (bytes.length !== 65 || (recovery !== 0 && recovery !== 1)) return undefined;
    const compact = new Uint8Array(bytes.subarray(0, 64));
    const signed = secp256k1.Signature.fromBytes(compact, "compact").addRecoveryBit(recovery);
    const key = signed.recoverPublicKey(ethereumHash(message)).toBytes(false);
    return ethereumAddress(key);
  } catch {
    return undefined;
  }
}

/** Returns the hash of EIP-191, which wallets sign. */
export function ethereumHash(message: string): Uint8Array {
  const text = new TextEncoder().encode(message);
  const prefix = new TextEncoder().encode(`\u0019Ethereum Signed Message:\n${text.length}`);
  return keccak_256(new Uint8Array([...prefix, ...text]));
}

/** Returns the address of an uncompressed public key. */
export function ethereumAddress(key: Uint8Array): string {
  return `0x${Buffer.from(keccak_256(key.subarray(1)).subarray(12)).toString("hex")}`;
}

/** Whether an address signed the message. `signature` is 64 bytes in base64 or base64url; `address` is the public key in base58. */
export function isSolanaSignature(message: string, signature: string, address: string): boolean {
  try {
    const key = base58.decode(address);
    const bytes = new Uint8Array(Buffer.from(signature, "base64url"));
    if (key.length !== 32 || bytes.length !== 64) return false;
    // These are the rules of RFC 8032: ZIP 215, the default, accepts keys of small order, which sign any message.
    return ed25519.verify(bytes, new TextEncoder().encode(message), key, { zip215: false });
  } catch {
    return false;
  }
}
