/** A lock across processes: two starts on a fresh clone must not install and build at the same time. */

import { existsSync } from "node:fs";
import { mkdir, open, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { dirname } from "node:path";

/** Milliseconds between two signs of life of a holder. */
const BEAT = 2000;
/** Milliseconds after which a holder that did not touch its lock counts as dead, on whatever machine it ran. */
const STALE = 30_000;
/** Milliseconds between two attempts. */
const RETRY = 150;

/** A set-up that failed; its message is for the person who started it. */
export class SetupFailure extends Error {}

/**
 * Runs `work` while this process holds the lock file. A holder that died loses it.
 *
 * @template T
 * @param {string} path
 * @param {() => Promise<T>} work
 * @param {() => void} [onWait] Called once when somebody else holds it.
 * @returns {Promise<T>}
 * @throws {SetupFailure} when the lock file cannot be made.
 */
export async function withLock(path, work, onWait = () => {}) {
  let isWaiting = false;
  while (!(await take(path))) {
    if (!isWaiting) onWait();
    isWaiting = true;
    await new Promise((resolve) => setTimeout(resolve, RETRY));
  }
  const beat = setInterval(() => void utimes(path, new Date(), new Date()).catch(() => {}), BEAT);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    await rm(path, { force: true });
  }
}

/** @param {string} path */
async function take(path) {
  const folder = dirname(path);
  try {
    if (!existsSync(folder)) await mkdir(folder, { recursive: true });
    const file = await open(path, "wx");
    await file.writeFile(String(process.pid));
    await file.close();
    return true;
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code !== "EEXIST")
      throw new SetupFailure(
        `something has to be installed or built, and ${folder} cannot be written (${code}); run npm run build as its owner`,
      );
  }
  if (await isAbandoned(path)) {
    // Only one process succeeds in renaming; the renamed file is checked again, since the lock may have changed its
    // holder meanwhile.
    const aside = `${path}.${process.pid}`;
    const moved = await rename(path, aside).then(
      () => true,
      () => false,
    );
    if (moved && !(await isAbandoned(aside))) await rename(aside, path).catch(() => {});
    await rm(aside, { force: true });
  }
  return false;
}

/** @param {string} path */
async function isAbandoned(path) {
  const [text, info] = await Promise.all([
    readFile(path, "utf8").catch(() => null),
    stat(path).catch(() => null),
  ]);
  if (text === null || info === null) return false;
  if (Date.now() - info.mtimeMs > STALE) return true;
  const pid = Number(text);
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "ESRCH";
  }
}
