/**
 * Prints how the folders inside a folder import each other, `npx tsx scripts/check/folders.ts [FOLDER ...]`: levels, arrows
 * with their number of imports, arrows that run back, and source files without tests. Files in FOLDER itself are its root.
 * An import of a port, which has types alone, is no arrow.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../root.mjs";
import { importsOf, sourceFiles } from "./imports.ts";
import { isMain } from "../report.ts";

/** A folder, one that it imports, and the number of imports. */
interface Arrow {
  readonly from: string;
  readonly to: string;
  imports: number;
}

/** The folders that are measured when none is named. */
const MEASURED = ["web/canvas", "web/sync", "web/ui", "server", "testing", "lab", "bench", "e2e"];

/** The name of the root: files that lie in the measured folder itself. */
const TOP = ".";

/** Returns the folders directly inside a folder, and the imports between them. */
function measure(folder: string) {
  const folderOf = (path: string) => {
    const [first = "", ...rest] = path.slice(folder.length + 1).split("/");
    return rest.length > 0 ? first : TOP;
  };
  const files = sourceFiles(ROOT, [folder]).filter(
    (path) => !/\.(?:test|spec|case)\.tsx?$/.test(path),
  );
  const sizes: Map<string, number> = new Map();
  const arrows: Map<string, Arrow> = new Map();
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
 */
function levelsOf(folders: Iterable<string>, arrows: readonly Arrow[]) {
  const levels: Map<string, number> = new Map();
  const back: Set<Arrow> = new Set();
  const visit = (folder: string, path: readonly string[]): number => {
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

/** Prints the measurements of one folder. */
function print(folder: string) {
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
