import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hostileMessage, hostileRow } from "./hostile.ts";
import { playHostile, type HostileStep } from "./bed.ts";

/** The seed; `npm run chaos` gives new ones. A failure prints the seed and the path of the shrunk counterexample. */
const SEED = Number(process.env["CHAOS_SEED"] ?? 20_261_122);
const RUNS = Number(process.env["HOSTILE_RUNS"] ?? 450);
/** The number of rows and of messages in `RUNS` histories: each has up to 24 steps, a third of them rows and a third messages. */
const EXPECTED = Math.floor((RUNS * 10) / 3);

const step: fc.Arbitrary<HostileStep> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("row" as const), row: hostileRow }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant("message" as const), message: hostileMessage }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("draw" as const), page: fc.nat(1) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("look" as const), page: fc.nat(1) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("wait" as const),
      ms: fc.constantFrom(1, 50, 400, 1_500, 6_000),
    }),
  },
);

const message = (payload: object): HostileStep => ({
  do: "message",
  message: { event: "canvas-update", payload },
});

/** Histories that failed once, or with a fault put in on purpose, shrunk. */
const FOUND: readonly (readonly [name: string, steps: readonly HostileStep[]])[] = [
  [
    "rows that the pages doubt for 5 s, of which the last one is announced",
    [
      { do: "message", message: { event: "@observed", payload: { of: 0, edits: [{ at: 0 }] } } },
      { do: "row", row: { objects: [], inkpool: [] } },
      { do: "wait", ms: 6000 },
      { do: "draw", page: 0 },
      { do: "draw", page: 0 },
      {
        do: "row",
        row: {
          objects: [{ "@repeat": 30, of: { type: "Rect", width: 9, height: 9 } }],
          inkpool: null,
        },
      },
      { do: "message", message: { event: "@observed", payload: { of: 0, edits: [{ at: 0 }] } } },
    ],
  ],
  [
    "an unreadable copy of an object that one page has and the other removed",
    [
      { do: "row", row: { objects: [{ type: "Path", id: "@id:0" }] } },
      message({
        json: {
          objects: [{ "@repeat": 600, of: { type: "Rect", width: 9, height: 9 } }],
          inkpool: { format: 1, seen: { "@author:0": 0 } },
        },
        clientId: "@client:0",
      }),
      { do: "wait", ms: 1 },
    ],
  ],
  [
    "an update under the clientId of one page, which that page ignores",
    [
      message({
        json: {
          objects: [{ "@repeat": 600, of: { type: "Rect", width: 9, height: 9 } }],
          inkpool: "",
        },
        clientId: "@client:0",
      }),
    ],
  ],
  [
    "a row with an object under the id of a stroke that its page has not sent",
    [
      { do: "draw", page: 1 },
      { do: "draw", page: 1 },
      {
        do: "row",
        row: {
          objects: [{ type: "Rect", id: "@next:1", width: 5, height: 5 }],
          inkpool: { format: 1, seen: {} },
        },
      },
      { do: "wait", ms: 6000 },
    ],
  ],
  [
    "an object under a page's name and a number that it has not used, which is removed again",
    [
      {
        do: "row",
        row: {
          objects: [{ type: "Path", id: "@next:0", path: "M0 0l1 1" }],
          inkpool: { format: 1, seen: [] },
        },
      },
      message({
        json: { objects: [], inkpool: { format: 1, seen: { "@author:0": [0, 2] } } },
        clientId: "attacker0000",
      }),
      { do: "wait", ms: 1 },
    ],
  ],
];

/** Inputs beyond those of random histories: as large as a row or a message can be. */
const LARGE: readonly (readonly [name: string, steps: readonly HostileStep[]])[] = [
  ["a row of 100,000 objects", [{ do: "row", row: rects(100_000) }]],
  ["a row of 100,001 objects", [{ do: "row", row: rects(100_001) }]],
  [
    "a row of 20,000 authors",
    [{ do: "row", row: { objects: [], inkpool: { format: 1, seen: { "@authors": 20_000 } } } }],
  ],
  [
    "a message of 20,000 authors and 20,000 objects",
    [
      message({
        json: { ...rects(20_000), inkpool: { format: 1, seen: { "@authors": 20_000 } } },
        clientId: "attacker0000",
      }),
    ],
  ],
];

function rects(count: number): object {
  return {
    objects: [{ "@repeat": count, of: { type: "Rect" } }],
    inkpool: { format: 1, seen: {} },
  };
}

describe("a hostile visitor", () => {
  test("SYN-9 honest strokes before, during and after hostile rows and messages are there in the end", async () => {
    const counts = { row: 0, message: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 24, size: "max" }),
        async (steps) => {
          for (const one of steps) if (one.do === "row" || one.do === "message") counts[one.do]++;
          await playHostile(steps);
        },
      ),
      { seed: SEED, numRuns: RUNS },
    );
    if (RUNS >= 450) expect(Math.min(counts.row, counts.message)).toBeGreaterThanOrEqual(EXPECTED);
  }, 900_000);

  test.each(FOUND)("SYN-9 nothing is lost by %s", (_, steps) => playHostile(steps));

  test.each(LARGE)("SYN-9 nothing is lost by %s", (_, steps) => playHostile(steps), 600_000);
});
