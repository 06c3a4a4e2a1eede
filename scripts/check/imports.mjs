/** Who may import whom (ARCHITECTURE.md). Reads every import of the TypeScript sources and holds it against the rules. */

import { readFileSync, readdirSync, existsSync } from "node:fs";
import { join, posix } from "node:path";
import { ROOT } from "../root.mjs";
import { isMain, report } from "./report.mjs";
import { parse, walk } from "./syntax.mjs";

/**
 * One import. `to` is a path relative to the root, or the name of a package.
 *
 * @typedef {{ from: string, to: string, package: boolean }} Edge
 */

const FOLDERS = ["board", "web", "server", "testing", "e2e", "bench"];
const PROTOCOLS = ["http", "table", "realtime", "auth"];

/** A file that is part of no build: it may import whatever it examines. @param {string} path */
const isTest = (path) => /\.(?:test|spec)\.tsx?$/.test(path);

/**
 * The rules: `applies` chooses the importing files, `allows` says what they may import. An edge must
 * please every rule that applies to it. `name` is what a person reads.
 *
 * @type {readonly { name: string, applies: (from: string) => boolean, allows: (edge: Edge) => boolean }[]}
 */
const RULES = [
  {
    name: "board imports nothing but board",
    applies: (from) => from.startsWith("board/"),
    allows: (edge) => !edge.package && edge.to.startsWith("board/"),
  },
  {
    name: "web imports board and web, never the server",
    applies: (from) => from.startsWith("web/"),
    allows: (edge) => edge.package || /^(?:board|web)\//.test(edge.to),
  },
  {
    name: "server imports board and server, never the page",
    applies: (from) => from.startsWith("server/"),
    allows: (edge) => edge.package || /^(?:board|server)\//.test(edge.to),
  },
  {
    name: "web/sync knows neither React nor Fabric nor the other folders of the page",
    applies: (from) => from.startsWith("web/sync/"),
    allows: (edge) =>
      edge.package
        ? !/^(?:react|react-dom|fabric|radix-ui|sonner|lucide-react)(?:\/|$)/.test(edge.to)
        : /^(?:board|web\/sync)\//.test(edge.to),
  },
  {
    name: "web/canvas imports Fabric and board, nothing else",
    applies: (from) => from.startsWith("web/canvas/"),
    allows: (edge) =>
      edge.package ? edge.to === "fabric" : /^(?:board|web\/canvas)\//.test(edge.to),
  },
  {
    name: "web/formats imports board and what is pure of web/canvas, nothing else",
    applies: (from) => from.startsWith("web/formats/"),
    allows: (edge) => !edge.package && /^(?:board|web\/formats|web\/canvas)\//.test(edge.to),
  },
  {
    name: "only web/canvas imports Fabric",
    applies: (from) => from.startsWith("web/") && !from.startsWith("web/canvas/"),
    allows: (edge) => !(edge.package && /^fabric(?:\/|$)/.test(edge.to)),
  },
  {
    name: "only web/sync talks to the backend's client",
    applies: (from) => from.startsWith("web/") && !from.startsWith("web/sync/"),
    allows: (edge) => !(edge.package && edge.to.startsWith("@supabase/")),
  },
  {
    name: "a protocol's folder does not import another protocol's",
    applies: (from) => PROTOCOLS.includes(from.split("/")[1] ?? "") && from.startsWith("server/"),
    allows: (edge) => {
      const [top, folder = ""] = edge.to.split("/");
      if (edge.package || top !== "server" || !PROTOCOLS.includes(folder)) return true;
      return (
        folder === edge.from.split("/")[1] ||
        folder === "http" ||
        edge.from.startsWith("server/http/")
      );
    },
  },
  {
    name: "protocols see storage, cluster and keys through their ports",
    applies: (from) => PROTOCOLS.includes(from.split("/")[1] ?? "") && from.startsWith("server/"),
    allows: (edge) =>
      edge.package ||
      !/^server\/(?:storage|cluster|keys)\//.test(edge.to) ||
      /^server\/(?:storage|cluster|keys)\/port\.ts$/.test(edge.to),
  },
];

/**
 * The imports of one source text: `import` and `export ... from` in all their forms, `import()` in
 * code and in types, and the TypeScript files that `new URL` names, such as a worker's.
 *
 * @param {string} from Its path, relative to the root.
 * @param {string} source
 * @returns {Edge[]}
 * @throws {Error} that names the file, when it cannot be parsed
 */
export function importsOf(from, source) {
  /** @type {Edge[]} */
  const edges = [];
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

/** What a node imports; null for a node that imports nothing. @param {import("./syntax.mjs").Node} node */
function targetOf(node) {
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

/** The text of a literal; null for anything else. @param {import("./syntax.mjs").Node | null | undefined} node */
function textOf(node) {
  return node?.type === "Literal" && typeof node.value === "string" ? node.value : null;
}

/**
 * @param {string} root
 * @param {readonly string[]} folders
 * @returns {string[]} The TypeScript files in these folders, relative to the root.
 */
export function sourceFiles(root, folders = FOLDERS) {
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
        .filter(
          (name) =>
            /\.tsx?$/.test(name) &&
            !name.includes("node_modules/") &&
            !name.startsWith("bench/peers/"),
        ),
    )
    .sort();
}

/**
 * @param {string} root
 * @returns {{ edges: Edge[], problems: string[] }}
 */
export function checkImports(root) {
  const files = sourceFiles(root);
  const edges = files.flatMap((file) => importsOf(file, readFileSync(join(root, file), "utf8")));
  const problems = [];
  for (const edge of edges) {
    if (!edge.package && !existsSync(join(root, edge.to)))
      problems.push(`${edge.from} imports ${edge.to}, which does not exist`);
    if (isTest(edge.from)) continue;
    if (!edge.package && isTest(edge.to)) problems.push(`${edge.from} imports the test ${edge.to}`);
    for (const rule of RULES)
      if (rule.applies(edge.from) && !rule.allows(edge))
        problems.push(`${edge.from} imports ${edge.to}: ${rule.name}`);
  }
  return { edges, problems: [...problems, ...cycles(edges)] };
}

/** Circles of imports, those of types and of late code too: files that cannot be read one by one. @param {readonly Edge[]} edges */
function cycles(edges) {
  /** @type {Map<string, string[]>} */
  const next = new Map();
  for (const edge of edges) {
    if (edge.package) continue;
    next.set(edge.from, [...(next.get(edge.from) ?? []), edge.to]);
  }
  /** @type {string[]} */
  const found = [];
  /** @type {Map<string, "open" | "done">} */
  const state = new Map();
  /** @param {string} file @param {readonly string[]} path */
  const visit = (file, path) => {
    if (state.get(file) === "done") return;
    if (state.get(file) === "open") {
      found.push(`imports in a circle: ${[...path.slice(path.indexOf(file)), file].join(" -> ")}`);
      return;
    }
    state.set(file, "open");
    for (const to of next.get(file) ?? []) visit(to, [...path, file]);
    state.set(file, "done");
  };
  for (const file of next.keys()) visit(file, []);
  return found;
}

/** The rules that the small tree in scripts/check/canary breaks, one by one: a check that finds fewer is blind. */
function blindness() {
  const { problems } = checkImports(join(ROOT, "scripts/check/canary"));
  return RULES.map((rule) => rule.name)
    .concat("imports in a circle", "which does not exist", "imports the test")
    .filter((name) => !problems.some((problem) => problem.includes(name)))
    .map((name) => `the check did not find the canary of: ${name}`);
}

if (isMain(import.meta.url)) {
  const { edges, problems } = checkImports(ROOT);
  if (edges.length < 100)
    problems.push(`only ${edges.length} imports found: the check does not see the sources`);
  report("imports", [...problems, ...blindness()], `${edges.length} imports`);
}
