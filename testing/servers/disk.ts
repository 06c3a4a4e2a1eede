/** Makes a separate file system, which a test may fill. */

import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";

/** Whether a file system can be mounted: only root may, and only where the kernel allows it. */
export const canMount = ((): boolean => {
  try {
    const folder = mount(1024 * 1024);
    unmount(folder);
    return true;
  } catch {
    return false;
  }
})();

/** The end of the name of a test that needs `mountDisk`. */
export const noMount = canMount ? "" : " (this user cannot mount a file system)";

/** Returns the folder of an empty disk of so many bytes, which is removed with the test. */
export function mountDisk(bytes: number): string {
  const folder = mount(bytes);
  onTestFinished(() => unmount(folder));
  return folder;
}

function mount(bytes: number): string {
  const folder = mkdtempSync(join(tmpdir(), "inkpool-disk-"));
  try {
    const options = ["-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", folder];
    execFileSync("mount", options, { stdio: "ignore" });
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw error;
  }
  return folder;
}

function unmount(folder: string): void {
  // It is detached immediately: a file of it may still be open in a thread that is just ending.
  execFileSync("umount", ["--lazy", folder]);
  rmSync(folder, { recursive: true });
}

/** Fills all free space. Returns a function that frees it. */
export function fillDisk(folder: string): () => void {
  const path = join(folder, "filler");
  const file = openSync(path, "w");
  const page = Buffer.alloc(4096, 1);
  expect(() => {
    for (;;) writeSync(file, page);
  }).toThrow("ENOSPC");
  closeSync(file);
  return () => rmSync(path);
}
