import { test } from "../fixtures.ts";
import { runChaos } from "./run.ts";

/** The seed of `npm run chaos`, in place of the fixed ones. */
const explored = process.env["CHAOS_SEED"];

// In one worker the next run has the last one's devices.
test.describe.configure({ mode: "default", timeout: 300_000 });

if (explored === undefined) {
  for (const seed of [1, 2, 3])
    test(`SYN-9 three boards and the row are equal after a chaos run, seed ${seed}`, async ({
      product,
      browser,
      devices,
    }) => runChaos(seed, product, browser, devices));
} else {
  test(`a chaos run of seed ${explored}`, async ({ product, browser, devices }) =>
    runChaos(Number(explored), product, browser, devices));
}
