/** Provides what the product needs to run: packages and builds. It does only what is stale. */

import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fingerprint } from "./fingerprint.mjs";
import { SetupFailure, withLock } from "./lock.mjs";
import { run, runNode, stopOnSignals } from "../process.mjs";
import { ROOT } from "../root.mjs";

const DIST = join(ROOT, "dist");
const LOCK = join(DIST, ".setup.lock");
const PACKAGES = join(ROOT, "node_modules");
const INSTALLED = join(PACKAGES, ".inkpool-installed");
const SHARED = ["board", "package-lock.json", "tsconfig.base.json"];

/**
 * A build: its sources and its program (a script in node_modules). `args` gets the folder to write to, relative to
 * the root folder.
 *
 * @typedef {object} Build
 * @property {string} name
 * @property {readonly string[]} sources
 * @property {string} script
 * @property {(out: string) => string[]} args
 */

/** @type {readonly Build[]} */
const BUILDS = [
  {
    name: "web",
    sources: ["web", ...SHARED],
    script: "node_modules/vite/bin/vite.js",
    args: (out) => [
      "build",
      "--config",
      "web/vite.config.ts",
      "--outDir",
      join(ROOT, out),
      "--emptyOutDir",
    ],
  },
  {
    name: "server",
    sources: ["server", "supabase", ...SHARED],
    script: "node_modules/typescript/bin/tsc",
    // The type check is a step of its own in `npm test`.
    args: (out) => ["-p", "server/tsconfig.build.json", "--noCheck", "--outDir", out],
  },
];

export { SetupFailure };

/**
 * Provides what a server needs to run: where the builds are fresh, the packages for development may be missing.
 *
 * @param {(line: string) => void} log @param {readonly string[]} [names]
 */
export async function setUpToRun(log, names) {
  const wanted = BUILDS.filter(({ name }) => names === undefined || names.includes(name));
  if (wanted.every(isFresh) && matchesLock(false)) return [];
  return setUp(log, names);
}

/**
 * Installs and builds what is missing or stale. It is safe to run in several processes at the same time.
 *
 * @param {(line: string) => void} log Gets one line for each thing that takes a while.
 * @param {readonly string[]} names Which builds; all by default.
 * @returns {Promise<string[]>} The names of what it built.
 * @throws {SetupFailure} with what the failing program wrote.
 */
export async function setUp(log, names = BUILDS.map(({ name }) => name)) {
  const builds = BUILDS.filter(({ name }) => names.includes(name));
  if (isInstalled() && builds.every(isFresh)) return [];
  return alone(
    async () => {
      if (!isInstalled()) await install(log);
      const stale = builds.filter((build) => !isFresh(build));
      for (const build of stale) await make(build, log);
      return stale.map(({ name }) => name);
    },
    () => log("waiting for another set-up to finish"),
  );
}

/** Installs packages only, for the checks that need no build. @param {(line: string) => void} log */
export async function setUpPackages(log) {
  if (isInstalled()) return;
  await alone(async () => {
    if (!isInstalled()) await install(log);
  });
}

/**
 * Runs `work` while no other process does. A signal meanwhile ends the programs that it has started: the next set-up
 * takes over the lock, and would install beside them.
 *
 * @template T @param {() => Promise<T>} work @param {() => void} [onWait] @returns {Promise<T>}
 */
function alone(work, onWait) {
  return withLock(
    LOCK,
    async () => {
      const release = stopOnSignals();
      try {
        return await work();
      } finally {
        release();
      }
    },
    onWait,
  );
}

/** @param {string} path */
function readText(path) {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

function isInstalled() {
  const wanted = fingerprint(ROOT, ["package-lock.json"]);
  if (readText(INSTALLED) === wanted) return true;
  if (!matchesLock()) return false;
  writeFileSync(INSTALLED, wanted);
  return true;
}

/** Compares npm's own record of the installed packages with the lock file, since somebody may have run `npm ci` by hand. */
function matchesLock(withDev = true) {
  const record = readText(join(PACKAGES, ".package-lock.json"));
  if (record === "") return false;
  const installed = JSON.parse(record).packages ?? {};
  const locked = JSON.parse(readText(join(ROOT, "package-lock.json"))).packages ?? {};
  return Object.entries(locked).every(
    ([path, entry]) =>
      path === "" ||
      entry.optional ||
      entry.peer ||
      (!withDev && (entry.dev || entry.devOptional)) ||
      installed[path]?.version === entry.version,
  );
}

/** @param {(line: string) => void} log */
async function install(log) {
  log("installing packages");
  // npm would empty the folder to which a link leads, which is another checkout's.
  if (lstatSync(PACKAGES, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(PACKAGES);
  const args = ["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  const npm = process.env.npm_execpath;
  const { code, output } =
    npm && existsSync(npm) ? await runNode(npm, args) : await run("npm", args);
  if (code !== 0) throw new SetupFailure(`npm ci failed:\n${output}`);
  writeFileSync(INSTALLED, fingerprint(ROOT, ["package-lock.json"]));
}

/** @param {Build} build */
function stampOf(build) {
  return join(DIST, `.stamp-${build.name}`);
}

/** @param {Build} build */
function isFresh(build) {
  return (
    existsSync(join(DIST, build.name)) &&
    readText(stampOf(build)) === fingerprint(ROOT, build.sources)
  );
}

/**
 * Builds beside the old build and swaps at the end: a failed build leaves the old one, and a server that runs from it
 * never sees half of the new one.
 *
 * @param {Build} build @param {(line: string) => void} log
 */
async function make(build, log) {
  log(`building ${build.name}`);
  const wanted = fingerprint(ROOT, build.sources);
  const next = `dist/.next-${build.name}`;
  const old = join(DIST, `.old-${build.name}`);
  const target = join(DIST, build.name);
  mkdirSync(DIST, { recursive: true });
  rmSync(join(ROOT, next), { recursive: true, force: true });
  const { code, output } = await runNode(join(ROOT, build.script), build.args(next), {
    env: { NODE_ENV: "production" },
  });
  if (code !== 0) throw new SetupFailure(`building ${build.name} failed:\n${output}`);
  rmSync(old, { recursive: true, force: true });
  // If it is interrupted from here on, no stamp may count for the other build.
  rmSync(stampOf(build), { force: true });
  if (existsSync(target)) renameSync(target, old);
  renameSync(join(ROOT, next), target);
  writeFileSync(stampOf(build), wanted);
  rmSync(old, { recursive: true, force: true });
}
