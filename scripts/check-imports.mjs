/** Who may import whom (ARCHITECTURE.md). Reads every import of the TypeScript sources and holds it against the rules. */

import { readFileSync, readdirSync, existsSync } from "node:fs";
import { join, posix } from "node:path";
import { ROOT } from "./root.mjs";
import { isMain, report } from "./report.mjs";

/**
 * One import. `to` is a path relative to the root, or the name of a package.
 *
 * @typedef {{ from: string, to: string, typeOnly: boolean, package: boolean }} Edge
 */

const ROOMS = ["board", "web", "server", "testing", "e2e", "bench"];
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
    name: "web/sync knows neither React nor Fabric nor the other rooms of the page",
    applies: (from) => from.startsWith("web/sync/"),
    allows: (edge) =>
      edge.package
        ? !/^(?:react|react-dom|fabric|radix-ui|sonner|wouter|lucide-react)(?:\/|$)/.test(edge.to)
        : /^(?:board|web\/sync)\//.test(edge.to),
  },
  {
    name: "web/canvas imports Fabric and board, nothing else",
    applies: (from) => from.startsWith("web/canvas/"),
    allows: (edge) =>
      edge.package ? edge.to === "fabric" : /^(?:board|web\/canvas)\//.test(edge.to),
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
      const [room, folder = ""] = edge.to.split("/");
      if (edge.package || room !== "server" || !PROTOCOLS.includes(folder)) return true;
      return (
        folder === edge.from.split("/")[1] ||
        folder === "http" ||
        edge.from.startsWith("server/http/")
      );
    },
  },
  {
    name: "protocols see storage and cluster through their ports",
    applies: (from) => PROTOCOLS.includes(from.split("/")[1] ?? "") && from.startsWith("server/"),
    allows: (edge) =>
      edge.package ||
      !/^server\/(?:storage|cluster)\//.test(edge.to) ||
      /^server\/(?:storage|cluster)\/port\.ts$/.test(edge.to),
  },
];

const IMPORT =
  /\b(?:import|export)\s+(type\s+)?(?:[\w$*{][^;"'()]*?\sfrom\s*|)["']([^"'\n]+)["']|\bimport\(\s*["']([^"'\n]+)["']\s*\)|\bnew\s+URL\(\s*["'](\.[^"'\n]+\.ts)["']\s*,\s*import\.meta\.url/g;

/**
 * The imports of one source text.
 *
 * @param {string} from Its path, relative to the root.
 * @param {string} source
 * @returns {Edge[]}
 */
export function importsOf(from, source) {
  const edges = [];
  for (const match of withoutComments(source).matchAll(IMPORT)) {
    const target = match[2] ?? match[3] ?? match[4] ?? "";
    const bare = target.split("?")[0] ?? "";
    edges.push({
      from,
      to: bare.startsWith(".") ? posix.normalize(posix.join(posix.dirname(from), bare)) : bare,
      typeOnly: match[1] !== undefined,
      package: !bare.startsWith("."),
    });
  }
  return edges;
}

/** Comments may hold example imports; strings stay as they are. @param {string} source */
function withoutComments(source) {
  return source.replace(
    /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|\/\*[\s\S]*?\*\/|(^|[^:])\/\/[^\n]*/g,
    (_, text, before) => text ?? before ?? "",
  );
}

/**
 * @param {string} root
 * @param {readonly string[]} rooms
 * @returns {string[]} The TypeScript files in these folders, relative to the root.
 */
export function sourceFiles(root, rooms = ROOMS) {
  return rooms
    .filter((room) => existsSync(join(root, room)))
    .flatMap((room) =>
      readdirSync(join(root, room), { recursive: true, encoding: "utf8" })
        .map((name) => `${room}/${name.replaceAll("\\", "/")}`)
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

/** Circles of imports that run; those of types only cost nothing. @param {readonly Edge[]} edges */
function cycles(edges) {
  /** @type {Map<string, string[]>} */
  const next = new Map();
  for (const edge of edges) {
    if (edge.package || edge.typeOnly) continue;
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

/** The rules that the small tree in scripts/canary breaks, one by one: a check that finds fewer is blind. */
function blindness() {
  const { problems } = checkImports(join(ROOT, "scripts/canary"));
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
