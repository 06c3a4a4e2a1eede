/**
 * `npm run package`: builds and packs the installable package, into dist/package. With --try it lays the package into
 * an empty folder as npm would, without a network and without packages for development, starts it there by npx, saves
 * a drawing and stops it.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withoutSettings } from "../environment.mjs";
import { endWithProcess, run, stopOnSignals } from "../process.mjs";
import { ROOT } from "../root.mjs";
import { setUp } from "./setup.mjs";

const FOLDER = join(ROOT, "dist/package");

/** @param {string} command @param {string[]} args @param {string} cwd */
async function mustRun(command, args, cwd) {
  const { code, output } = await run(command, args, { cwd });
  if (code !== 0) throw new Error(`${command} ${args[0]} failed:\n${output}`);
  return output;
}

/** @returns {Promise<string>} the path of the package */
async function pack() {
  await setUp((line) => console.error(line));
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const remove = () => rmSync(SHRINKWRAP, { force: true });
  // npm would read it instead of the lock file: not even a signal may leave it.
  process.once("exit", remove);
  writeFileSync(SHRINKWRAP, shrinkwrap());
  try {
    await mustRun("npm", ["pack", "--ignore-scripts", "--pack-destination", FOLDER], ROOT);
  } finally {
    remove();
  }
  return join(FOLDER, readdirSync(FOLDER)[0] ?? "");
}

/** The file with the tested versions, which npm installs for anybody who installs the package from a registry. */
const SHRINKWRAP = join(ROOT, "npm-shrinkwrap.json");

/** Returns the lock file without packages for development. */
function shrinkwrap() {
  const lock = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  const [root, ...rest] = Object.entries(lock.packages);
  const { devDependencies: _, ...own } = root?.[1] ?? {};
  const packages = rest.filter(([, entry]) => !entry.dev && !entry.devOptional);
  return JSON.stringify({ ...lock, packages: Object.fromEntries([["", own], ...packages]) });
}

/** Returns the paths of the packages that a server needs to run, as in the lock file. */
function runtimePackages() {
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  return Object.entries(packages)
    .filter(([path, entry]) => path !== "" && !entry.dev && !entry.devOptional)
    .map(([path]) => path)
    .filter((path) => existsSync(join(ROOT, path)));
}

/** @param {string} file */
async function tryPackage(file) {
  const folder = mkdtempSync(join(tmpdir(), "inkpool-package-"));
  try {
    writeFileSync(join(folder, "package.json"), '{"private":true}');
    const installed = join(folder, "node_modules");
    mkdirSync(join(installed, "inkpool"), { recursive: true });
    await mustRun("tar", ["-xzf", file, "--strip-components=1", "-C", "inkpool"], installed);
    if (!existsSync(join(installed, "inkpool/npm-shrinkwrap.json")))
      throw new Error("the package has no npm-shrinkwrap.json");
    const packages = runtimePackages();
    for (const path of packages)
      cpSync(join(ROOT, path), join(folder, path), {
        recursive: true,
        // Nested packages have entries of their own.
        filter: (from) => !from.slice(join(ROOT, path).length).includes("/node_modules"),
      });
    mkdirSync(join(installed, ".bin"));
    symlinkSync("../inkpool/bin/inkpool.mjs", join(installed, ".bin/inkpool"));
    const child = spawn("npx", ["--offline", "inkpool"], {
      cwd: folder,
      env: { ...withoutSettings(), PORT: "0", LOG_LEVEL: "error" },
      stdio: ["ignore", "pipe", "inherit"],
      detached: true,
    });
    endWithProcess(child, true);
    const [line] = await once(child.stdout, "data");
    const origin = /http:\S+/.exec(String(line))?.[0] ?? "";
    const { anonKey } = JSON.parse(readFileSync(join(folder, "data/keys.json"), "utf8"));
    const headers = { apikey: anonKey, "content-type": "application/json" };
    const statuses = [
      (await fetch(`${origin}/`)).status,
      (await fetch(`${origin}/readyz`)).status,
      (
        await fetch(`${origin}/rest/v1/canvas_state`, {
          method: "POST",
          headers,
          body: '{"canvas_json":{"objects":[]}}',
        })
      ).status,
    ];
    process.kill(-(child.pid ?? 0), "SIGTERM");
    await once(child, "exit");
    if (statuses.join() !== "200,200,201")
      throw new Error(`the package answers ${statuses.join()}`);
    console.log(`${packages.length} packages; page, readiness and a save: ${statuses.join(", ")}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

stopOnSignals();
try {
  const file = await pack();
  console.log(file);
  if (process.argv.includes("--try")) await tryPackage(file);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  // The package's server may still run, and would keep this process.
  process.exit(1);
}
