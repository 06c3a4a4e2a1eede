import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createBoard, getObject, stackedObjects } from "./board.ts";
import type { Author, Drawing, NewObject, ObjectId } from "./drawing.ts";
import { addObjects, changeObjects, removeObjects, restoreObjects } from "./edit.ts";
import { toDrawing, toPartial } from "./encode.ts";
import { merge, mergeInto } from "./merge.ts";
import { parseDrawing } from "./parse.ts";

/** A fixed seed, so that a failure is the same for everybody. */
const SEED = 20_261_121;

function through(text: string): Drawing {
  const parsed = parseDrawing(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  if (parsed.faults.length > 0) throw new Error(JSON.stringify(parsed.faults));
  return parsed.drawing;
}

/** Compares two of thousands of values, as the test runner does, whose own comparison takes longer than a merge. */
function expectEqual(value: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(value, expected)) expect(value).toEqual(expected);
}

const empty = toDrawing(createBoard());

/** Hostile numbers: few ids and authors, so that the drawings overlap; absurd versions, incarnations, runs and positions. */
const count = fc.oneof(fc.nat(3), fc.constantFrom(2 ** 31 - 1, 2 ** 31, 2 ** 30, -1, 0.5, 1e300));
const author = fc.constantFrom("abc", "abd", "f00", "zzz", "__proto__", "constructor");
const stamp = fc.tuple(count, author);
const hostileObject = fc.record(
  {
    type: fc.constantFrom("Rect", "Circle", "Image", "Path", "IText", "Polyline"),
    id: fc.tuple(author, fc.oneof(fc.nat(3), count)).map(([name, seq]) => `${name}-${seq}`),
    life: count,
    z: fc.oneof(fc.nat(4), fc.constantFrom(2 ** 40, 2 ** 39 + 1, -(2 ** 40), 1e308, null, "9")),
    stamps: fc.record(
      { place: stamp, look: stamp, content: stamp, order: stamp },
      { requiredKeys: [] },
    ),
    left: fc.oneof(fc.nat(3), fc.constantFrom(1e7, 1e8, null)),
    fill: fc.constantFrom("red", "#00ff00", "url(x)", null),
    path: fc.constantFrom(
      ...["M0 0l1 1", "M0", "<svg>", "M0 0l1e7 0-9 9 9-9-9-9", `M0 0${"l1 1".repeat(60)}`],
      ...[
        "M0 0L1e9 0",
        "M0 0q1 1 2 2t3 3z",
        [
          ["M", 0, 0],
          ["L", 5, 5],
        ],
        [["M", "a"]],
        null,
      ],
    ),
    radius: fc.oneof(fc.nat(3), fc.constantFrom(-1)),
    text: fc.oneof(
      { weight: 60, arbitrary: fc.constantFrom("", "Word", 7) },
      // Longer than a text may be.
      { weight: 1, arbitrary: fc.constant("Word".repeat(3000)) },
    ),
    points: fc.constantFrom(
      [
        { x: 0, y: 0 },
        { x: 9, y: 9 },
      ],
      [{ x: "0" }],
      [],
      7,
    ),
    // A picture without a source is one that its receiver has; any other source than a picture's is refused.
    src: fc.constantFrom(
      ...["data:image/png;base64,iVBORw0KGgo=", "data:image/gif;base64,R0lGODlhAQAB"],
      ...["data:image/svg+xml;base64,PHN2Zz4=", "https://example.org/x.png", null],
    ),
    width: fc.oneof(fc.nat(9), fc.constantFrom(5000, -1, "9")),
    height: fc.oneof(fc.nat(9), fc.constantFrom(5000, null)),
    eraser: fc.constantFrom(true, false, "yes"),
    opacity: fc.constantFrom(0.4, 1, -1, 7),
    globalCompositeOperation: fc.constantFrom("multiply", "copy", "url(x)"),
    stroke: fc.constantFrom("red", "#0f0", null, 7),
    strokeWidth: fc.oneof(fc.nat(20), fc.constantFrom(1e9, -1)),
    flipX: fc.boolean(),
    angle: fc.constantFrom(0, 30, 1e9, null),
    scaleX: fc.constantFrom(0, 2, -1, 1e9),
  },
  { requiredKeys: ["type", "id"] },
);
const runs = fc.oneof(
  count,
  fc.array(count, { maxLength: 6 }),
  fc.array(fc.array(fc.oneof(fc.nat(4), count), { maxLength: 4 }), { maxLength: 4 }),
);
const hostileDrawing = fc
  .record({
    objects: fc.array(hostileObject, { maxLength: 8 }),
    background: fc.constantFrom("white", "red", "blue", 7),
    inkpool: fc.record({
      format: fc.constant(1),
      seen: fc.dictionary(author, runs, { maxKeys: 4 }),
      stamp: fc.tuple(fc.oneof(fc.nat(2), fc.constantFrom(2 ** 31 - 1)), author),
    }),
  })
  .map((input) => {
    const parsed = parseDrawing(JSON.parse(JSON.stringify(input)));
    if (!parsed.ok) throw new Error(parsed.reason);
    return parsed.drawing;
  });

describe("hostile drawings", () => {
  test("MRG-1 the laws hold for drawings with absurd numbers as well", () => {
    fc.assert(
      fc.property(hostileDrawing, hostileDrawing, hostileDrawing, (a, b, c) => {
        expectEqual(merge(a, b), merge(b, a));
        expectEqual(merge(merge(a, b), c), merge(a, merge(b, c)));
        expectEqual(merge(a, a), merge(a, empty));
        expectEqual(merge(merge(a, b), a), merge(a, b));
      }),
      { seed: SEED, numRuns: 2000 },
    );
  });

  test("MRG-9 after a hostile drawing a new object can be added, changed, removed and restored", () => {
    const object: NewObject = { type: "Rect", width: 5, height: 5 };
    fc.assert(
      fc.property(hostileDrawing, hostileDrawing, author, (a, b, name) => {
        fc.pre(/^[a-z0-9]+$/.test(name));
        const board = createBoard();
        const mine = name as Author;
        mergeInto(board, a);
        mergeInto(board, b);
        const { added } = addObjects(board, mine, [object]);
        const id = (added[0] as { id: ObjectId }).id;
        expect(stackedObjects(board).at(-1)?.id).toBe(id);
        const other = createBoard();
        mergeInto(other, through(JSON.stringify(toDrawing(board))));
        expect(getObject(other, id)).toBeDefined();
        for (const { id: each } of stackedObjects(board).slice()) {
          const { changed, added: renewed } = changeObjects(board, mine, [
            { id: each, props: { left: 77 } },
          ]);
          expect(changed.length + renewed.length).toBeLessThanOrEqual(1);
          const partial = toPartial(board, [each, ...renewed.map((one) => one.id)]);
          mergeInto(other, through(JSON.stringify(partial)));
        }
        expectEqual(toDrawing(other), toDrawing(board));
        expect(stackedObjects(other).every(({ left }) => left === 77)).toBe(true);
        const gone = removeObjects(
          board,
          stackedObjects(board).map((each) => each.id),
        ).removed;
        const back = restoreObjects(board, mine, gone).added;
        expect(back.length).toBe(gone.length);
        mergeInto(other, through(JSON.stringify(toDrawing(board))));
        expectEqual(toDrawing(other).objects, toDrawing(board).objects);
      }),
      { seed: SEED, numRuns: 1000 },
    );
  });
});
