import { describe, expect, test } from "vitest";
import { simulate, type SimulationOptions } from "./simulation.ts";

/** The first seed; `npm run chaos` gives new ones. */
const FIRST = Number(process.env["CHAOS_SEED"] ?? 1);
const SEEDS = Number(process.env["SIMULATION_SEEDS"] ?? 25);
/** The later seeds that were the first to find a fault put in on purpose, of 400 (bench/RESULTS.md). */
const FOUND = [31, 52];

const seedsOf = (count: number): number[] => Array.from({ length: count }, (_, at) => FIRST + at);

async function failuresOf(
  options: Omit<SimulationOptions, "seed">,
  seeds = [...seedsOf(SEEDS), ...FOUND],
): Promise<string[]> {
  const broken: string[] = [];
  for (const seed of seeds) {
    await simulate({ seed, ...options }).catch((error: unknown) => void broken.push(String(error)));
  }
  return broken;
}

describe("five participants over a bad network", () => {
  test("SYN-9 nothing is lost, shown twice or reported wrong in random histories, and all end equal", async () => {
    expect(await failuresOf({})).toEqual([]);
  }, 600_000);

  test("SYN-9 nor where eight take turns to save a large board", async () => {
    const options = { large: true, participants: 8, steps: 80 };
    expect(await failuresOf(options, seedsOf(Math.ceil(SEEDS / 10)))).toEqual([]);
  }, 600_000);

  test("SYN-9 nor beside a hostile visitor, who forges messages and rows, and plain clients with stale drawings", async () => {
    expect(await failuresOf({ intruders: true, participants: 3 })).toEqual([]);
  }, 900_000);
});
