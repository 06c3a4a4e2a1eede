/**
 * `npm run chaos`: storms with new seeds until one fails, which is printed. `npm run chaos -- 20`
 * tries that many; `npm run chaos -- --seed 7` tries that seed.
 */

import "./node-version.mjs";

const { join } = await import("node:path");
const { findBrowser } = await import("./browser.mjs");
const { runNode, stopChildren } = await import("./process.mjs");
const { ROOT } = await import("./root.mjs");
const { setUp } = await import("./setup.mjs");

for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"]))
  process.on(signal, () => {
    stopChildren();
    process.exit(1);
  });

const [first, second] = process.argv.slice(2);
const only = first === "--seed" ? Number(second) : null;
const count = only === null ? Number(first ?? Infinity) : 1;
if (Number.isNaN(count) || Number.isNaN(only ?? 0)) {
  console.error("expected nothing, a number of seeds, or --seed and a number");
  process.exit(1);
}

await setUp((line) => console.log(line));
const browser = await findBrowser();
process.exitCode = await explore();

/** @returns {Promise<number>} The exit code. */
async function explore() {
  for (let done = 0; done < count; done++) {
    const seed = only ?? Math.floor(Math.random() * 2 ** 31);
    console.log(`-- seed ${seed}`);
    const { code, output } = await runNode(
      join(ROOT, "node_modules/@playwright/test/cli.js"),
      ["test", "e2e/chaos", "--reporter=line"],
      { env: { CHAOS_SEED: String(seed), ...(browser ? { CHROMIUM_PATH: browser } : {}) } },
    );
    if (code === 0) continue;
    console.log(output);
    console.log(`seed ${seed} failed: npm run chaos -- --seed ${seed}`);
    return 1;
  }
  return 0;
}
