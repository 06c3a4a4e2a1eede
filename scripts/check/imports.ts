/**
 * Compares every import of the sources with ARCHITECTURE's table of folders, and finds circles. `--draw` writes the
 * drawing of the folders into ARCHITECTURE.md.
 */

import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { ROOT } from "../root.mjs";
import {
  checkLayout,
  checkNames,
  checkPort,
  covers,
  draw,
  type Edge,
  isPort,
  readLayout,
  type Row,
  rowOf,
  TOPS,
} from "./layout.ts";
import { isMain, report } from "../report.ts";
import { type Node, parse, walk } from "../syntax.ts";

/** Whether a file is part of no build, so that it may import whatever it examines. */
const isTest = (path: string) => /\.(?:test|spec|case)\.tsx?$/.test(path);

/**
 * Returns the imports of one source text: `import` and `export ... from` in all their forms, `import()` in code and
 * in types, and the TypeScript files that `new URL` names, such as a worker's.
 * @param from Its path, relative to the root.
 * @throws {Error} that names the file, when it cannot be parsed
 */
export function importsOf(from: string, source: string): Edge[] {
  const edges: Edge[] = [];
  walk(parse(from, source).program, (node) => {
    const target = targetOf(node);
    if (target === null) return;
    const bare = target.split("?")[0] ?? "";
    edges.push({
      from,
      to: bare.startsWith(".") ? posix.normalize(posix.join(posix.dirname(from), bare)) : bare,
      package: !bare.startsWith("."),
    });
  });
  return edges;
}

/** Returns the target of a node's import; null for a node that imports nothing. */
function targetOf(node: Node) {
  if (
    node.type === "ImportDeclaration" ||
    node.type === "ExportAllDeclaration" ||
    node.type === "ExportNamedDeclaration" ||
    node.type === "ImportExpression" ||
    node.type === "TSImportType"
  )
    return textOf(node.source);
  if (node.type !== "NewExpression" || node.callee.type !== "Identifier") return null;
  const url = node.callee.name === "URL" ? textOf(node.arguments[0]) : null;
  return url !== null && /^\..+\.ts$/.test(url) ? url : null;
}

/** Returns the text of a literal; null for anything else. */
function textOf(node: Node | null | undefined) {
  return node?.type === "Literal" && typeof node.value === "string" ? node.value : null;
}

/** Returns the sources in these folders, relative to the root. */
export const sourceFiles = (root: string, folders: readonly string[] = TOPS): string[] =>
  filesIn(root, folders, /\.(?:tsx?|mjs)$/);

function filesIn(root: string, folders: readonly string[], kind: RegExp): string[] {
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
        .filter((name) => kind.test(name) && !NOT_OURS.test(name)),
    )
    .sort();
}

/** Matches sources with packages of their own, and the small tree that breaks the rules. */
const NOT_OURS = /(?:^|\/)node_modules\/|^bench\/peers\/|^scripts\/check\/canary\//;

/**
 * Checks the imports of a tree.
 * @param root A folder with an ARCHITECTURE.md.
 */
export function checkImports(root: string): { edges: Edge[]; problems: string[] } {
  const { rows, problems } = readLayout(readFileSync(join(root, "ARCHITECTURE.md"), "utf8"));
  const files = sourceFiles(root);
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));
  const edges = [...texts].flatMap(([file, text]) => importsOf(file, text));
  for (const [file, text] of texts) if (isPort(file)) problems.push(...checkPort(file, text));
  for (const edge of edges) {
    if (!edge.package && !existsSync(join(root, edge.to)) && !edge.to.startsWith("dist/"))
      problems.push(`${edge.from} imports ${edge.to}, which does not exist`);
    if (isTest(edge.from)) continue;
    if (!edge.package && isTest(edge.to)) problems.push(`${edge.from} imports the test ${edge.to}`);
    if (!isAllowed(rows, edge)) problems.push(`${edge.from} imports ${edge.to}: ${RULE}`);
  }
  problems.push(...checkNames([...files, ...filesIn(root, TOPS, /\.css$/)]));
  const sources = files.filter((file) => !isTest(file));
  problems.push(
    ...checkLayout(
      rows,
      sources,
      edges.filter((edge) => !isTest(edge.from)),
    ),
  );
  const between = edges.filter((edge) => !isTest(edge.from)).flatMap(betweenFolders);
  return {
    edges,
    problems: [
      ...problems,
      ...cycles(edges, "imports in a circle"),
      ...cycles(between, "folders in a circle"),
    ],
  };
}

const RULE = "ARCHITECTURE's table does not allow it";

function isAllowed(rows: readonly Row[], edge: Edge) {
  const row = rowOf(rows, edge.from);
  if (row === undefined) return true;
  if (!edge.package && (rowOf(rows, edge.to) === row || edge.to.startsWith("dist/"))) return true;
  return row.may.some((item) => covers(item, edge));
}

/**
 * Returns an import as one of a folder by another, those inside a row such as `bench/**` included, which the table
 * does not restrict; empty for an import of a port, which has only types.
 */
function betweenFolders(edge: Edge): Edge[] {
  const [from, to] = [`${posix.dirname(edge.from)}/`, `${posix.dirname(edge.to)}/`];
  return edge.package || isPort(edge.to) || from === to ? [] : [{ from, to, package: false }];
}

/** Finds circles of imports, those of types and of code loaded later included: files that cannot be read one by one. */
function cycles(edges: readonly Edge[], name: string) {
  const next: Map<string, string[]> = new Map();
  for (const edge of edges) {
    if (edge.package) continue;
    next.set(edge.from, [...(next.get(edge.from) ?? []), edge.to]);
  }
  const found: string[] = [];
  const state: Map<string, "open" | "done"> = new Map();
  const visit = (file: string, path: readonly string[]) => {
    if (state.get(file) === "done") return;
    if (state.get(file) === "open") {
      found.push(`${name}: ${[...path.slice(path.indexOf(file)), file].join(" -> ")}`);
      return;
    }
    state.set(file, "open");
    for (const to of next.get(file) ?? []) visit(to, [...path, file]);
    state.set(file, "done");
  };
  for (const file of next.keys()) visit(file, []);
  return found;
}

/**
 * Tests whether the check still sees: the small tree in scripts/check/canary breaks each kind of rule, and each row
 * of the table is shown an import of every other folder and of a package that it does not allow.
 */
export function blindness(rows: readonly Row[]) {
  const { problems } = checkImports(join(ROOT, "scripts/check/canary"));
  const unseen = KINDS.filter((kind) => !problems.some((problem) => problem.includes(kind)));
  const allowed = rows.flatMap((row) =>
    rows
      .map(({ folder }) => ({
        from: `${row.folder}a.ts`,
        to: `${folder}canary.ts`,
        package: false,
      }))
      .concat({ from: `${row.folder}a.ts`, to: "canary", package: true })
      .filter((edge) => isAllowed(rows, edge) && rowOf(rows, edge.to) !== row)
      .filter((edge) => !row.may.some((item) => edge.to.startsWith(item.replace(/\*\*$/, ""))))
      .map((edge) => `${edge.from} -> ${edge.to}`),
  );
  return [...unseen, ...allowed].map((name) => `the check did not find the canary of: ${name}`);
}

const KINDS = [
  RULE,
  "imports in a circle",
  "folders in a circle",
  "which does not exist",
  "imports the test",
  "has no row",
  "has a row, but no sources",
  "but does not",
  "leads back to it",
  "has an empty cell",
  "has two rows",
  "more than 14",
  "is a port, but",
  "repeats the name",
];

/** Returns the text with the drawing between its marks. */
const withDrawing = (text: string, drawing: string) =>
  text.replace(
    /(<!-- folders -->\n)[^]*?(\n<!-- \/folders -->)/,
    (_, start, end) => `${start}${drawing}${end}`,
  );

if (isMain(import.meta.url)) {
  const path = join(ROOT, "ARCHITECTURE.md");
  const text = readFileSync(path, "utf8");
  const { rows } = readLayout(text);
  const drawn = withDrawing(text, draw(rows));
  if (process.argv.includes("--draw")) writeFileSync(path, drawn);
  const { edges, problems } = checkImports(ROOT);
  if (edges.length < 100)
    problems.push(`only ${edges.length} imports found: the check does not see the sources`);
  if (!text.includes("<!-- folders -->") || (drawn !== text && !process.argv.includes("--draw")))
    problems.push(
      "the drawing of the folders is not the table's: npx tsx scripts/check/imports.ts --draw",
    );
  report("imports", [...problems, ...blindness(rows)], `${edges.length} imports`);
}
