import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SignJWT, UnsecuredJWT, exportJWK, generateKeyPair, type JWK } from "jose";
import { afterAll, expect, test } from "vitest";
import { StartFault } from "../process/start-fault.ts";
import { openSqlite } from "../storage/sqlite/open.ts";
import { materialOfSecret, readKeyMaterial, type KeyMaterial } from "./material.ts";
import { openKeys } from "./open.ts";
import type { Claims } from "./port.ts";
import { checkRequest } from "../table/credentials.ts";
import { createKeyRing } from "./ring.ts";

const SECRET = "an-operator-chose-this-secret-of-more-than-32-characters";
const NOW = Date.UTC(2026, 10, 21);
const clock = (): number => NOW;
const folder = mkdtempSync(join(tmpdir(), "inkpool-keys-"));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const user: Claims = {
  role: "authenticated",
  sub: "8d2b4c1e-0000-4000-8000-000000000001",
  iat: NOW / 1000,
  exp: NOW / 1000 + 3600,
};

const materialOf = async (env: Record<string, string>): Promise<KeyMaterial> => {
  const result = await readKeyMaterial(env);
  if (!result.ok || result.material === null) throw new Error(JSON.stringify(result));
  return result.material;
};

const makeKey = async (alg: "RS256" | "ES256", kid: string): Promise<JWK> => {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), kid, alg, key_ops: ["sign", "verify"] };
};

const secretKey = (secret: string): JWK => ({
  kty: "oct",
  k: Buffer.from(secret).toString("base64url"),
  kid: "k1",
  alg: "HS256",
  key_ops: ["sign", "verify"],
});

/** Returns an RSA key of 1024 bits, which jose itself makes none of. */
const shortRsaKey = (): JWK => {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 1024 });
  const key = privateKey.export({ format: "jwk" }) as JWK;
  return { ...key, kid: "k1", alg: "RS256", key_ops: ["sign", "verify"] };
};

const verifyOnly = (jwk: JWK): JWK => {
  const { d: _d, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, ...rest } = jwk;
  return { ...rest, key_ops: ["verify"] };
};

test("KEY-1 one GOTRUE_JWT_SECRET gives the same API keys in every process", async () => {
  const material = await materialOf({ GOTRUE_JWT_SECRET: SECRET });
  const one = await createKeyRing(material, clock);
  const two = await createKeyRing(await materialOf({ GOTRUE_JWT_SECRET: SECRET }), clock);
  expect([one.anonKey, one.serviceKey]).toEqual([two.anonKey, two.serviceKey]);
  expect(await one.check(one.anonKey)).toMatchObject({ ok: true, claims: { role: "anon" } });
  expect(await one.check(one.serviceKey)).toMatchObject({
    ok: true,
    claims: { role: "service_role" },
  });
  expect(one.jwks()).toEqual({ keys: [] });
});

test.each(["HS256", "RS256", "ES256"] as const)(
  "KEY-5 GOTRUE_JWT_KEYS signs and verifies with %s, and shows only public parts",
  async (alg) => {
    const key: JWK = alg === "HS256" ? secretKey(SECRET) : await makeKey(alg, "k1");
    const ring = await createKeyRing(
      await materialOf({ GOTRUE_JWT_KEYS: JSON.stringify([key]) }),
      clock,
    );
    const token = await ring.sign(user);
    expect(JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString())).toEqual({
      alg,
      kid: "k1",
      typ: "JWT",
    });
    expect(await ring.check(token)).toEqual({ ok: true, claims: user });
    const shown = ring.jwks().keys;
    expect(shown).toHaveLength(alg === "HS256" ? 0 : 1);
    for (const one of shown) {
      expect(one).toMatchObject({ kid: "k1", alg, use: "sig", key_ops: ["verify"] });
      for (const secret of ["d", "p", "q", "dp", "dq", "qi", "k"])
        expect(one).not.toHaveProperty(secret);
    }
  },
);

test("KEY-5 after a rotation older tokens and API keys are still good", async () => {
  const old = await makeKey("RS256", "old");
  const before = await createKeyRing(
    await materialOf({ GOTRUE_JWT_KEYS: JSON.stringify([old]) }),
    clock,
  );
  const fresh = await makeKey("ES256", "new");
  const after = await createKeyRing(
    await materialOf({
      GOTRUE_JWT_KEYS: JSON.stringify([verifyOnly(old), fresh]),
      GOTRUE_JWT_SECRET: SECRET,
    }),
    clock,
  );
  expect(await after.check(await before.sign(user))).toEqual({ ok: true, claims: user });
  const bySecret = await createKeyRing(materialOfSecret(SECRET), clock);
  expect(await after.check(await bySecret.sign(user))).toEqual({ ok: true, claims: user });
  for (const apikey of [before.anonKey, bySecret.anonKey, after.anonKey])
    expect(await checkRequest(after, { apikey, authorization: undefined })).toMatchObject({
      ok: true,
      caller: { role: "anon" },
    });
  expect(after.jwks().keys.map(({ kid }) => kid)).toEqual(["old", "new"]);
});

test("SRV-2 a fault in GOTRUE_JWT_KEYS is named, and no key is quoted", async () => {
  const key = await makeKey("ES256", "a");
  const { kid: _kid, ...nameless } = key;
  const cases: readonly [unknown, string][] = [
    [[], "is not a list of keys"],
    [[verifyOnly(key)], "has no signing key"],
    [[key, { ...(await makeKey("ES256", "b")) }], "has several signing keys"],
    [[key, key], "names one kid twice"],
    [[nameless], "has a key without kid"],
    [[{ ...key, alg: "none" }], "has a key with another alg"],
    [[{ ...key, key_ops: ["encrypt"] }], "has a key without verify or sign in key_ops"],
    [[{ ...verifyOnly(key), key_ops: ["sign"] }], "has a signing key without its private part"],
    [[{ ...key, x: "!" }], "has a key that cannot be read"],
    [["x"], "has something that is not a key"],
    [[secretKey("b".repeat(31))], "has a key too short for HS256"],
    [[{ ...secretKey(SECRET), alg: "RS256" }], "has a key of another kty than RS256 needs"],
    [[shortRsaKey()], "has a key too short for RS256"],
  ];
  for (const [keys, wrong] of cases) {
    const result = await readKeyMaterial({ GOTRUE_JWT_KEYS: JSON.stringify(keys) });
    const problem = result.ok ? "" : result.problem;
    expect(problem.split(";")[0]).toBe(`GOTRUE_JWT_KEYS ${wrong}`);
    expect(problem).not.toContain(String(key.d));
  }
  expect(await readKeyMaterial({ GOTRUE_JWT_KEYS: "{" })).toEqual({
    ok: false,
    problem: expect.stringMatching(/^GOTRUE_JWT_KEYS is not JSON; expected/),
  });
});

test("KEY-7 a token is refused when it is forged, unsigned, expired, without role or exp, or no token", async () => {
  const ring = await createKeyRing(materialOfSecret(SECRET), clock);
  const other = await createKeyRing(materialOfSecret(`${SECRET}!`), clock);
  const raw = (claims: Record<string, unknown>): Promise<string> =>
    new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(new TextEncoder().encode(SECRET));
  const good = await ring.sign(user);
  const [head = "", , signature = ""] = good.split(".");
  const raised = Buffer.from(JSON.stringify({ ...user, role: "service_role" })).toString(
    "base64url",
  );
  const cases: readonly [string, string][] = [
    ["", "missing"],
    ["not a token", "malformed"],
    ["a.b.c", "malformed"],
    ["x".repeat(20_000), "malformed"],
    [await other.sign(user), "signature"],
    [`${head}.${raised}.${signature}`, "signature"],
    [new UnsecuredJWT({ ...user }).encode(), "signature"],
    [await ring.sign({ ...user, exp: NOW / 1000 - 1 }), "expired"],
    [await raw({ role: "authenticated" }), "claims"],
    [await raw({ exp: user.exp }), "claims"],
    [await raw({ role: "postgres", exp: user.exp }), "claims"],
    [await raw({ role: ["anon"], exp: user.exp }), "claims"],
  ];
  for (const [token, fault] of cases)
    expect([token.slice(0, 20), await ring.check(token)]).toEqual([
      token.slice(0, 20),
      { ok: false, fault },
    ]);
  expect(await ring.check(good)).toEqual({ ok: true, claims: user });
});

test("KEY-7 the public key of an installation is refused too when it has expired, or is changed", async () => {
  let now = NOW;
  const material = materialOfSecret(SECRET);
  const signer = await createKeyRing(material, clock);
  const anonKey = await signer.sign({ role: "anon", iat: NOW / 1000, exp: NOW / 1000 + 60 });
  const ring = await createKeyRing(material, () => now, { anonKey });
  expect(ring.anonKey).toBe(anonKey);
  expect((await ring.check(anonKey)).ok).toBe(true);
  expect((await ring.check(`${anonKey}A`)).ok).toBe(false);
  now += 60_000;
  expect(await ring.check(anonKey)).toEqual({ ok: false, fault: "expired" });
});

test("KEY-7 a key of another kind cannot be used to forge: HS256 by the public key", async () => {
  const key = await makeKey("RS256", "k1");
  const ring = await createKeyRing(
    await materialOf({ GOTRUE_JWT_KEYS: JSON.stringify([key]) }),
    clock,
  );
  const secret = new TextEncoder().encode(JSON.stringify(ring.jwks().keys[0]));
  const forged = await new SignJWT({ ...user })
    .setProtectedHeader({ alg: "HS256", kid: "k1" })
    .sign(secret);
  expect(await ring.check(forged)).toEqual({ ok: false, fault: "signature" });
});

test("KEY-1 with GOTRUE_JWT_SECRET the generated secret stays in keys.json for later", async () => {
  const dataDir = mkdtempSync(join(folder, "data-"));
  const database = await openSqlite(join(dataDir, "inkpool.db"));
  const open = (material: KeyMaterial | null) => openKeys({ dataDir, material, database, clock });
  const file = (): unknown => JSON.parse(readFileSync(join(dataDir, "keys.json"), "utf8"));
  const own = await open(null);
  const { jwtSecret } = file() as { jwtSecret: string };
  const given = await open(materialOfSecret(SECRET));
  expect(given.anonKey).not.toBe(own.anonKey);
  expect(file()).toEqual({ jwtSecret, anonKey: given.anonKey, serviceKey: given.serviceKey });
  expect((await open(null)).anonKey).toBe(own.anonKey);
  await database.close();
});

test("SRV-8 a secret in keys.json that is missing or can be guessed is a fault, and the file stays", async () => {
  const dataDir = mkdtempSync(join(folder, "data-"));
  const database = await openSqlite(join(dataDir, "inkpool.db"));
  const path = join(dataDir, "keys.json");
  for (const [content, wrong] of [
    [
      {},
      "has no jwtSecret; expected the secret of this installation, or GOTRUE_JWT_SECRET as it was",
    ],
    [{ anonKey: "a", serviceKey: "b" }, "has no jwtSecret; expected"],
    [
      { jwtSecret: "abcdefghijklmnopqrstuvwxyz01234" },
      "has a jwtSecret that can be guessed; expected at least 32 random characters",
    ],
    [{ jwtSecret: "secret".repeat(20) }, "has a jwtSecret that can be guessed; expected"],
  ] as const) {
    writeFileSync(path, JSON.stringify(content));
    const opened = openKeys({ dataDir, material: null, database, clock });
    const fault: unknown = await opened.catch((error: unknown) => error);
    expect([content, fault]).toEqual([content, expect.any(StartFault)]);
    expect((fault as StartFault).message).toContain(`DATA_DIR: ${path} ${wrong}`);
    expect((fault as StartFault).message).toContain("(remove the file to make new keys)");
    expect(readFileSync(path, "utf8")).toBe(JSON.stringify(content));
  }
  await database.close();
});
