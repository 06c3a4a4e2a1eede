import { expect, test } from "vitest";
import { createBoard, stackedObjects, type Board } from "./board.ts";
import type { Drawing } from "./drawing.ts";
import { mergeInto } from "./merge.ts";
import { MAX_OBJECTS } from "./limits.ts";
import { add, ann, ours, parsed, rect } from "./merge-bed.case.ts";
import { changesTo, refuseChangesTo, type Refusal } from "./version.ts";

test("MRG-9 an object that gets a fresh id as an earlier drawing is restored is there once", () => {
  const board = createBoard();
  const stamps = { look: [2 ** 31 - 1, "zzz"] };
  mergeInto(board, parsed(ours([{ ...rect, id: "bob-0", z: 1, stamps, fill: "red" }])));
  const earlier = parsed(ours([{ ...rect, id: "bob-0", z: 1, fill: "blue" }]));
  const changes = [...changesTo(board, ann, earlier, { onlyMissing: false })];
  expect(stackedObjects(board)).toMatchObject([{ fill: "blue" }]);
  expect(changes.flatMap(({ added }) => added)).toEqual(stackedObjects(board));
});

function refusal(board: Board, drawing: Drawing, onlyMissing: boolean): Refusal | null {
  const steps = refuseChangesTo(board, drawing, onlyMissing, 100);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

test("what is missing is not restored to a board without space for all of it", () => {
  const board = createBoard();
  add(board, ann);
  const [there] = stackedObjects(board);
  const missing = [1, 2].map((seq) => ({ ...rect, id: `bob-${seq}`, z: seq }));
  const both = parsed(ours([...missing, { ...there }]));
  board.size = MAX_OBJECTS - 2;
  expect(refusal(board, both, true)).toBeNull();
  board.size = MAX_OBJECTS - 1;
  expect(refusal(board, both, true)).toEqual({ full: true });
  // A return to the whole drawing removes what is not in it.
  expect(refusal(board, both, false)).toBeNull();
});

test("a board becomes no drawing that is too large to save", () => {
  const texts = (author: string, count: number): Drawing =>
    parsed(
      ours(
        Array.from({ length: count }, (_, seq) => ({
          ...{ type: "Textbox", text: "x".repeat(10_000), width: 100 },
          ...{ id: `${author}-${seq}`, z: seq },
        })),
      ),
    );
  const tooLarge = { tooLarge: expect.stringContaining("too large") };
  expect(refusal(createBoard(), texts("bob", 1_030), false)).toBeNull();
  expect(refusal(createBoard(), texts("bob", 1_050), false)).toEqual(tooLarge);
  const board = createBoard();
  mergeInto(board, texts("carl", 600));
  expect(refusal(board, texts("bob", 430), true)).toBeNull();
  expect(refusal(board, texts("bob", 450), true)).toEqual(tooLarge);
  expect(refusal(board, texts("bob", 450), false)).toBeNull();
  expect(refusal(board, texts("carl", 600), true)).toBeNull();
});
