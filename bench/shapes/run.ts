/**
 * Prints the confusion table of the recognition of shapes: 1,000 drawn strokes of each kind, and the shapes as which
 * they are recognised.
 */

import { drawnStroke, SHAPE_KINDS } from "../../testing/strokes/strokes.ts";
import { recognize } from "../../web/canvas/recognition/recognize.ts";

const COUNT = 1_000;
const COLUMNS = [...SHAPE_KINDS, "ink"] as const;

console.log(`| drawn | ${COLUMNS.join(" | ")} |`);
console.log(`| --- |${" ---: |".repeat(COLUMNS.length)}`);
for (const kind of [...SHAPE_KINDS, "scribble"] as const) {
  const taken = Array.from(
    { length: COUNT },
    (_, seed) => recognize(drawnStroke(kind, seed))?.kind ?? "ink",
  );
  const counts = COLUMNS.map((column) => taken.filter((one) => one === column).length);
  console.log(`| ${kind} | ${counts.join(" | ")} |`);
}
