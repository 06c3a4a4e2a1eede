import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { backUp } from "./backup/backup.ts";
import { lockDataDir, prepareDataDir } from "./data-dir.ts";
import { StartFault } from "./process/start-fault.ts";

const folder = mkdtempSync(join(tmpdir(), "inkpool-data-dir-"));
const mask = process.umask();
afterAll(() => {
  process.umask(mask);
  rmSync(folder, { recursive: true, force: true });
});

/** Expects the fault that a start prints as one line. */
function expectFault(work: () => void, message: string): void {
  expect(work).toThrow(StartFault);
  expect(work).toThrow(new Error(message));
}

test("SRV-8 a DATA_DIR that cannot be written: one line that says so", () => {
  const file = join(folder, "file");
  writeFileSync(file, "");
  const under = join(file, "data");
  expectFault(
    () => prepareDataDir(under),
    `DATA_DIR "${under}" is not writable (ENOTDIR); expected a folder that this process may write`,
  );
});

test.runIf(process.platform === "linux")(
  "SRV-8 a folder below /proc, which the system makes for nobody, ends the start and a backup with one line",
  async () => {
    expectFault(
      () => prepareDataDir("/proc/none/data"),
      'DATA_DIR "/proc/none/data" is not writable (ENOENT); expected a folder that this process may write',
    );
    await expect(backUp({ databaseUrl: null, dataDir: "/proc" }, "/proc/none/b")).rejects.toThrow(
      "ENOENT",
    );
  },
);

test("SRV-8 a DATA_DIR whose lock cannot be opened, such as another user's: the line names the file", () => {
  const dataDir = join(folder, "data");
  const lock = join(dataDir, "inkpool.lock");
  mkdirSync(lock, { recursive: true });
  expectFault(
    () => lockDataDir(dataDir),
    `DATA_DIR: ${lock} cannot be locked (SQLITE_CANTOPEN); expected a file that this process may write`,
  );
});
