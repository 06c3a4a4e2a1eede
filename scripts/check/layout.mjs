/** The table of folders in ARCHITECTURE.md: which folder owns what, and what its sources may import. */

import { posix } from "node:path";

/**
 * @typedef {object} Row
 * @property {string} folder Relative to the root, with a slash at its end: `web/canvas/scene/`.
 * @property {boolean} deep Whether the row covers the folders below as well: `bench/**`.
 * @property {string} owns
 * @property {readonly string[]} may Folders (`board/`, `testing/**`), files (`server/storage/port.ts`) and packages.
 */

/** The folders whose sources have to be in the table. */
export const TOPS = ["board", "web", "server", "testing", "scripts", "lab", "bench", "e2e"];
/** Largest number of sources in one folder, tests not counted. `board/` is one flat folder on purpose. */
const MAX_SOURCES = 14;

const HEADING = /^\| folder \| what it owns \| what it may import \|$/;

/**
 * Reads the table. A folder or file in the last column that does not begin with a folder of the
 * root lies beside the row's own folder.
 *
 * @param {string} text The text of ARCHITECTURE.md.
 * @returns {{ rows: Row[], problems: string[] }}
 */
export function readLayout(text) {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => HEADING.test(line));
  if (start < 0) return { rows: [], problems: ["ARCHITECTURE.md has no table of folders"] };
  /** @type {Row[]} */
  const rows = [];
  /** @type {string[]} */
  const problems = [];
  for (const line of lines.slice(start + 2)) {
    if (!line.startsWith("|")) break;
    const [name = "", owns = "", may = ""] = line
      .split("|")
      .slice(1, 4)
      .map((cell) => cell.replaceAll("`", "").trim());
    if (owns === "" || may === "") problems.push(`the row of ${name} has an empty cell`);
    const folder = name.replace(/\*\*$/, "");
    if (rows.some((row) => row.folder === folder)) problems.push(`${name} has two rows`);
    rows.push({
      folder,
      deep: name.endsWith("**"),
      owns,
      may: may === "nothing" ? [] : may.split(/,\s*/).map((item) => resolve(folder, item)),
    });
  }
  return { rows, problems };
}

/** @param {string} folder @param {string} item */
function resolve(folder, item) {
  const isPath = item.includes("/") && !item.startsWith("@");
  if (!isPath || TOPS.includes(item.split("/")[0] ?? "")) return item;
  return posix.join(posix.dirname(folder), item);
}

/** The row of a file; undefined where the table has none. @param {readonly Row[]} rows @param {string} path */
export function rowOf(rows, path) {
  const folder = `${posix.dirname(path)}/`;
  return (
    rows.find((row) => row.folder === folder) ??
    rows.find((row) => row.deep && folder.startsWith(row.folder))
  );
}

/** Whether an item of the last column covers an import. @param {string} item @param {import("./imports.mjs").Edge} edge */
export function covers(item, edge) {
  if (edge.package)
    return item === "node:*"
      ? edge.to.startsWith("node:")
      : edge.to === item || edge.to.startsWith(`${item}/`);
  if (item.endsWith("/**")) return edge.to.startsWith(item.slice(0, -2));
  return item.endsWith("/") ? `${posix.dirname(edge.to)}/` === item : edge.to === item;
}

/**
 * Compares the table with the sources: each folder has a row and at most 14 sources, each
 * permission is used, and permissions run one way.
 *
 * @param {readonly Row[]} rows
 * @param {readonly string[]} sources Without tests.
 * @param {readonly import("./imports.mjs").Edge[]} edges Those of the sources.
 * @returns {string[]}
 */
export function checkLayout(rows, sources, edges) {
  /** @type {Map<string, number>} */
  const sizes = new Map();
  for (const path of sources) {
    const folder = `${posix.dirname(path)}/`;
    sizes.set(folder, (sizes.get(folder) ?? 0) + 1);
  }
  const problems = [];
  for (const [folder, size] of sizes) {
    if (rowOf(rows, `${folder}x.ts`) === undefined)
      problems.push(`${folder} has no row in ARCHITECTURE's table`);
    if (size > MAX_SOURCES && folder !== "board/")
      problems.push(`${folder} has ${size} sources, more than ${MAX_SOURCES}`);
  }
  for (const row of rows) {
    const own = edges.filter((edge) => rowOf(rows, edge.from) === row);
    if (![...sizes.keys()].some((folder) => rowOf(rows, `${folder}x.ts`) === row))
      problems.push(`${row.folder} has a row, but no sources`);
    for (const item of row.may)
      if (!own.some((edge) => covers(item, edge)))
        problems.push(`${row.folder} may import ${item}, but does not`);
  }
  return [...problems, ...backward(rows)];
}

/** Permissions of the table that lead back to where they began. @param {readonly Row[]} rows */
function backward(rows) {
  const level = levelsOf(rows);
  return rows
    .filter((row) => level.get(row.folder) === undefined)
    .map((row) => `what ${row.folder} may import leads back to it`);
}

/**
 * The level of each folder: 0 imports no other folder. A folder on a circle has none. A file of the
 * last column, such as a port, counts as a place of its own: it has types alone.
 *
 * @param {readonly Row[]} rows
 * @returns {Map<string, number>}
 */
export function levelsOf(rows) {
  /** @type {Map<string, number>} */
  const levels = new Map();
  for (let found = true; found;) {
    found = false;
    for (const row of rows) {
      if (levels.has(row.folder)) continue;
      const below = rows.filter(
        (other) => other !== row && row.may.some((item) => leadsTo(item, other)),
      );
      const known = below.map((other) => levels.get(other.folder));
      if (known.includes(undefined)) continue;
      levels.set(row.folder, 1 + Math.max(-1, ...known.map((value) => value ?? 0)));
      found = true;
    }
  }
  return levels;
}

/** @param {string} item @param {Row} row */
function leadsTo(item, row) {
  return item.endsWith("/**") ? row.folder.startsWith(item.slice(0, -2)) : item === row.folder;
}

/** The folders that the drawing shows from the inside. */
const DRAWN = [
  "web/",
  "web/canvas/",
  "web/sync/",
  "web/ui/",
  "server/",
  "server/storage/",
  "server/table/",
  "server/realtime/",
  "server/auth/",
];

/**
 * Draws each group of folders as one line, the folders that import no other first.
 *
 * @param {readonly Row[]} rows
 * @returns {string}
 */
export function draw(rows) {
  const groups = DRAWN.map((group) => {
    const inside = rows.filter(
      (row) =>
        row.folder.startsWith(group) &&
        (row.folder === group || !row.folder.slice(group.length, -1).includes("/")),
    );
    const levels = levelsOf(
      inside.map((row) => ({
        ...row,
        // A folder below imports for the one above it: `web/` shows what all of `web/ui/` may import.
        may: rows
          .filter(
            (other) =>
              other.folder === row.folder ||
              (row.folder !== group && other.folder.startsWith(row.folder)),
          )
          .flatMap(({ may }) => may)
          .map(
            (item) =>
              inside.find(
                (one) =>
                  one.folder !== group &&
                  one !== row &&
                  item.startsWith(one.folder) &&
                  !item.endsWith("/port.ts"),
              )?.folder ?? item,
          ),
      })),
    );
    /** @type {string[][]} */
    const steps = [];
    for (const row of inside) {
      const name = row.folder === group ? "its own files" : row.folder.slice(group.length, -1);
      (steps[levels.get(row.folder) ?? 0] ??= []).push(name);
    }
    return `${group.padEnd(17)}${steps.map((step) => step.join(" ")).join(" <- ")}`;
  });
  return ["```text", ...groups, "```"].join("\n");
}
