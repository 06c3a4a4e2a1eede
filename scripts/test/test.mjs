/**
 * `npm test`: sets up, then runs every check and every test, and ends with one line of counts. `--only
 * checks|unit|e2e|engines` runs a part (may be repeated); further words are passed to the runner of that part, so
 * that `npm test -- --only e2e menu` runs the end-to-end tests whose path contains the word. `--only` with any other
 * word runs the unit tests whose path contains it. `--changed` runs the tests that git's changes touch.
 */

import "../node-version.mjs";

const { setUp, setUpPackages, SetupFailure } = await import("../build/setup.mjs");
const { stopOnSignals } = await import("../process.mjs");
const { CHECKS, CHECKS_OF_BUILD } = await import("../check/checks.mjs");
const { runUnit, runEndToEnd } = await import("./runners.mjs");

/** @typedef {import("./runners.mjs").Tally} Tally */

const KINDS = ["checks", "unit", "e2e", "engines"];
const started = Date.now();

stopOnSignals();

const { kinds, changed, rest } = readArguments(process.argv.slice(2));
process.exitCode = await main();

/** @param {readonly string[]} args */
function readArguments(args) {
  const kinds = [];
  const rest = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "--changed") continue;
    if (arg !== "--only") {
      rest.push(arg);
      continue;
    }
    const word = args[++at] ?? "";
    if (word === "" || word.startsWith("-")) {
      console.error(`--only expects ${KINDS.join(", ")} or a word of a path`);
      process.exit(1);
    }
    if (KINDS.includes(word)) kinds.push(word);
    else rest.push(word);
  }
  const changed = args.includes("--changed");
  const whole = changed ? ["unit", "e2e"] : rest.length > 0 ? ["unit"] : KINDS;
  return { kinds: kinds.length > 0 ? kinds : whole, changed, rest };
}

/** @returns {Promise<number>} The exit code. */
async function main() {
  /** @type {Tally[]} */
  const tallies = [];
  try {
    await setUpPackages(say);
    if (kinds.includes("checks")) tallies.push(await timed("checks", () => runChecks(CHECKS)));
    // Unit tests build what they run themselves; most of them need no build.
    const projects = projectsOf(kinds);
    if (projects.length > 0 && !changed) {
      say("set-up");
      await setUp(say);
      tallies.push(await runChecks(CHECKS_OF_BUILD));
    }
    if (kinds.includes("unit"))
      tallies.push(await timed("unit and contract tests", () => runUnit(rest, changed)));
    if (projects.length > 0)
      tallies.push(
        await timed("end-to-end tests", () => runEndToEnd(projects, rest, changed, say)),
      );
  } catch (error) {
    console.error(error instanceof SetupFailure ? error.message : error);
    tallies.push({ passed: 0, failed: ["set-up"], skipped: [] });
  }
  return sumUp(tallies);
}

/**
 * Returns the projects of playwright.config.ts: the engine suite runs beside the other tests, and in Chromium only
 * when it runs alone. @param {readonly string[]} kinds
 */
function projectsOf(kinds) {
  if (!kinds.includes("engines")) return kinds.includes("e2e") ? ["product"] : [];
  return ["engines", kinds.includes("e2e") ? "product" : "chromium"];
}

/**
 * Runs the checks two at a time, since there are machines with two cores. @param {readonly
 * import("../check/checks.mjs").Check[]} checks @returns {Promise<Tally>}
 */
async function runChecks(checks) {
  /** @type {string[]} */
  const failed = [];
  const waiting = [...checks];
  const runNext = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const since = Date.now();
      const { code, output } = await check.run();
      console.log(`${code === 0 ? "ok    " : "FAILED"} ${check.name} (${seconds(since)} s)`);
      if (code === 0) continue;
      failed.push(check.name);
      console.log(withoutColors(output).trimEnd());
    }
  };
  await Promise.all([runNext(), runNext()]);
  return { passed: checks.length - failed.length, failed, skipped: [] };
}

/** @param {string} name @param {() => Promise<Tally>} work */
async function timed(name, work) {
  say(name);
  const since = Date.now();
  const tally = await work();
  say(`${name}: ${seconds(since)} s`);
  return tally;
}

/** @param {readonly Tally[]} tallies @returns {number} */
function sumUp(tallies) {
  const failed = tallies.flatMap((tally) => tally.failed);
  const skipped = tallies.flatMap((tally) => tally.skipped);
  const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
  say(`all of it: ${seconds(started)} s`);
  for (const name of failed) console.log(`failed: ${name}`);
  for (const name of skipped) console.log(`skipped: ${name}`);
  console.log(`${passed} passed, ${failed.length} failed, ${skipped.length} skipped`);
  return failed.length === 0 && (passed > 0 || changed) ? 0 : 1;
}

/** Returns a text without colours, since some tools colour their output whatever the environment says. @param {string} text */
function withoutColors(text) {
  return text.replace(/\u001b\[[0-9;]*m/g, "");
}

/** @param {number} since */
function seconds(since) {
  return ((Date.now() - since) / 1000).toFixed(1);
}

/** @param {string} line */
function say(line) {
  console.log(`-- ${line}`);
}
