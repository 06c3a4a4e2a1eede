import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { onBothDatabases, runHostLink } from "../../testing/servers/board-host.ts";
import { ensureLinks } from "../access/links.ts";
import { createLogger } from "../process/log.ts";
import { parseSettings } from "../settings/settings.ts";
import { openDatabase } from "../storage/setup/open.ts";

const NONE = "host-link: there are no links yet; start the server on this database once\n";

await onBothDatabases("what the command says without links", (makeEnv) => {
  test("HOST-2 the command tells a database without links from one that cannot be read", async () => {
    const env = await makeEnv();
    const dataDir = mkdtempSync(join(tmpdir(), "inkpool-host-link-"));
    const parsed = parseSettings({ DATA_DIR: dataDir, ...env }, "/");
    if (!parsed.ok) throw new Error(parsed.problems.join());
    const log = createLogger("error", () => {}, Date.now);
    const database = await openDatabase(parsed.settings, log);
    const run = (...args: string[]) => runHostLink({ dataDir, port: 1 }, args, env);
    expect(await run()).toEqual({ code: 1, stdout: "", stderr: NONE });
    await ensureLinks(database, "a key");
    await database.query("delete from inkpool_keys");
    expect(await run()).toEqual({ code: 1, stdout: "", stderr: NONE });
    await database.query("alter table inkpool_keys rename column value to content");
    for (const args of [[], ["--renew"]])
      expect(await run(...args)).toEqual({
        code: 1,
        stdout: "",
        stderr: expect.stringMatching(/^host-link: .*\bcolumn\b.*\bvalue\b.*\n$/),
      });
    await database.close();
    rmSync(dataDir, { recursive: true, force: true });
  }, 60_000);
});

test("HOST-2 an unknown option ends the command with 2", async () => {
  expect((await runHostLink({ dataDir: tmpdir(), port: 1 }, ["--nonsense"])).code).toBe(2);
});

test("HOST-2 a folder without a database is named", async () => {
  const dataDir = join(tmpdir(), "inkpool-no-such-folder");
  expect(await runHostLink({ dataDir, port: 1 }, [])).toEqual({
    code: 1,
    stdout: "",
    stderr: `host-link: there is no database in ${JSON.stringify(dataDir)}; expected DATA_DIR to name the server's folder\n`,
  });
});

test("HOST-2 a database that cannot be opened is named", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "inkpool-host-link-"));
  mkdirSync(join(dataDir, "inkpool.db"));
  expect(await runHostLink({ dataDir, port: 1 }, [])).toEqual({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/^host-link: DATA_DIR: \S+inkpool\.db cannot be opened.*\n$/),
  });
  rmSync(dataDir, { recursive: true });
});
