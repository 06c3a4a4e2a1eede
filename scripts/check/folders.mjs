/**
 * Prints how the folders inside a folder import each other, `node scripts/check/folders.mjs [FOLDER ...]`: levels, arrows
 * with their number of imports, arrows that run back, and source files without tests. Files in FOLDER itself are its root.
 * An import of a port, which has types alone, is no arrow.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../root.mjs";
import { importsOf, sourceFiles } from "./imports.mjs";
import { isMain } from "./report.mjs";

/** A folder, one that it imports, and the number of imports. @typedef {{ from: string, to: string, imports: number }} Arrow */

/** The folders that are measured when none is named. */
const MEASURED = ["web/canvas", "web/sync", "web/ui", "server", "testing"];

/** The name of the root: files that lie in the measured folder itself. */
const TOP = ".";

/** The folders directly inside a folder, and the imports between them. @param {string} folder */
function measure(folder) {
  /** @param {string} path */
  const folderOf = (path) => {
    const [first = "", ...rest] = path.slice(folder.length + 1).split("/");
    return rest.length > 0 ? first : TOP;
  };
  const files = sourceFiles(ROOT, [folder]).filter(
    (path) => !/\.(?:test|spec|case)\.tsx?$/.test(path),
  );
  /** @type {Map<string, number>} */
  const sizes = new Map();
  /** @type {Map<string, Arrow>} */
  const arrows = new Map();
  for (const file of files) {
    const from = folderOf(file);
    sizes.set(from, (sizes.get(from) ?? 0) + 1);
    for (const edge of importsOf(file, readFileSync(join(ROOT, file), "utf8"))) {
      if (edge.package || !edge.to.startsWith(`${folder}/`) || edge.to.endsWith("/port.ts"))
        continue;
      const to = folderOf(edge.to);
      const arrow = arrows.get(`${from} ${to}`) ?? { from, to, imports: 0 };
      arrow.imports++;
      if (from !== to) arrows.set(`${from} ${to}`, arrow);
    }
  }
  return { sizes, arrows: [...arrows.values()] };
}

/**
 * Puts each folder one level above the highest that it imports. An arrow that would close a circle runs back and does
 * not count.
 *
 * @param {Iterable<string>} folders
 * @param {readonly Arrow[]} arrows
 */
function levelsOf(folders, arrows) {
  /** @type {Map<string, number>} */
  const levels = new Map();
  /** @type {Set<Arrow>} */
  const back = new Set();
  /** @param {string} folder @param {readonly string[]} path @returns {number} */
  const visit = (folder, path) => {
    const known = levels.get(folder);
    if (known !== undefined) return known;
    let level = 0;
    for (const arrow of arrows.filter(({ from }) => from === folder)) {
      if (arrow.to === folder || path.includes(arrow.to)) back.add(arrow);
      else level = Math.max(level, visit(arrow.to, [...path, folder]) + 1);
    }
    levels.set(folder, level);
    return level;
  };
  for (const folder of folders) visit(folder, []);
  return { levels, back };
}

/** Prints what was measured of one folder. @param {string} folder */
function print(folder) {
  const { sizes, arrows } = measure(folder);
  const { levels, back } = levelsOf(sizes.keys(), arrows);
  const height = Math.max(0, ...levels.values()) + 1;
  const files = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  console.log(
    `${folder}: ${files} files, ${sizes.size} folders, ${height} levels, ${arrows.length} arrows, ${back.size} back`,
  );
  const upwards = [...sizes].sort(([a], [b]) => (levels.get(a) ?? 0) - (levels.get(b) ?? 0));
  for (const [name, size] of upwards) {
    const own = arrows.filter(({ from }) => from === name);
    const targets = own.map((one) => `${one.to} ${one.imports}${back.has(one) ? " (back)" : ""}`);
    const imports = targets.length > 0 ? ` -> ${targets.join(", ")}` : "";
    console.log(`  level ${levels.get(name)}  ${name}  ${size} files${imports}`);
  }
}

if (isMain(import.meta.url)) {
  const named = process.argv.slice(2).map((name) => name.replace(/\/+$/, ""));
  for (const folder of named.length > 0 ? named : MEASURED) print(folder);
}
