/** Wallets with new keys, in the form that the client's signInWithWeb3 expects. */

import { ed25519 } from "@noble/curves/ed25519.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { base58 } from "@scure/base";
import { ethereumAddress, ethereumHash } from "../../server/auth/web3/signature.ts";

export interface EthereumKey {
  readonly address: `0x${string}`;
  sign(message: string): `0x${string}`;
  /** An EIP-1193 provider. */
  readonly wallet: {
    request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>;
  };
}

/** Makes a wallet with a new secp256k1 key. */
export function createEthereumKey(): EthereumKey {
  const key = secp256k1.utils.randomSecretKey();
  const address = ethereumAddress(secp256k1.getPublicKey(key, false)) as `0x${string}`;
  const sign = (message: string): `0x${string}` => {
    // The library puts the recovery byte first; wallets put it last and add 27.
    const bytes = secp256k1.sign(ethereumHash(message), key, {
      prehash: false,
      format: "recovered",
    });
    const hex = Buffer.from(bytes.subarray(1)).toString("hex");
    return `0x${hex}${((bytes[0] ?? 0) + 27).toString(16)}`;
  };
  return {
    address,
    sign,
    wallet: {
      async request({ method, params = [] }) {
        if (method === "eth_requestAccounts") return [address];
        if (method === "eth_chainId") return "0x1";
        if (method !== "personal_sign") throw new Error(`no such method: ${method}`);
        return sign(Buffer.from(String(params[0]).slice(2), "hex").toString("utf8"));
      },
    },
  };
}

export interface SolanaKey {
  readonly address: string;
  sign(message: string): Uint8Array;
  readonly wallet: {
    readonly publicKey: { toBase58(): string };
    signMessage(message: Uint8Array): Promise<Uint8Array>;
  };
}

/** Makes a wallet with a new Ed25519 key. */
export function createSolanaKey(): SolanaKey {
  const key = ed25519.utils.randomSecretKey();
  const address = base58.encode(ed25519.getPublicKey(key));
  return {
    address,
    sign: (message) => ed25519.sign(new TextEncoder().encode(message), key),
    wallet: {
      publicKey: { toBase58: () => address },
      signMessage: async (message) => ed25519.sign(message, key),
    },
  };
}
