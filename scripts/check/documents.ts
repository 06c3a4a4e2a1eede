/** Checks the documents, since prose outlives the truth: whatever they name in code marks must exist. */

import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { repositoryFiles } from "./files.ts";
import { isMain, report } from "../report.ts";
import { ROOT } from "../root.mjs";

/** The facts with which the documents are compared. */
interface Truth {
  /** Files and folders, without a slash at the end. */
  readonly paths: ReadonlySet<string>;
  /** The names of package.json's scripts. */
  readonly scripts: ReadonlySet<string>;
  /** All sources, as one text. */
  readonly sources: string;
}

/** Something that a document names, and its position. */
interface Mention {
  readonly kind: "code" | "command" | "link";
  readonly text: string;
  readonly line: number;
}

/** Matches folders that appear when the product is built or runs. */
const GENERATED = /^(?:dist|data|DATA_DIR|node_modules|test-results)(?:\/|$)/;
const EXTENSION = /\.(?:ts|tsx|mjs|js|json|md|sql|css|html|png|svg|yml|yaml|conf)$/;
const CALLS = /^(?:npm|npx|node) /;

/**
 * Returns the mentions in a document.
 * @param text A document.
 */
export function mentionsOf(text: string): Mention[] {
  const mentions: Mention[] = [];
  let fenced = false;
  for (const [index, row] of text.split("\n").entries()) {
    const line = index + 1;
    if (/^\s*```/.test(row)) {
      fenced = !fenced;
    } else if (fenced) {
      const command = row.replace(/^\s*(?:[A-Z][A-Z0-9_]*=\S*\s+)*/, "").trim();
      if (CALLS.test(command)) mentions.push({ kind: "command", text: command, line });
      for (const match of row.matchAll(/\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)=/g))
        mentions.push({ kind: "code", text: match[1] ?? "", line });
    } else {
      for (const match of row.matchAll(/`([^`]+)`/g))
        mentions.push({
          kind: CALLS.test(match[1] ?? "") ? "command" : "code",
          text: match[1] ?? "",
          line,
        });
      for (const match of row.replace(/`[^`]*`/g, "").matchAll(/\]\(([^)\s]+)\)/g))
        mentions.push({ kind: "link", text: match[1] ?? "", line });
    }
  }
  return mentions;
}

/**
 * Returns the faults of a document.
 * @param document Its path, relative to the root.
 */
export function checkDocument(document: string, text: string, truth: Truth): string[] {
  return mentionsOf(text).flatMap((mention) => {
    const problem = problemOf(document, mention, truth);
    return problem === null ? [] : [`${document}:${mention.line}: ${problem}`];
  });
}

function problemOf(document: string, { kind, text }: Mention, truth: Truth): string | null {
  if (kind === "command") return commandProblem(text, truth);
  if (kind === "link") {
    if (/^(?:https?:|mailto:|#)/.test(text)) return null;
    const target = posix.normalize(posix.join(posix.dirname(document), text.split("#")[0] ?? ""));
    return truth.paths.has(target.replace(/\/$/, "")) ? null : `the link to ${text} leads nowhere`;
  }
  if (isPath(text, truth)) return pathExists(text, truth) ? null : `${text} does not exist`;
  if (isName(text)) {
    const name = text.replace(/\(\)$/, "").replace(/=.*$/, "");
    return hasWord(truth.sources, name) ? null : `${name} is in no source`;
  }
  if (/^\/[a-z.]/.test(text)) {
    const fixed = text.split(/[:<*?\s{]/)[0] ?? "";
    return truth.sources.includes(fixed.replace(/\/$/, "")) ? null : `nothing serves ${text}`;
  }
  return null;
}

function commandProblem(text: string, truth: Truth): string | null {
  const [program, first = "", second = ""] = text.split(/\s+/);
  if (program === "npm") {
    const name = first === "run" ? second : first;
    if (first !== "run" && !["start", "test"].includes(first)) return null;
    return truth.scripts.has(name) ? null : `npm has no script ${name}`;
  }
  if (program === "node" && !first.startsWith("-"))
    return truth.paths.has(first) || GENERATED.test(first) ? null : `${first} does not exist`;
  return null;
}

/** Whether a text is a path: it begins with a folder of the root or ends like a file. */
function isPath(text: string, truth: Truth) {
  if (!/^[\w.@*-]+(?:\/[\w.@*-]+)*\/?$/.test(text)) return false;
  if (GENERATED.test(text) || /^\.\w+$/.test(text)) return false;
  const first = text.split("/")[0] ?? "";
  return EXTENSION.test(text) || (text.includes("/") && truth.paths.has(first));
}

function pathExists(text: string, truth: Truth) {
  const path = text.replace(/\/$/, "");
  if (path.includes("*")) {
    const pattern = path.replace(/[.+]/g, "\\$&").replace(/\*+/g, "[^/]*");
    return [...truth.paths].some((known) => new RegExp(`^${pattern}$`).test(known));
  }
  if (truth.paths.has(path) || truth.paths.has(`${path}.ts`)) return true;
  // This is a file's bare name, where the text says in which folder it is.
  return !path.includes("/") && [...truth.paths].some((known) => known.endsWith(`/${path}`));
}

/** Whether a text is a setting, an error code, a function or a constant, which only makes sense when the sources contain it. */
function isName(text: string) {
  return (
    /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?:=.*)?$/.test(text) ||
    /^PGRST\d+$/.test(text) ||
    /^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/.test(text) ||
    /^[A-Z][a-z]+(?:[A-Z][a-z]+)+$/.test(text) ||
    /^[a-z]+(?:[A-Z][a-z0-9]*)+(?:\(\))?$/.test(text) ||
    /^\d{2}[0-9P]\d{2}$/.test(text)
  );
}

function hasWord(text: string, word: string) {
  return new RegExp(`(?<![A-Za-z0-9_])${word}(?![A-Za-z0-9_])`).test(text);
}

function readRepository(): { documents: string[]; truth: Truth } {
  const files = repositoryFiles();
  const paths: Set<string> = new Set();
  for (const file of files)
    for (let path = file; path !== "."; path = posix.dirname(path)) paths.add(path);
  const sources = files
    .filter(
      (file) => /\.(?:ts|tsx|mjs|css|sql|html|json)$/.test(file) && file !== "package-lock.json",
    )
    .map((file) => readFileSync(join(ROOT, file), "utf8"))
    .join("\n");
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  return {
    documents: files.filter(
      (file) => file.endsWith(".md") && !/bench\/peers|check\/canary/.test(file),
    ),
    truth: { paths, scripts: new Set(Object.keys(scripts)), sources },
  };
}

/** Greatest number of words in ARCHITECTURE.md, its table included: an overview that takes longer to read is none. */
const MAX_WORDS = 1800;

export const wordsOf = (text: string) =>
  text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

const EXPECTED = ["README", "ARCHITECTURE", "SPEC", "CONTRIBUTING", "SECURITY", "CHANGELOG"];

if (isMain(import.meta.url)) {
  const { documents, truth } = readRepository();
  let mentions = 0;
  const problems = EXPECTED.filter((name) => !documents.includes(`${name}.md`)).map(
    (name) => `${name}.md is missing`,
  );
  for (const document of documents) {
    const text = readFileSync(join(ROOT, document), "utf8");
    mentions += mentionsOf(text).length;
    problems.push(...checkDocument(document, text, truth));
    if (document === "ARCHITECTURE.md" && wordsOf(text) > MAX_WORDS)
      problems.push(`${document} has ${wordsOf(text)} words, more than ${MAX_WORDS}`);
  }
  if (mentions < 100)
    problems.push(`only ${mentions} mentions found: the check does not see the documents`);
  report("documents", problems, `${documents.length} documents, ${mentions} mentions`);
}
