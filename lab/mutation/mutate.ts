/**
 * `npm run mutate`: puts small faults into the sources, one at a time, and reports which of them the unit and
 * contract tests do not notice. It works on a copy of the repository.
 *
 *   --count 200         how many faults, drawn at random; "all" for each
 *   --seed 1            which ones
 *   --folder board      a folder or a file (may be repeated); without it all of FOLDERS
 *   --wide              with all tests that reach a source, and not only those of its folder
 */

import { join } from "node:path";
import "../../scripts/node-version.mjs";
import type { Mutant } from "./mutants.ts";

const { mkdirSync, readFileSync, writeFileSync } = await import("node:fs");
const { parseArgs } = await import("node:util");
const { importsOf, sourceFiles } = await import("../../scripts/check/imports.ts");
const { makeCopy } = await import("./copy.ts");
const { applyChange, drawn, mutantsOf } = await import("./mutants.ts");
const { ROOT } = await import("../../scripts/root.mjs");

type Verdict = "caught" | "timeout" | "survived";

const FOLDERS = ["board", "web/sync", "server/table", "server/realtime"];
/** The share of caught faults that the documents promise, in percent. */
const WANTED = 85;
const IS_TEST = /\.(?:test|spec|case)\.tsx?$/;
const REPORT = join(ROOT, "test-results/mutate.json");

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    folder: { type: "string", multiple: true, default: [] },
    wide: { type: "boolean", default: false },
  },
});

const reach = testsThatReach();
const mutants = drawMutants();
const copy = makeCopy();
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => void copy.remove().then(() => process.exit(1)));
try {
  process.exitCode = await main();
} finally {
  await copy.remove();
}

/**
 * Runs the mutation.
 * @returns The exit code.
 */
async function main(): Promise<number> {
  const times = await measure([...new Set(mutants.flatMap(({ path }) => testsOf(path)))]);
  await provoke(times);
  await confirm(times);
  console.log(`-- ${mutants.length} faults, seed ${values.seed}`);
  const results: { mutant: Mutant; verdict: Verdict; by: string | null }[] = [];
  for (const mutant of mutants) {
    const result = await examine(mutant, times);
    results.push({ mutant, ...result });
    if (result.verdict === "survived") console.log(describe(mutant));
    if (results.length % 25 === 0) console.log(`-- ${results.length} of ${mutants.length}`);
  }
  await confirm(times);
  mkdirSync(join(ROOT, "test-results"), { recursive: true });
  writeFileSync(REPORT, JSON.stringify(results, null, 2));
  return sumUp(results);
}

/** Draws the faults of this run. */
function drawMutants(): Mutant[] {
  const chosen = values.folder.length > 0 ? values.folder : FOLDERS;
  const paths = sourceFiles(ROOT).filter(
    (path) =>
      !IS_TEST.test(path) &&
      chosen.some((folder) => path === folder || path.startsWith(`${folder}/`)),
  );
  const all = paths.flatMap((path) => mutantsOf(path, readSource(path)));
  if (all.length === 0) throw new Error(`no source in ${chosen.join(", ")}`);
  return drawn(
    all,
    values.count === "all" ? all.length : Number(values.count),
    Number(values.seed),
  );
}

function readSource(path: string) {
  return readFileSync(join(ROOT, path), "utf8");
}

/**
 * Returns the test files that reach each source by imports. A test that starts the whole server reaches everything
 * that the server consists of.
 */
function testsThatReach(): ReadonlyMap<string, readonly string[]> {
  const files = sourceFiles(ROOT);
  const imports = new Map(
    files.map((path) => [
      path,
      importsOf(path, readSource(path))
        .filter((edge) => !edge.package)
        .map((edge) => edge.to),
    ]),
  );
  imports.get("testing/servers/server.ts")?.push("server/main.ts");
  const reach = new Map<string, string[]>();
  for (const test of files.filter((path) => /\.test\.tsx?$/.test(path))) {
    const reached = new Set([test]);
    for (const path of reached) for (const to of imports.get(path) ?? []) reached.add(to);
    for (const path of reached) reach.set(path, [...(reach.get(path) ?? []), test]);
  }
  return reach;
}

/** Returns the tests that examine a source: those of its folder and of testing/, and with --wide all others that reach it. */
function testsOf(path: string) {
  const tests = reach.get(path) ?? [];
  return values.wide ? tests : tests.filter((test) => isNear(path, test));
}

/** Whether a test is in the folder of a source, or in testing/. */
function isNear(path: string, test: string) {
  const folder =
    FOLDERS.find((name) => path.startsWith(`${name}/`)) ?? path.replace(/\/[^/]*$/, "");
  return test.startsWith(`${folder}/`) || test.startsWith("testing/");
}

/**
 * Measures how long each test file takes while nothing is broken, in seconds.
 *
 * @throws {Error} when one fails, since it then proves nothing about faults
 */
async function measure(tests: readonly string[]): Promise<ReadonlyMap<string, number>> {
  console.log(`-- ${tests.length} test files, as they are`);
  const times = new Map<string, number>();
  for (const test of tests) {
    let outcome = await copy.run([{ file: test, limit: 120 }]);
    if (outcome.kind !== "passed") outcome = await copy.run([{ file: test, limit: 120 }]);
    if (outcome.kind !== "passed") throw new Error(`${test} fails without any fault`);
    times.set(test, outcome.seconds);
  }
  return times;
}

/** Expects that a source which cannot even be loaded is noticed, since otherwise the tests do not see the faults. */
async function provoke(times: ReadonlyMap<string, number>) {
  const path = mutants[0]?.path ?? "";
  copy.write(path, `throw new Error("provoked");\n${readSource(path)}`);
  const { kind } = await copy.run(inOrder(path, times));
  copy.write(path, readSource(path));
  if (kind !== "failed") throw new Error(`no test noticed that ${path} throws`);
}

/** Expects that nothing fails without a fault, since otherwise the tests notice something else. */
async function confirm(times: ReadonlyMap<string, number>) {
  const { file } = await copy.run(
    [...times].map(([test, time]) => ({ file: test, limit: 10 + 10 * time })),
  );
  if (file !== null) throw new Error(`${file} fails without any fault: the figures mean nothing`);
}

/**
 * Puts the folder's own tests first, and of these the quick ones; each test may take four times what its file took
 * without a fault.
 */
function inOrder(path: string, times: ReadonlyMap<string, number>) {
  const stem = path.replace(/\.\w+$/, "");
  const cost = (test: string) => {
    if (test.startsWith(`${stem}.`)) return 0;
    return (times.get(test) ?? 0) + (isNear(path, test) ? 0 : 1000);
  };
  return testsOf(path)
    .toSorted((a, b) => cost(a) - cost(b))
    .map((file) => ({ file, limit: 3 + 4 * (times.get(file) ?? 0) }));
}

async function examine(
  mutant: Mutant,
  times: ReadonlyMap<string, number>,
): Promise<{ verdict: Verdict; by: string | null }> {
  const source = readSource(mutant.path);
  copy.write(mutant.path, applyChange(source, mutant));
  const { kind, file } = await copy.run(inOrder(mutant.path, times));
  copy.write(mutant.path, source);
  const verdict = kind === "passed" ? "survived" : kind === "failed" ? "caught" : "timeout";
  return { verdict, by: file };
}

function describe({ path, line, start, end, replacement }: Mutant) {
  const flat = (text: string) => text.replace(/\s+/g, " ").slice(0, 90);
  return `survived: ${path}:${line}  ${flat(readSource(path).slice(start, end))}  ->  ${flat(replacement)}`;
}

function sumUp(results: readonly { mutant: Mutant; verdict: Verdict }[]): number {
  const count = (folder: string, verdict: Verdict) =>
    results.filter((result) => result.verdict === verdict && result.mutant.path.startsWith(folder))
      .length;
  const share = (folder: string) => {
    const noticed = count(folder, "caught") + count(folder, "timeout");
    return (100 * noticed) / (noticed + count(folder, "survived"));
  };
  for (const folder of [...FOLDERS, ""]) {
    if (Number.isNaN(share(folder))) continue;
    const counts = (["caught", "timeout", "survived"] as const)
      .map((verdict) => `${count(folder, verdict)} ${verdict}`)
      .join(", ");
    console.log(`${folder || "all"}: ${share(folder).toFixed(1)} % (${counts})`);
  }
  return share("") >= WANTED ? 0 : 1;
}
