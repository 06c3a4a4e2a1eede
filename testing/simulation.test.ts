import { describe, expect, test } from "vitest";
import { simulate } from "./simulation.ts";

const SEEDS = Number(process.env["SIMULATION_SEEDS"] ?? 400);
const FIRST = Number(process.env["SIMULATION_FIRST"] ?? 1);

describe("five people over a bad network", () => {
  test("SYN-9 nothing is lost, shown twice or told wrong in random histories, and all end alike", async () => {
    const broken: string[] = [];
    for (let seed = FIRST; seed < FIRST + SEEDS; seed += 1) {
      await simulate({ seed }).catch((error: unknown) => void broken.push(String(error)));
    }
    expect(broken).toEqual([]);
  });
});
