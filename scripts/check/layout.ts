/** The table of folders in ARCHITECTURE.md: the contents of each folder, and the allowed imports of its sources. */

import { posix } from "node:path";
import { type Node, parse } from "../syntax.ts";

/** One import. `to` is a path relative to the root, or the name of a package. */
export interface Edge {
  readonly from: string;
  readonly to: string;
  readonly package: boolean;
}

export interface Row {
  /** The folder, relative to the root, with a slash at its end: `web/canvas/scene/`. */
  readonly folder: string;
  /** Whether the row covers the folders below as well: `bench/**`. */
  readonly deep: boolean;
  readonly owns: string;
  /** The allowed imports: folders (`board/`, `testing/**`), files (`server/storage/port.ts`) and packages. */
  readonly may: readonly string[];
}

/** The folders whose sources have to be in the table. */
export const TOPS = ["board", "web", "server", "testing", "scripts", "lab", "bench", "e2e", "docs"];
/** Largest number of sources in one folder, tests not counted. `board/` is one flat folder on purpose. */
const MAX_SOURCES = 14;

const HEADING = /^\| folder \| what it owns \| what it may import \|$/;

/**
 * Reads the table. A folder or file in the last column that does not begin with a folder of the
 * root lies beside the row's own folder.
 * @param text The text of ARCHITECTURE.md.
 */
export function readLayout(text: string): { rows: Row[]; problems: string[] } {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => HEADING.test(line));
  if (start < 0) return { rows: [], problems: ["ARCHITECTURE.md has no table of folders"] };
  const rows: Row[] = [];
  const problems: string[] = [];
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

function resolve(folder: string, item: string) {
  const isPath = item.includes("/") && !item.startsWith("@");
  if (!isPath || TOPS.includes(item.split("/")[0] ?? "")) return item;
  return posix.join(posix.dirname(folder), item);
}

/** Returns the row of a file; undefined where the table has none. */
export function rowOf(rows: readonly Row[], path: string) {
  const folder = `${posix.dirname(path)}/`;
  return (
    rows.find((row) => row.folder === folder) ??
    rows.find((row) => row.deep && folder.startsWith(row.folder))
  );
}

/** Whether an item of the last column covers an import. */
export function covers(item: string, edge: Edge) {
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
 * @param sources Without tests.
 * @param edges Those of the sources.
 */
export function checkLayout(
  rows: readonly Row[],
  sources: readonly string[],
  edges: readonly Edge[],
): string[] {
  const sizes: Map<string, number> = new Map();
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

/** Returns permissions of the table that lead back to where they began. */
function backward(rows: readonly Row[]) {
  const level = levelsOf(rows);
  return rows
    .filter((row) => level.get(row.folder) === undefined)
    .map((row) => `what ${row.folder} may import leads back to it`);
}

/**
 * Finds the statements of a port that run or load something: a port has only types.
 * @param path Of a `port.ts`.
 * @param source Its text.
 */
export function checkPort(path: string, source: string): string[] {
  const { body } = parse(path, source).program;
  return body
    .filter((node) => !isOfTypes(node))
    .map((node) => {
      const [line = ""] = source.slice(node.start, node.end).split("\n");
      return `${path} is a port, but has more than types: ${line}`;
    });
}

function isOfTypes(node: Node) {
  switch (node.type) {
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
      return true;
    case "ImportDeclaration":
      return node.importKind === "type";
    case "ExportAllDeclaration":
    case "ExportNamedDeclaration":
      return node.exportKind === "type";
    default:
      return false;
  }
}

/** Terms that begin with a folder's name and mean another thing without it. */
const TERMS = /^(?:device-copy|sync-client)\b/;

/**
 * Finds the files whose names repeat their folder's name, in the singular too. React components may: `<HistoryPanel>`
 * is read where no folder precedes it, and its file has its name.
 */
export function checkNames(paths: readonly string[]): string[] {
  return paths
    .filter((path) => {
      const [folder = "", name = ""] = path.split("/").slice(-2);
      if (name.endsWith(".tsx") || TERMS.test(name)) return false;
      const said = [folder, folder.replace(/s$/, ""), folder.replace(/ies$/, "y")];
      return said.some((one) => name.startsWith(`${one}-`));
    })
    .map((path) => `${path} repeats the name of its folder`);
}

/**
 * The level of each folder: 0 imports no other folder. A folder on a circle has none. A port of the last column
 * counts as a place of its own, since it has only types; another file counts as its folder.
 */
export function levelsOf(rows: readonly Row[]): Map<string, number> {
  const levels: Map<string, number> = new Map();
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

function leadsTo(item: string, row: Row) {
  if (item.endsWith("/**")) return row.folder.startsWith(item.slice(0, -2));
  return item === row.folder || (isFile(item) && `${posix.dirname(item)}/` === row.folder);
}

/** Whether an item of the last column is a file with code that runs. */
const isFile = (item: string) => /\/[\w-]+\.tsx?$/.test(item) && !isPort(item);

export const isPort = (path: string): boolean => posix.basename(path) === "port.ts";

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

/** Draws each group of folders as one line, the folders that import no other first. */
export function draw(rows: readonly Row[]): string {
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
                  !isPort(item),
              )?.folder ?? item,
          ),
      })),
    );
    const steps: string[][] = [];
    for (const row of inside) {
      const name = row.folder === group ? "its own files" : row.folder.slice(group.length, -1);
      (steps[levels.get(row.folder) ?? 0] ??= []).push(name);
    }
    return `${group.padEnd(17)}${steps.map((step) => step.join(" ")).join(" <- ")}`;
  });
  return ["```text", ...groups, "```"].join("\n");
}
