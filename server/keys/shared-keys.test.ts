/** Tests the keys of processes that share a PostgreSQL database. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openTestPostgres } from "../../testing/servers/postgres.ts";
import { createLogger } from "../process/log.ts";
import { openPostgres } from "../storage/postgres/open.ts";
import { openSqlite } from "../storage/sqlite/open.ts";
import { openKeys } from "./open.ts";
import type { Claims } from "./port.ts";
import { installationName } from "./stored.ts";

const NOW = Date.UTC(2026, 10, 21);
const clock = (): number => NOW;
const folder = mkdtempSync(join(tmpdir(), "inkpool-keys-"));
const found = await openTestPostgres();

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  if (found.ok) await found.postgres.stop();
});

const user: Claims = {
  role: "authenticated",
  sub: "8d2b4c1e-0000-4000-8000-000000000001",
  iat: NOW / 1000,
  exp: NOW / 1000 + 3600,
};

test.skipIf(!found.ok)(
  `CLU-2 all processes of one PostgreSQL database have one name, those of another one another${found.ok ? "" : ` (${found.reason})`}`,
  async () => {
    if (!found.ok) throw new Error(found.reason);
    const log = createLogger("error", () => {}, Date.now);
    const urls = [await found.postgres.createDatabase(), await found.postgres.createDatabase()];
    const names = await Promise.all(
      [0, 0, 1].map(async (n) => {
        const database = await openPostgres(urls[n]!, log);
        const name = await installationName(database);
        await database.close();
        return name;
      }),
    );
    expect(names[0]).toMatch(/^[\da-f]{12}$/);
    expect(names[1]).toBe(names[0]);
    expect(names[2]).not.toBe(names[0]);
  },
);

test.skipIf(!found.ok)(
  `KEY-10 the keys stay when the installation moves to PostgreSQL, and a database that has keys keeps them${found.ok ? "" : ` (${found.reason})`}`,
  async () => {
    if (!found.ok) throw new Error(found.reason);
    const log = createLogger("error", () => {}, Date.now);
    const dataDir = (): string => mkdtempSync(join(folder, "data-"));
    const [moved, other] = [dataDir(), dataDir()];
    const sqlite = await openSqlite(join(moved, "test.db"));
    const embedded = await openKeys({ dataDir: moved, material: null, database: sqlite, clock });
    await openKeys({ dataDir: other, material: null, database: sqlite, clock });
    await sqlite.close();
    const weak = dataDir();
    writeFileSync(join(weak, "keys.json"), '{"jwtSecret":"secret"}');
    for (const first of [moved, weak]) {
      const database = await openPostgres(await found.postgres.createDatabase(), log);
      const keysOf = async (from: string): Promise<string> =>
        (await openKeys({ dataDir: from, material: null, database, clock })).anonKey;
      const key = await keysOf(first);
      expect(key === embedded.anonKey).toBe(first === moved);
      expect(await keysOf(other)).toBe(key);
      await database.close();
    }
  },
);

test.skipIf(!found.ok)(
  `KEY-10 processes that share a PostgreSQL database share the secret, also when they start at once${found.ok ? "" : ` (${found.reason})`}`,
  async () => {
    if (!found.ok) throw new Error(found.reason);
    const url = await found.postgres.createDatabase();
    const log = createLogger("error", () => {}, Date.now);
    const rings = await Promise.all(
      [1, 2, 3].map(async () => {
        const database = await openPostgres(url, log);
        const dataDir = mkdtempSync(join(folder, "data-"));
        const ring = await openKeys({ dataDir, material: null, database, clock });
        await database.close();
        return ring;
      }),
    );
    expect(new Set(rings.map(({ anonKey }) => anonKey)).size).toBe(1);
    const [one, two] = rings;
    expect(await two?.check((await one?.sign(user)) ?? "")).toEqual({ ok: true, claims: user });
    const database = await openPostgres(url, log);
    for (const role of ["anon", "authenticated", "service_role"] as const)
      await expect(
        database.transaction((tx) => tx.query("select * from inkpool_keys"), {
          role,
          claims: "{}",
        }),
      ).rejects.toMatchObject({ code: "42501" });
    await database.query("update inkpool_keys set value = 'a secret'");
    const dataDir = mkdtempSync(join(folder, "data-"));
    await expect(openKeys({ dataDir, material: null, database, clock })).rejects.toThrow(
      "DATABASE_URL: the table inkpool_keys has a jwt_secret that can be guessed; expected",
    );
    await database.close();
  },
);
