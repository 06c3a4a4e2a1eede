/** Runs Vitest and Playwright, shows their output, and reads their counts from their JSON reports. */

import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { findBrowser, installBrowser } from "../browser.mjs";
import { runNode } from "../process.mjs";
import { ROOT } from "../root.mjs";

/**
 * @typedef {object} Tally
 * @property {number} passed
 * @property {readonly string[]} failed Names.
 * @property {readonly string[]} skipped Names, with what they miss.
 */

const REPORTS = join(ROOT, "test-results");
/** Milliseconds that the unit tests, and the end-to-end tests, may take: something that takes longer hangs, on a slow machine too. */
const LIMIT = 45 * 60_000;

/** @param {readonly string[]} args @param {boolean} changed Only what git's changes touch. @returns {Promise<Tally>} */
export async function runUnit(args, changed) {
  const file = freshReport("unit.json");
  const { code } = await runNode(
    join(ROOT, "node_modules/vitest/vitest.mjs"),
    [
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${file}`,
      ...(changed ? ["--changed"] : []),
      ...args,
    ],
    { show: true, limit: LIMIT, env: { NODE_ENV: undefined } },
  );
  return vitestTally(readReport(file), code, changed);
}

/**
 * @param {readonly string[]} projects Those of playwright.config.ts that run.
 * @param {readonly string[]} args
 * @param {boolean} changed Only the files of tests that git's changes touch.
 * @param {(line: string) => void} log
 * @returns {Promise<Tally>}
 */
export async function runEndToEnd(projects, args, changed, log) {
  const browser = (await findBrowser()) ?? (await installBrowser(log));
  if (browser === null)
    return { passed: 0, failed: ["end-to-end tests: no browser, set CHROMIUM_PATH"], skipped: [] };
  log(`browser: ${browser}`);
  const file = freshReport("e2e.json");
  const only = changed ? ["--only-changed", "--pass-with-no-tests"] : [];
  const which = projects.map((name) => `--project=${name}`);
  const { code } = await runNode(
    join(ROOT, "node_modules/@playwright/test/cli.js"),
    ["test", "--reporter=list,json", ...which, ...only, ...args],
    {
      show: true,
      limit: LIMIT,
      env: { CHROMIUM_PATH: browser, PLAYWRIGHT_JSON_OUTPUT_FILE: file, FORCE_COLOR: "0" },
    },
  );
  return playwrightTally(readReport(file), code, changed);
}

/** Returns the path of a report, without one of an earlier run, which must not count. @param {string} name */
function freshReport(name) {
  mkdirSync(REPORTS, { recursive: true });
  const file = join(REPORTS, name);
  rmSync(file, { force: true });
  return file;
}

/** @param {string} file @returns {unknown} */
function readReport(file) {
  if (!existsSync(file)) return null;
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null;
  }
}

/**
 * Returns the counts of a Vitest JSON report. A file that could not be run counts as one failure, and so does
 * whatever else made Vitest end with an error.
 *
 * @param {any} report
 * @param {number} code Vitest's exit code.
 * @param {boolean} mayBeNone
 * @returns {Tally}
 */
export function vitestTally(report, code, mayBeNone = false) {
  let passed = 0;
  /** @type {string[]} */
  const failed = [];
  /** @type {string[]} */
  const skipped = [];
  for (const file of report?.testResults ?? []) {
    for (const test of file.assertionResults) {
      const name = String(test.fullName || test.title).trim();
      if (test.status === "passed") passed++;
      else if (test.status === "failed") failed.push(name);
      else skipped.push(name);
    }
    if (file.status === "failed" && !file.assertionResults.some(isFailed)) failed.push(file.name);
  }
  if (passed + failed.length === 0 && !mayBeNone) failed.push("unit tests: none ran");
  else if (code !== 0 && failed.length === 0) failed.push(`unit tests: Vitest ended with ${code}`);
  return { passed, failed, skipped };
}

/** @param {any} test */
function isFailed(test) {
  return test.status === "failed";
}

/**
 * Returns the counts of a Playwright JSON report, by the same rules.
 *
 * @param {any} report
 * @param {number} code Playwright's exit code.
 * @param {boolean} mayBeNone
 * @returns {Tally}
 */
export function playwrightTally(report, code, mayBeNone = false) {
  let passed = 0;
  /** @type {string[]} */
  const failed = [];
  /** @type {string[]} */
  const skipped = [];
  for (const { name, test } of playwrightTests(report?.suites ?? [])) {
    if (test.status === "expected") passed++;
    else if (test.status === "skipped") skipped.push(`${name}${missing(test)}`);
    else failed.push(name);
  }
  for (const error of report?.errors ?? [])
    failed.push(`end-to-end tests: ${firstLine(error.message)}`);
  if (passed + failed.length === 0 && !mayBeNone) failed.push("end-to-end tests: none ran");
  else if (code !== 0 && failed.length === 0)
    failed.push(`end-to-end tests: Playwright ended with ${code}`);
  return { passed, failed, skipped };
}

/** @param {readonly any[]} suites @returns {Generator<{ name: string, test: any }>} */
function* playwrightTests(suites) {
  for (const suite of suites) {
    for (const spec of suite.specs ?? [])
      for (const test of spec.tests) yield { name: `${spec.file}: ${spec.title}`, test };
    yield* playwrightTests(suite.suites ?? []);
  }
}

/** @param {any} test */
function missing(test) {
  const why = test.annotations?.find(
    (/** @type {any} */ note) => note.type === "skip",
  )?.description;
  return why ? ` (${why})` : "";
}

/** @param {string | undefined} text */
function firstLine(text) {
  return text?.split("\n", 1)[0] ?? "an error";
}
