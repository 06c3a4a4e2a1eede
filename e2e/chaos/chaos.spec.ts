import { test } from "../fixtures.ts";
import { runChaos } from "./run.ts";

/** The seed; `npm run chaos` gives others. */
const seed = Number(process.env["CHAOS_SEED"] ?? 1);

test.describe.configure({ timeout: 300_000 });

test(`SYN-9 three boards and the row are equal after a chaos run, seed ${seed}`, async ({
  product,
  browser,
}) => runChaos(seed, product, browser));
