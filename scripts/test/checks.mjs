/** The checks that need no running product, in the order of `npm test`. Each counts as one test. */

import { join } from "node:path";
import { runNode } from "../process.mjs";
import { ROOT } from "../root.mjs";

/**
 * @typedef {object} Check
 * @property {string} name
 * @property {boolean} needsBuild
 * @property {() => Promise<import("../process.mjs").RunResult>} run
 */

/** @param {string} script Relative to the root. @param {...string} args */
function node(script, ...args) {
  return () =>
    runNode(join(ROOT, script), args, { env: { FORCE_COLOR: undefined, NO_COLOR: "1" } });
}

const TSC = "node_modules/typescript/bin/tsc";

/** @type {readonly Check[]} */
export const CHECKS = [
  { name: "types of board", needsBuild: false, run: node(TSC, "-p", "board/tsconfig.json") },
  { name: "types of server", needsBuild: false, run: node(TSC, "-p", "server/tsconfig.json") },
  { name: "types of web", needsBuild: false, run: node(TSC, "-p", "web/tsconfig.json") },
  { name: "types of the tests", needsBuild: false, run: node(TSC, "-p", "tsconfig.test.json") },
  {
    name: "types of the scripts",
    needsBuild: false,
    run: node(TSC, "-p", "scripts/tsconfig.json"),
  },
  {
    name: "lint",
    needsBuild: false,
    run: node("node_modules/oxlint/bin/oxlint", "--deny-warnings"),
  },
  { name: "format", needsBuild: false, run: node("node_modules/oxfmt/bin/oxfmt", "--check") },
  { name: "imports", needsBuild: false, run: node("scripts/check/imports.mjs") },
  { name: "files", needsBuild: false, run: node("scripts/check/files.mjs") },
  { name: "words", needsBuild: false, run: node("scripts/check/words.mjs") },
  { name: "messages", needsBuild: false, run: node("scripts/check/wire.mjs") },
  { name: "rules and tests", needsBuild: false, run: node("scripts/check/rules.mjs") },
  { name: "documents", needsBuild: false, run: node("scripts/check/documents.mjs") },
  { name: "dead code", needsBuild: false, run: node("node_modules/knip/bin/knip.js") },
  { name: "size of the page", needsBuild: true, run: node("node_modules/size-limit/bin.js") },
];
