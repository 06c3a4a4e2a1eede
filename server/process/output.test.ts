import { spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { canMount, mountDisk, noMount } from "../../testing/servers/disk.ts";
import { openAccess } from "../access/access.ts";
import { openKeys } from "../keys/open.ts";
import { parseSettings } from "../settings/settings.ts";
import { openDatabase } from "../storage/setup/open.ts";
import { createLogger } from "./log.ts";

/** The device whose every write fails for lack of space. */
const FULL = "/dev/full";

test.skipIf(!existsSync(FULL))(
  `STO-19 a command whose output has no space ends with one line and exit code 1${existsSync(FULL) ? "" : ` (no ${FULL})`}`,
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "inkpool-output-"));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const parsed = parseSettings({ DATA_DIR: dataDir }, "/");
    if (!parsed.ok) throw new Error(parsed.problems.join());
    const log = createLogger("error", () => {}, Date.now);
    const database = await openDatabase(parsed.settings, log);
    await openKeys({ dataDir, material: null, database, clock: Date.now });
    const access = await openAccess({ env: {}, dataDir, database, lock: false });
    access.stop();
    await database.close();
    const { PATH = "" } = process.env;
    const env = { PATH, DATA_DIR: dataDir };
    for (const [name, ...args] of [
      ["host-link"],
      ["backup", "backup", join(dataDir, "copy")],
      ["history", "list"],
    ] as const) {
      const url = new URL(`../../dist/server/server/${name}/main.js`, import.meta.url);
      const full = openSync(FULL, "w");
      const stdio: ["ignore", number, "pipe"] = ["ignore", full, "pipe"];
      const call = [fileURLToPath(url), ...args];
      const { status, stderr } = spawnSync(process.execPath, call, { env, stdio });
      closeSync(full);
      expect([status, String(stderr)]).toEqual([
        1,
        `${name}: ENOSPC: no space left on device, write\n`,
      ]);
    }
  },
  60_000,
);

test.skipIf(!canMount)(
  `STO-19 a disk that becomes full amid the output ends a command with exit code 1${noMount}`,
  () => {
    const file = openSync(join(mountDisk(1_000_000), "drawing.json"), "w");
    const module = new URL("../../dist/server/server/process/output.js", import.meta.url);
    const script = `import { writeOut } from "${module.href}"; await writeOut("é".repeat(1e6));`;
    const call = ["--input-type=module", "-e", script];
    const { status, stderr } = spawnSync(process.execPath, call, {
      stdio: ["ignore", file, "pipe"],
    });
    closeSync(file);
    expect([status, String(stderr)]).toEqual([1, expect.stringContaining("ENOSPC")]);
  },
);
