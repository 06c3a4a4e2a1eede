import { ed25519 } from "@noble/curves/ed25519.js";
import { base58 } from "@scure/base";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { claimsOf } from "../../../testing/auth/people.ts";
import { startAuthServer, type AuthServer } from "../../../testing/auth/server.ts";
import { createEthereumKey, createSolanaKey } from "../../../testing/auth/wallets.ts";
import { parseMessage } from "./message.ts";
import { isSolanaSignature } from "./signature.ts";

const SITE = "https://board.example.org";

let server: AuthServer;

beforeAll(async () => {
  server = await startAuthServer({
    env: {
      GOTRUE_SITE_URL: SITE,
      GOTRUE_EXTERNAL_WEB3_ETHEREUM_ENABLED: "true",
      GOTRUE_EXTERNAL_WEB3_SOLANA_ENABLED: "true",
    },
  });
});

afterAll(() => server.close());

interface MessageOptions {
  readonly domain?: string;
  readonly uri?: string;
  readonly issuedAt?: string;
  readonly more?: string;
}

function siwe(address: string, options: MessageOptions = {}): string {
  const {
    domain = "board.example.org",
    uri = `${SITE}/`,
    issuedAt = new Date().toISOString(),
  } = options;
  return `${domain} wants you to sign in with your Ethereum account:\n${address}\n\nSign in to draw.\n\nURI: ${uri}\nVersion: 1\nChain ID: 1\nNonce: 12345678\nIssued At: ${issuedAt}${options.more ?? ""}`;
}

describe("Ethereum", () => {
  test("an Ethereum wallet signs in with an EIP-4361 message, and is the same person each time", async () => {
    const key = createEthereumKey();
    const options = { url: `${SITE}/` };
    const client = server.client();
    const first = await client.auth.signInWithWeb3({
      chain: "ethereum",
      wallet: key.wallet as never,
      statement: "Sign in to draw.",
      options,
    });
    expect(first.error).toBeNull();
    const identity = first.data.user?.identities?.[0];
    expect(identity).toMatchObject({ provider: "web3", id: `web3:ethereum:${key.address}` });
    expect(claimsOf(first.data.session?.access_token ?? "")["amr"]).toMatchObject([
      { method: "web3" },
    ]);
    server.advance(1_000);
    const signInWithEthereum = { issuedAt: new Date(server.now()), nonce: "abcdefgh" };
    const second = await client.auth.signInWithWeb3({
      chain: "ethereum",
      wallet: key.wallet as never,
      options: { ...options, signInWithEthereum },
    });
    expect(second.data.user?.id).toBe(first.data.user?.id);
  });

  test("AUTH-30 a message of another key, site, domain or time, or one that was used, is invalid_grant", async () => {
    const key = createEthereumKey();
    const otherKey = createEthereumKey();
    const use = async (message: string, signature: `0x${string}`): Promise<string | undefined> =>
      (await server.client().auth.signInWithWeb3({ chain: "ethereum", message, signature })).error
        ?.code;
    const good = siwe(key.address);
    expect(await use(good, otherKey.sign(good))).toBe("invalid_grant");
    const phished = siwe(key.address, { domain: "evil.example", uri: "https://evil.example/" });
    expect(await use(phished, key.sign(phished))).toBe("invalid_grant");
    const mixed = siwe(key.address, { domain: "evil.example" });
    expect(await use(mixed, key.sign(mixed))).toBe("invalid_grant");
    const plain = siwe(key.address, { uri: "http://board.example.org/" });
    expect(await use(plain, key.sign(plain))).toBe("invalid_grant");
    for (const minutes of [-11, 11]) {
      const issuedAt = new Date(server.now() + minutes * 60_000).toISOString();
      const mistimed = siwe(key.address, { issuedAt });
      expect(await use(mistimed, key.sign(mistimed))).toBe("invalid_grant");
    }
    const over = siwe(key.address, { more: "\nExpiration Time: 2020-01-01T00:00:00Z" });
    expect(await use(over, key.sign(over))).toBe("invalid_grant");
    const early = siwe(key.address, { more: "\nNot Before: 2999-01-01T00:00:00Z" });
    expect(await use(early, key.sign(early))).toBe("invalid_grant");
    expect(await use(good, key.sign(good))).toBeUndefined();
    expect(await use(good, key.sign(good))).toBe("invalid_grant");
    expect(await use("short", key.sign("short"))).toBe("validation_failed");
    expect(await use(good, "0x12")).toBe("validation_failed");
    const huge = siwe(key.address, { more: `\nResources:\n- ${"x".repeat(21_000)}` });
    expect(await use(huge, key.sign(huge))).toBe("validation_failed");
  });
});

describe("Solana", () => {
  test("a Solana wallet signs in; a changed message does not", async () => {
    const key = createSolanaKey();
    const options = { url: `${SITE}/` };
    const { data, error } = await server
      .client()
      .auth.signInWithWeb3({ chain: "solana", wallet: key.wallet, statement: "Draw.", options });
    expect(error).toBeNull();
    expect(data.user?.identities?.[0]?.id).toBe(`web3:solana:${key.address}`);
    const message = `board.example.org wants you to sign in with your Solana account:\n${key.address}\n\nVersion: 1\nURI: ${SITE}/\nIssued At: ${new Date().toISOString()}`;
    const use = async (text: string, signature: Uint8Array): Promise<string | undefined> =>
      (await server.client().auth.signInWithWeb3({ chain: "solana", message: text, signature }))
        .error?.code;
    expect(
      await use(message.replace("Version: 1", "Version: 1\nNonce: changed1"), key.sign(message)),
    ).toBe("invalid_grant");
    expect(await use(message, createSolanaKey().sign(message))).toBe("invalid_grant");
    expect(await use(message, key.sign(message).slice(1))).toBe("validation_failed");
    expect(await use(message, key.sign(message))).toBeUndefined();
  });
});

/** Points of small order on the curve of Ed25519: with them as a key, one signature fits many messages (RFC 8032 refuses them). */
const SMALL_ORDER = [
  "0100000000000000000000000000000000000000000000000000000000000000",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0000000000000000000000000000000000000000000000000000000000000080",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
];

test("AUTH-30 a wallet whose key has a small order signs nothing, though a signature without a secret fits it", () => {
  const identity = Buffer.from(SMALL_ORDER[0] ?? "", "hex");
  // R is the identity and S is zero: the signature is valid wherever the order of the key divides the hash of the
  // message.
  const signature = Buffer.concat([identity, Buffer.alloc(32)]).toString("base64url");
  let fitting = 0;
  for (const hex of SMALL_ORDER) {
    const address = base58.encode(Buffer.from(hex, "hex"));
    for (let nonce = 0; nonce < 24; nonce++) {
      const message = `message ${nonce}`;
      const bytes = Buffer.from(signature, "base64url");
      const text = new TextEncoder().encode(message);
      if (ed25519.verify(bytes, text, Buffer.from(hex, "hex"), { zip215: true })) fitting++;
      expect([hex, isSolanaSignature(message, signature, address)]).toEqual([hex, false]);
    }
  }
  expect(fitting).toBeGreaterThan(24);
});

test("wallets are off unless they are turned on, and other chains are unknown", async () => {
  const plain = await startAuthServer();
  const key = createEthereumKey();
  const message = siwe(key.address);
  const off = await plain
    .client()
    .auth.signInWithWeb3({ chain: "ethereum", message, signature: key.sign(message) });
  expect(off.error?.code).toBe("web3_provider_disabled");
  await plain.close();
  const odd = await server.call("/token?grant_type=web3", {
    method: "POST",
    body: JSON.stringify({ chain: "dogecoin", message, signature: "x" }),
    headers: { "content-type": "application/json" },
  });
  expect(await odd.json()).toMatchObject({ error_code: "web3_unsupported_chain" });
});

test("a message is read strictly", () => {
  const good = siwe("0x52908400098527886E0F7030069857D2E4169EE7");
  expect(parseMessage("ethereum", good)).toMatchObject({
    domain: "board.example.org",
    statement: "Sign in to draw.",
    chainId: "1",
  });
  for (const [from, to] of [
    ["Ethereum", "Solana"],
    ["0x5290", "5290"],
    ["Version: 1", "Version: 2"],
    ["Chain ID: 1", "Chain ID: one"],
    ["Issued At", "Issued"],
    ["\nURI", "\nURI: https://a.example\nURI"],
    ["board.example.org wants", "user@board.example.org wants"],
    ["Sign in", "Sign\r\nin"],
  ] as const)
    expect(typeof parseMessage("ethereum", good.replace(from, to))).toBe("string");
});
