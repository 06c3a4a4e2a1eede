/**
 * Configures property tests to draw the same inputs in each run, so that a failure is due to the change; `npm run
 * chaos` gives other seeds.
 */

import fc from "fast-check";

fc.configureGlobal({ seed: Number(process.env["CHAOS_SEED"] ?? 1) });
