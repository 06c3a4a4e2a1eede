/** The checks that need no running product; those that take longest begin first. Each counts as one test. */

import { join } from "node:path";
import { runNode } from "../process.mjs";
import { ROOT } from "../root.mjs";

/**
 * @typedef {object} Check
 * @property {string} name
 * @property {() => Promise<import("../process.mjs").RunResult>} run
 */

/** The options for output without colours. */
const PLAIN = { env: { FORCE_COLOR: undefined, NO_COLOR: "1" } };

/** @param {string} script Relative to the root. @param {...string} args */
function node(script, ...args) {
  return () => runNode(join(ROOT, script), args, PLAIN);
}

/** @param {string} script Written in TypeScript, relative to the root; tsx is installed by then. */
function typescript(script) {
  return () => runNode("--import", ["tsx", join(ROOT, script)], PLAIN);
}

const TSC = "node_modules/typescript/bin/tsc";

/** @type {readonly Check[]} */
export const CHECKS = [
  { name: "types of the tests", run: node(TSC, "-p", "tsconfig.test.json") },
  { name: "lint", run: node("node_modules/oxlint/bin/oxlint", "--deny-warnings") },
  { name: "dead code", run: node("node_modules/knip/bin/knip.js") },
  { name: "types of server", run: node(TSC, "-p", "server/tsconfig.json") },
  { name: "words", run: typescript("scripts/check/words.ts") },
  { name: "types of web", run: node(TSC, "-p", "web/tsconfig.json") },
  { name: "tests that cannot fail", run: typescript("scripts/check/tests/assertions.ts") },
  { name: "waits of tests", run: typescript("scripts/check/tests/waits.ts") },
  { name: "imports", run: typescript("scripts/check/imports.ts") },
  { name: "types of the scripts", run: node(TSC, "-p", "scripts/tsconfig.json") },
  { name: "types of the laboratory", run: node(TSC, "-p", "lab/tsconfig.json") },
  { name: "types of the benches", run: node(TSC, "-p", "bench/tsconfig.json") },
  { name: "texts", run: typescript("scripts/check/texts.ts") },
  { name: "documents", run: typescript("scripts/check/documents.ts") },
  { name: "format", run: node("node_modules/oxfmt/bin/oxfmt", "--check") },
  { name: "types of board", run: node(TSC, "-p", "board/tsconfig.json") },
  { name: "rules and tests", run: typescript("scripts/check/rules.ts") },
  { name: "files", run: typescript("scripts/check/files.ts") },
  { name: "messages", run: typescript("scripts/check/wire.ts") },
];

/** The checks of a finished build. */
export const CHECKS_OF_BUILD = [
  { name: "size of the page", run: node("node_modules/size-limit/bin.js") },
];
