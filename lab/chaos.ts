/**
 * `npm run chaos`: makes chaos runs with new seeds until one fails, which is printed. Each seed goes through the
 * generators of hostile rows and messages, the simulation, and the browsers. `npm run chaos -- 20` tries that many;
 * `npm run chaos -- --seed 7` tries that seed; `--no-browser` before them leaves the browsers out.
 */

import { join } from "node:path";
import "../scripts/node-version.mjs";

const { findBrowser } = await import("../scripts/browser.mjs");
const { runNode, stopOnSignals } = await import("../scripts/process.mjs");
const { ROOT } = await import("../scripts/root.mjs");
const { setUp } = await import("../scripts/build/setup.mjs");

stopOnSignals();

const args = process.argv.slice(2);
const withBrowser = args[0] !== "--no-browser";
const [first, second] = withBrowser ? args : args.slice(1);
const only = first === "--seed" ? Number(second) : null;
const count = only === null ? Number(first ?? Infinity) : 1;
if (Number.isNaN(count) || Number.isNaN(only ?? 0)) {
  console.error(
    "expected --no-browser or not, then nothing, a number of seeds, or --seed and a number",
  );
  process.exit(1);
}

const RUNS: [program: string, ...words: string[]][] = [
  [
    "vitest/vitest.mjs",
    "run",
    "testing/hostile/hostile.test.ts",
    "testing/simulation.test.ts",
    "testing/row-writer.test.ts",
  ],
];
if (withBrowser) RUNS.push(["@playwright/test/cli.js", "test", "e2e/chaos", "--reporter=line"]);

await setUp((line) => console.log(line));
const browser = withBrowser ? await findBrowser() : null;
process.exitCode = await explore();

/**
 * Explores seeds.
 * @returns The exit code.
 */
async function explore(): Promise<number> {
  for (let done = 0; done < count; done++) {
    const seed = only ?? Math.floor(Math.random() * 2 ** 31);
    console.log(`-- seed ${seed}`);
    for (const [program, ...words] of RUNS) {
      const { code, output } = await runNode(join(ROOT, "node_modules", program), words, {
        env: { CHAOS_SEED: String(seed), ...(browser ? { CHROMIUM_PATH: browser } : {}) },
      });
      if (code === 0) continue;
      console.log(output);
      console.log(`seed ${seed} failed: npm run chaos -- --seed ${seed}`);
      return 1;
    }
  }
  return 0;
}
