import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Makes the folder of the databases that `borrowDatabase` lends, as Vitest's globalSetup: a process of Vitest ends
 * without removing its own.
 */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "inkpool-databases-"));
  process.env["TEST_DATABASES"] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
