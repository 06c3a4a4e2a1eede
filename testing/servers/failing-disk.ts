/** A disk that turns read-only by itself, as the disks of most machines do when the kernel finds a fault. */

import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

const BYTES = 256 * 1024 * 1024;
const env = { ...process.env, PATH: `${process.env["PATH"] ?? ""}:/usr/sbin:/sbin` };

export interface FailingDisk {
  readonly folder: string;
  /** Has the kernel find a fault: from now on nothing is written, not even to files that are open. */
  fail(): void;
  /** Checks and remounts it. No process may have a file of it open. */
  repair(): void;
}

/** Whether such a disk can be made: only root may, and only where the kernel has loop devices and ext4. */
export const canFail = ((): boolean => {
  try {
    openDisk().remove();
    return true;
  } catch {
    return false;
  }
})();

/** The end of the name of a test that needs `mountFailingDisk`. */
export const noFailing = canFail ? "" : " (this user cannot mount a disk that fails)";

/** Returns an empty disk of 256 MB, which is removed with the test. */
export function mountFailingDisk(): FailingDisk {
  const { disk, remove } = openDisk();
  onTestFinished(remove);
  return disk;
}

/** Has every write into these files fail, even where they are open, until they are allowed again. */
export function forbidWrites(paths: readonly string[], isForbidden: boolean): void {
  run("chattr", isForbidden ? "+i" : "-i", ...paths);
}

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { env, stdio: "ignore" });
}

function openDisk(): { readonly disk: FailingDisk; readonly remove: () => void } {
  const parent = mkdtempSync(join(tmpdir(), "inkpool-failing-"));
  const [folder, image] = [join(parent, "disk"), join(parent, "image")];
  const mount = (): void => run("mount", "-o", "loop,errors=remount-ro", image, folder);
  const remove = (): void => {
    // It is detached immediately: a file of it may still be open in a thread that is just ending.
    if (deviceOf(folder) !== undefined) run("umount", "--lazy", folder);
    rmSync(parent, { recursive: true });
  };
  try {
    mkdirSync(folder);
    writeFileSync(image, "");
    truncateSync(image, BYTES);
    run("mkfs.ext4", "-q", image);
    mount();
    if (!existsSync(triggerOf(folder))) throw new Error("this kernel cannot have a disk fail");
  } catch (error) {
    remove();
    throw error;
  }
  return {
    remove,
    disk: {
      folder,
      fail: () => writeFileSync(triggerOf(folder), "a test"),
      repair: () => {
        run("umount", folder);
        // The status 1 means that a fault was found and corrected.
        run("sh", "-c", 'fsck.ext4 -p "$0" || [ $? = 1 ]', image);
        mount();
      },
    },
  };
}

/** Returns the loop device that is mounted on a folder, which is never a disk of the machine. */
function deviceOf(folder: string): string | undefined {
  const lines = readFileSync("/proc/mounts", "utf8").split("\n");
  const mounted = lines.find((line) => line.split(" ")[1] === folder);
  return /^\/dev\/(loop\d+) /.exec(mounted ?? "")?.[1];
}

/**
 * Returns the trigger of a folder's disk.
 * @throws Error when no loop device is mounted there
 */
function triggerOf(folder: string): string {
  const device = deviceOf(folder);
  if (device === undefined) throw new Error("no disk is mounted there");
  return `/sys/fs/ext4/${device}/trigger_fs_error`;
}
