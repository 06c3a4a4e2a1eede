import { describe, expect, test } from "vitest";
import { confusion } from "../../../testing/strokes/confusion.ts";
import { type Origin, readStrokes } from "../../../testing/strokes/recorded.ts";
import { SHAPE_KINDS } from "../../../testing/strokes/strokes.ts";

const ORIGINS: readonly (readonly [origin: Origin, count: number])[] = [
  ["code", 200],
  ["mouse", 80],
];

describe.each(ORIGINS)("strokes recorded of %s", (origin, count) => {
  const recorded = (kind: (typeof SHAPE_KINDS)[number] | "scribble") =>
    readStrokes(kind)
      .filter((stroke) => stroke.origin === origin)
      .map(({ points }) => points);

  test.each(SHAPE_KINDS)(
    "CAN-85 those that mean a shape (%s) are recognised, 9 of 10 at least, and at most 1 of 20 is taken for another one",
    (kind) => {
      const strokes = recorded(kind);
      expect(strokes.length).toBeGreaterThanOrEqual(count);
      const { [kind]: right = 0, ink = 0 } = confusion(strokes);
      expect(right).toBeGreaterThanOrEqual(0.9 * strokes.length);
      expect(strokes.length - right - ink).toBeLessThanOrEqual(0.05 * strokes.length);
    },
  );

  test("CAN-85 of scribbles at most 1 of 50 is taken for a shape", () => {
    const scribbles = recorded("scribble");
    expect(scribbles.length).toBeGreaterThanOrEqual(count);
    expect(confusion(scribbles)["ink"]).toBeGreaterThanOrEqual(0.98 * scribbles.length);
  });

  test("the strokes are from 30 to 900 px large, and begin and end where they were drawn", () => {
    const sizes = [...SHAPE_KINDS, "scribble" as const].flatMap(recorded).map((points) => {
      const xs = points.map(({ x }) => x);
      const ys = points.map(({ y }) => y);
      return Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
    });
    expect(Math.min(...sizes)).toBeLessThan(40);
    expect(Math.max(...sizes)).toBeGreaterThan(800);
  });
});
