import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { isSoundKey } from "./cose-key.ts";

const bytes = (length: number, first = 0xff): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => (index === 0 ? first : 0xab));
const ES256 = { 1: 2, 3: -7, [-1]: 1, [-2]: bytes(32), [-3]: bytes(32) };
const ED25519 = { 1: 1, 3: -8, [-1]: 6, [-2]: bytes(32) };
const RS256 = { 1: 3, 3: -257, [-1]: bytes(256), [-2]: Uint8Array.of(1, 0, 1) };

const key = (parameters: Readonly<Record<number, unknown>>): Map<number, unknown> =>
  new Map(Object.entries(parameters).map(([name, value]) => [Number(name), value]));

test("AUTH-24 keys of the three algorithms are taken, those of another type, curve or size are not", () => {
  const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const { n = "", e = "" } = publicKey.export({ format: "jwk" });
  const real = { [-1]: Buffer.from(n, "base64url"), [-2]: Buffer.from(e, "base64url") };
  for (const sound of [
    ES256,
    ED25519,
    RS256,
    { ...RS256, ...real },
    { ...RS256, [-1]: bytes(512) },
    { ...RS256, [-1]: bytes(256, 0x80), [-2]: Uint8Array.of(3) },
  ])
    expect([sound, isSoundKey(key(sound))]).toEqual([sound, true]);
  const refused = [
    {},
    { ...RS256, [-1]: bytes(64) },
    { ...RS256, [-1]: bytes(255) },
    { ...RS256, [-1]: bytes(256, 0x7f) },
    { ...RS256, [-1]: new Uint8Array(256) },
    { ...RS256, [-1]: Uint8Array.from([...new Uint8Array(200), ...bytes(64)]) },
    { ...RS256, [-1]: bytes(2_000) },
    { ...RS256, [-2]: Uint8Array.of(1) },
    { ...RS256, [-2]: Uint8Array.of(1, 0, 0) },
    { ...RS256, [-2]: bytes(200) },
    { ...RS256, [-1]: "text" },
    { ...ES256, 3: -257 },
    { ...ES256, 3: -8 },
    { ...ES256, 3: -35 },
    { ...ES256, [-1]: 2 },
    { ...ES256, [-2]: bytes(31) },
    { ...ED25519, 3: -7 },
    { ...ED25519, [-1]: 1 },
    { ...RS256, 3: -7 },
    { ...RS256, 3: -65535 },
  ];
  for (const weak of refused) expect([weak, isSoundKey(key(weak))]).toEqual([weak, false]);
  expect(refused).toHaveLength(20);
});
