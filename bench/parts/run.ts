/**
 * Compares hand-written parts with packages that could replace them. The peers must be installed (npm run bench does
 * it).
 *
 *   npx tsx bench/parts/run.ts [--only=grid,scan,frames] [--rounds=5]
 */

import { parseArgs } from "node:util";
import { measureFrames } from "./frames.ts";
import { measureGrid } from "./grid.ts";
import { measureScan } from "./scan.ts";

const { values: options } = parseArgs({
  options: {
    only: { type: "string", default: "grid,scan,frames" },
    rounds: { type: "string", default: "5" },
  },
});

const COMPARISONS: Readonly<
  Record<string, { title: string; measure: (rounds: number) => Promise<string> }>
> = {
  grid: { title: "The grid of the canvas beside rbush and flatbush.", measure: measureGrid },
  scan: {
    title: "Checking a broadcast that came as text, and finding its payload, beside JSON.parse.",
    measure: measureScan,
  },
  frames: {
    title: "One frame for all of 1,000 receivers beside ws.send; for each delivered message.",
    measure: measureFrames,
  },
};

for (const name of options.only.split(",")) {
  const part = COMPARISONS[name];
  if (part === undefined) throw new Error(`--only knows ${Object.keys(COMPARISONS).join(", ")}`);
  console.log(`${part.title}\n\n${await part.measure(Number(options.rounds))}\n`);
}
