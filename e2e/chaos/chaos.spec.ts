import { test } from "../fixtures.ts";
import { weather } from "./storm.ts";

/** `npm run chaos` sets it: explore with this seed instead of the fixed ones. */
const explored = process.env["CHAOS_SEED"];

test.describe.configure({ timeout: 170_000 });

if (explored === undefined) {
  for (const seed of [1, 2, 3])
    test(`E2E-40 three boards and the row are equal after a storm, seed ${seed}`, async ({
      product,
      browser,
    }) => weather(seed, product, browser));
} else {
  test(`a storm of seed ${explored}`, async ({ product, browser }) =>
    weather(Number(explored), product, browser));
}
