import { expect, test } from "vitest";
import type { BoardObject, NewObject, ObjectId } from "../../../board/drawing.ts";
import { refuseObjects } from "./board-space.ts";

const rect: NewObject = { type: "Rect", width: 1, height: 1 };
const text = (length: number): NewObject => ({ type: "IText", text: "ä".repeat(length) });

function check(board: readonly NewObject[], added: readonly NewObject[]): string | null {
  const named = board.map((one, at) => ({ ...one, id: `aaa-${at}` as ObjectId, z: at }));
  const steps = refuseObjects(named as BoardObject[], added);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

test("UI-54 objects that make the board too large to save are refused before anything changes", () => {
  expect(check([rect], [rect])).toBeNull();
  const many: NewObject[] = Array.from({ length: 60_000 }, () => rect);
  expect(check(many, many)).toBe("the board would have more than 100,000 objects");
  const group: NewObject = { type: "Group", objects: many.slice(0, 40_000) as never };
  expect(check(many, [group])).toBe("the board would have more than 100,000 objects");
  // Each character has two bytes.
  const large = Array.from({ length: 250 }, () => text(10_000));
  expect(check(large, large)).toBeNull();
  expect(check(large, [...large, ...large])).toBe("the board would become larger than 10 MB");
});

test("UI-28 the check of the space pauses after each object", () => {
  const steps = refuseObjects([], [rect, rect, rect]);
  expect([...steps]).toHaveLength(3);
});

test("IMG-10 the pictures of a board take up at most 6 MB", () => {
  const picture = (chars: number): NewObject => ({ type: "Image", src: "x".repeat(chars) });
  const full = Array.from({ length: 15 }, () => picture(400_000));
  expect(check(full, [picture(200_000)])).toBeNull();
  expect(check(full, [picture(400_000)])).toBe("the board's pictures would take up more than 6 MB");
  // A board that others filled accepts everything else.
  expect(check([...full, ...full.slice(0, 5)], [rect])).toBeNull();
});
