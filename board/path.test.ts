import * as fabric from "fabric";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  encodeCommands,
  encodeData,
  encodePath,
  isPath,
  parsePath,
  simplify,
  thinStroke,
} from "./path.ts";

const points = fc
  .array(
    fc.tuple(
      fc.double({ min: -5000, max: 5000, noNaN: true }),
      fc.double({ min: 0, max: 3000, noNaN: true }),
    ),
    { minLength: 1, maxLength: 60 },
  )
  .map((list) => list.flat());

/** Reads a path as Fabric does: absolute M, L, Q, C, Z. */
function asFabricReads(text: string): { readonly commands: string; readonly coords: number[] } {
  const path = fabric.util.makePathSimpler(fabric.util.parsePath(text));
  return {
    commands: path.map(([letter]) => letter).join(""),
    coords: path.flatMap((command) => command.slice(1) as number[]),
  };
}

function expectSame(text: string): void {
  const ours = parsePath(text);
  const theirs = asFabricReads(text);
  expect(ours?.commands, text).toBe(theirs.commands);
  const { coords } = theirs;
  expect(ours?.coords, text).toEqual(coords.map((coord) => expect.closeTo(coord, 3)));
}

describe("path text", () => {
  test("DAT-15 the curve runs through the middles of points that are each within 0.1 px of the hand's", () => {
    fc.assert(
      fc.property(points, (flat) => {
        const text = encodePath(flat);
        expect(isPath(text)).toBe(true);
        const { commands, coords } = parsePath(text) ?? { commands: "", coords: [] };
        const far = (value: number | undefined, expected: number | undefined): number =>
          Math.abs((value ?? Number.NaN) - (expected ?? Number.NaN));
        expect(far(coords[0], flat[0])).toBeLessThan(0.0501);
        // A dot is drawn out by 0.1 px, so that it shows.
        if (commands === "ML") return;
        expect(far(coords.at(-2), flat.at(-2))).toBeLessThan(0.1001);
        expect(far(coords.at(-1), flat.at(-1))).toBeLessThan(0.1001);
        if (!commands.includes("Q")) return;
        for (let at = 2; at + 2 < coords.length; at += 4) {
          // The controls of two neighbouring curves, and the middle between them.
          expect(far(coords[at + 2], ((coords[at] ?? 0) + (coords[at + 4] ?? 0)) / 2)).toBeLessThan(
            0.1001,
          );
        }
      }),
      { seed: 20_261_121, numRuns: 300 },
    );
  });

  test("DAT-15 our own path text means the same to Fabric", () => {
    fc.assert(
      fc.property(points, (flat) => expectSame(encodePath(flat))),
      { seed: 20_261_121, numRuns: 200 },
    );
    expect(encodePath([10, 20])).toBe("M10 20l.1 0");
    expect(encodePath([10, 20, 10.04, 20.01])).toBe("M10 20l.1 0");
    expect(encodePath([1, 2, 4.5, 1.25])).toBe("M1 2l3.5-.7");
    expect(encodePath([])).toBe("");
    expect(encodePath([0, 0, 10, 0, 10, 10, 0, 10])).toBe("M0 0q0 0 5 0t5 5-5 5l-5 0");
  });

  test("every command is read as Fabric reads it, shorthands resolved", () => {
    for (const text of [
      "M10 20 30 40 50 60z",
      "m10 20 5 5h3v-4H0V1z l1 1",
      "M0 0q1 2 3 4t5 6 7 8T1 1t2 2",
      "M0 0c1 2 3 4 5 6s1 2 3 4S9 9 8 8",
      "M1 1t3 3M5 5.5.5.5l-.5.25-1e-1 2E1",
      "M0 0Q1 1 2 2L3 3t4 4",
      "M10 10a25 10-30 01 50 25",
      "M10 10A5 5 0 0020 20 3 3 0 1 1 30 10z",
      "M0,0,5,5L6,6",
      "M0 0a5 5 0 0 1 0 5a1 2 0 0 1 1 2a2 1 0 1 0 2-2l1 1",
      "M1 1a5 5 0 0 1 5 0q1 1 2 2",
    ]) {
      expectSame(text);
    }
    expect(parsePath("M0 0a0 5 0 0 1 5 5")).toEqual({ commands: "ML", coords: [0, 0, 5, 5] });
    expect(parsePath("M0 0a5 0 0 0 1 5 5")).toEqual({ commands: "ML", coords: [0, 0, 5, 5] });
    expect(parsePath("M1 2a5 5 0 0 1 0 0")).toEqual({ commands: "ML", coords: [1, 2, 1, 2] });
    expect(parsePath("M0 0a5 5 0 0 1 5 5")?.commands).toBe("MC");
    expect(parsePath("M0 0 X")).toBeNull();
  });

  test("DAT-6 the coordinates of an arc are finite, however small its radii are", () => {
    for (const radii of ["1e-300 1e-300", "1e-300 5", "1 1e-300", "1e-160 1e-160"]) {
      for (const end of ["10 10", "0 10", "10 0", ".000001 0"]) {
        const coords = parsePath(`M0 0a${radii} 0 0 1${end}`)?.coords ?? [Number.NaN];
        expect([radii, end, coords.every(Number.isFinite)]).toEqual([radii, end, true]);
      }
    }
    expect(parsePath("M0 0a1e-300 1e-300 0 0 1 10 10")).toEqual({
      commands: "ML",
      coords: [0, 0, 10, 10],
    });
  });

  test("coordinates read from an arc have six decimals, like all others", () => {
    const coords = parsePath("M0 0a5 5 20 0 1 3 3")?.coords ?? [];
    expect(coords.length).toBeGreaterThan(2);
    for (const coord of coords) expect(Math.round(coord * 1e6) / 1e6).toBe(coord);
  });

  test("DAT-15 Fabric's commands are written as path text, unless one of them is none", () => {
    const line = [["M", 1, 2], ["L", 4.5, 1.25], ["Z"]];
    expect(encodeCommands(line)).toBe("M1 2l3.5-.7z");
    for (const bad of [
      ["L", 1, "2"],
      ["L", "1", 2],
      ["L", 1],
      ["LL", 1, 2],
      ["", 1, 2],
      ["X", 1, 2],
      [7, 1, 2],
      "L",
      null,
    ])
      expect(encodeCommands([...line, bad]), JSON.stringify(bad)).toBeNull();
  });

  test("MRG-17 a path whose steps are longer than a reader takes is written with absolute commands, and read again", () => {
    const ends = "M-9000000 0L9000000 5L9000000 9Q9000000 10-9000000 10L-9000000 0z";
    const data = parsePath(`${ends}M9000000 0l1 1`);
    const written = encodeData(data ?? { commands: "", coords: [] });
    expect(written).toBe("M-9000000 0 9000000 5l0 4Q9000000 10-9000000 10l0-10zM9000000 0l1 1");
    expect(parsePath(written)).toEqual(data);
  });

  test("writing a parsed path and reading it again changes nothing", () => {
    const text = "M1.5 2l3-.5.5.5q1 1 2-2c1 1 2 2 3 3zm1 1l5 5l-3.5 0";
    const data = parsePath(text);
    if (data === null) throw new Error("not a path");
    const written = encodeData(data);
    expect(parsePath(written)).toEqual(data);
    expect(written.length).toBeLessThanOrEqual(text.length);
    expect(encodeData(data, 0)).not.toContain(".");
    expect(
      parsePath(encodeData({ commands: "ML", coords: [0.123456, 0, 0.5, 1e-6] }, 6))?.coords,
    ).toEqual([0.123456, 0, 0.5, 1e-6]);
  });
});

describe("leaving points out", () => {
  test("points on a line go, corners stay, and nothing is farther than the tolerance", () => {
    expect(simplify([0, 0, 1, 0.1, 2, 0, 3, 5, 4, 10], 0.5)).toEqual([0, 0, 2, 0, 4, 10]);
    expect(simplify([], 1)).toEqual([]);
    expect(simplify([3, 4], 1)).toEqual([3, 4]);
    expect(simplify([0, 0, 1, 1, 2, 0], 1)).toEqual([0, 0, 2, 0]);
    expect(simplify([0, 0, 9, 0, 0, 0], 1)).toEqual([0, 0, 9, 0, 0, 0]);
    fc.assert(
      fc.property(points, fc.double({ min: 0.1, max: 50, noNaN: true }), (flat, tolerance) => {
        const simplified = simplify(flat, tolerance);
        expect(simplified.slice(0, 2)).toEqual(flat.slice(0, 2));
        expect(simplified.slice(-2)).toEqual(flat.slice(-2));
        for (let at = 0; at < flat.length; at += 2) {
          const far = distance([flat[at] ?? 0, flat[at + 1] ?? 0], simplified);
          expect(far).toBeLessThanOrEqual(tolerance + 1e-6);
        }
      }),
      { seed: 20_261_121, numRuns: 100 },
    );
  });

  test("a smoothed stroke keeps the neighbours of its corners, so that they stay sharp", () => {
    const along = Array.from({ length: 21 }, (_, at) => [at * 5, 0]);
    const down = Array.from({ length: 20 }, (_, at) => [100, at * 5 + 5]);
    const thin = thinStroke([...along, ...down].flat(), 0.3);
    expect(thin).toEqual([0, 0, 5, 0, 95, 0, 100, 0, 100, 5, 100, 95, 100, 100]);
  });
});

/** The distance of a point from a polyline. */
function distance([x, y]: readonly [number, number], line: readonly number[]): number {
  let min = Infinity;
  for (let at = 0; at < line.length; at += 2) {
    const [ax, ay] = [line[at] ?? 0, line[at + 1] ?? 0];
    const [bx, by] = [line[at + 2] ?? ax, line[at + 3] ?? ay];
    const length = (bx - ax) ** 2 + (by - ay) ** 2;
    const along = length === 0 ? 0 : ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length;
    const clamped = Math.min(1, Math.max(0, along));
    min = Math.min(min, Math.hypot(x - ax - clamped * (bx - ax), y - ay - clamped * (by - ay)));
  }
  return min;
}
