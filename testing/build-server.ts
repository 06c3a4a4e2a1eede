/** Compiles the server before the tests: worker threads and child processes run the compiled files. */

import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const OUT = join(ROOT, "dist/server");
const MAIN = join(OUT, "server/main.js");
/** Holds the time of the newest source that was compiled. */
const STAMP = join(OUT, ".compiled");

/** Vitest's globalSetup. Does nothing when no source is newer than what was compiled last. */
export default function buildServer(): void {
  const newest = String(newestSource());
  if (existsSync(MAIN) && existsSync(STAMP) && readFileSync(STAMP, "utf8") === newest) return;
  mkdirSync(OUT, { recursive: true });
  const fresh = mkdtempSync(join(ROOT, "dist/.server-"));
  try {
    compile(fresh);
    publish(fresh);
    writeFileSync(STAMP, newest);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

function compile(outDir: string): void {
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  const args = [tsc, "-p", join(ROOT, "server/tsconfig.build.json"), "--outDir", outDir];
  const { stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  // The type check is a step of its own and says more; here only missing output counts.
  if (!existsSync(join(outDir, "server/main.js")))
    throw new Error(`The server did not compile:\n${stdout}`);
}

/** File by file and only where something differs, by rename: a server that is starting never reads half a file. */
function publish(fresh: string): void {
  for (const file of files(fresh)) {
    const target = join(OUT, relative(fresh, file));
    if (existsSync(target) && readFileSync(target).equals(readFileSync(file))) continue;
    mkdirSync(dirname(target), { recursive: true });
    renameSync(file, target);
  }
}

function newestSource(): number {
  const sources = ["server", "board"]
    .flatMap((folder) => files(join(ROOT, folder)))
    .filter((file) => /\.(?:ts|json)$/.test(file) && !file.endsWith(".test.ts"));
  sources.push(join(ROOT, "tsconfig.base.json"));
  return Math.max(...sources.map((file) => statSync(file).mtimeMs));
}

function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
