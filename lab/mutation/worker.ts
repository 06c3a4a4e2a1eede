/**
 * Runs test files in a copy of the repository, one after the other, for lab/mutation/mutate.ts: a process
 * of its own, so that tests that never end can be ended. Messages in: a Job. Messages out: `{ file }` when
 * a test file begins, then `{ failed }`, the file that failed or null.
 */

import { join } from "node:path";
import { createVitest } from "vitest/node";

/**
 * A job: the sources that were rewritten since the last one, and the test files to run until one fails, each with the
 * seconds that one test of it may take.
 */
interface Job {
  changed: readonly string[];
  tests: readonly { file: string; limit: number }[];
}

const ROOT = process.cwd();

// The options of vitest.config.ts without its projects: the tests must draw and wait as they do there.
const vitest = await createVitest("test", {
  config: false,
  root: ROOT,
  include: ["{board,web,server,testing}/**/*.test.{ts,tsx}"],
  environment: "node",
  pool: "forks",
  maxWorkers: 1,
  watch: false,
  bail: 1,
  hookTimeout: 30_000,
  expect: { poll: { timeout: 10_000 } },
  setupFiles: ["testing/random/fast-check.ts"],
  unstubGlobals: true,
  restoreMocks: true,
  reporters: [{}],
  cache: false,
});

process.on("message", (job: Job) => {
  void run(job).then((failed) => process.send?.({ failed }));
});
process.send?.({ ready: true });

/**
 * Runs a job.
 * @returns The test file that failed.
 */
async function run({ changed, tests }: Job): Promise<string | null> {
  for (const path of changed) vitest.invalidateFile(join(ROOT, path));
  for (const { file, limit } of tests) {
    process.send?.({ file });
    // A fault often appears as something that never arrives.
    for (const { config } of vitest.projects) config.testTimeout = limit * 1000;
    const specifications = await vitest.globTestSpecifications([file]);
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
    // The remains of earlier runs are in the list, too.
    const module = testModules.find(({ moduleId }) => moduleId === join(ROOT, file));
    if (unhandledErrors.length > 0 || module?.ok() !== true) return file;
  }
  return null;
}
