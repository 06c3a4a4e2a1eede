/**
 * The confusion tables of the recognition of shapes: what the recorded strokes of each kind are taken for
 * (`testing/fixtures/strokes`, which `bench/shapes/record.ts` writes), and 1,000 of each that code draws now.
 *
 *   npx tsx bench/shapes/run.ts
 */

import { table } from "../../lab/measuring/figures.ts";
import { confusion } from "../../testing/strokes/confusion.ts";
import type { Point } from "../../testing/strokes/motion.ts";
import { type Origin, readStrokes } from "../../testing/strokes/recorded.ts";
import { type DrawnKind, drawnStroke, SHAPE_KINDS } from "../../testing/strokes/strokes.ts";

const COLUMNS = [...SHAPE_KINDS, "ink"] as const;

function print(title: string, strokesOf: (kind: DrawnKind) => readonly (readonly Point[])[]): void {
  const rows = ([...SHAPE_KINDS, "scribble"] as const).map((kind) => {
    const strokes = strokesOf(kind);
    const counts = confusion(strokes);
    const right = counts[kind === "scribble" ? "ink" : kind] ?? 0;
    const share = `${((100 * right) / strokes.length).toFixed(1)} %`;
    return [kind, ...COLUMNS.map((column) => counts[column] ?? 0), share];
  });
  console.log(`${title}\n\n${table(["drawn", ...COLUMNS, "right"], rows)}\n`);
}

const recorded = (origin: Origin) => (kind: DrawnKind) =>
  readStrokes(kind)
    .filter((stroke) => stroke.origin === origin)
    .map(({ points }) => points);

print("Recorded, over the mouse:", recorded("mouse"));
print("Recorded, by code:", recorded("code"));
print("1,000 by code, drawn now:", (kind) =>
  Array.from({ length: 1_000 }, (_, seed) => drawnStroke(kind, seed)),
);
