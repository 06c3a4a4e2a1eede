/** Tells whether a build is older than its sources, by content and not by time. */

import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Matches files that are never part of a build. */
const IGNORED = /\.(?:test|spec)\.tsx?$|\.md$/;

/**
 * Returns a hash over the names and contents of files and folders (recursively, in a fixed order). A missing one
 * counts as empty.
 *
 * @param {string} root
 * @param {readonly string[]} paths Relative to the root.
 */
export function fingerprint(root, paths) {
  const hash = createHash("sha256");
  for (const path of paths) {
    for (const file of files(root, path)) {
      const content = readFileSync(join(root, file));
      hash.update(`${file}\0${content.length}\0`).update(content);
    }
  }
  return hash.digest("hex");
}

/**
 * Yields the files of a path.
 * @param {string} root @param {string} path @returns {Generator<string>}
 */
function* files(root, path) {
  const full = join(root, path);
  if (!existsSync(full)) return;
  if (!statSync(full).isDirectory()) {
    if (!IGNORED.test(path)) yield path;
    return;
  }
  for (const name of readdirSync(full).sort()) {
    if (name !== "node_modules") yield* files(root, `${path}/${name}`);
  }
}
