import { expect, test } from "vitest";
import { createBoard } from "../../../board/board.ts";
import type { BoardObject } from "../../../board/drawing.ts";
import { LOSS_WINDOW, OFFER_TIME } from "../../../board/losses.ts";
import { createLossWatch, type GreatLosses } from "./loss-watch.ts";

const gone = (from: number, count: number) => ({
  ...{ added: [], changed: [] },
  removed: Array.from(
    { length: count },
    (_, at) => ({ type: "Triangle", id: `abcann-${from + at}`, z: 0 }) as BoardObject,
  ),
});

function createBed() {
  let now = 0;
  const emitted: GreatLosses[] = [];
  const watch = createLossWatch(
    createBoard(),
    () => now,
    (losses) => emitted.push(losses),
  );
  return { watch, emitted, pass: (ms: number) => void (now += ms) };
}

test("UI-43 losses are somebody's as long as all of them came from one client", () => {
  const { watch, pass, emitted } = createBed();
  const by = () => emitted.splice(0).map((losses) => losses.by);
  watch.add(gone(0, 5), 20, { clientId: "ben" });
  watch.add(gone(5, 1), 15, { clientId: "ben" });
  watch.add(gone(6, 1), 14, { clientId: "cat" });
  watch.add(gone(7, 1), 13, { clientId: "cat" });
  expect(by()).toEqual(["ben", "ben", null, null]);
  watch.forget();
  pass(10 * LOSS_WINDOW);
  watch.add(gone(20, 10), 12, undefined);
  watch.add(gone(30, 1), 2, { clientId: "cat", cleared: true });
  expect(by()).toEqual([null, null]);
});

test("UI-43 after everything returned, the next losses are those of who caused them", () => {
  const { watch, emitted } = createBed();
  const { removed, ...none } = gone(0, 5);
  watch.add(gone(0, 5), 5, undefined);
  watch.add({ ...none, added: removed, removed: [] }, 0, { clientId: "ben" });
  watch.add(gone(0, 5), 5, { clientId: "ben", cleared: true });
  expect(emitted.map(({ by, losses }) => [by, losses.lost.size])).toEqual([
    [null, 5],
    ["ben", 5],
  ]);
});

test("LOS-1 later losses join the offered ones, with any claim and after any change in between", () => {
  const { watch, pass, emitted } = createBed();
  const numbers = () => emitted.splice(0).map(({ losses }) => losses.lost.size);
  watch.add(gone(0, 10), 40, { clientId: "ben" });
  pass(2 * LOSS_WINDOW);
  watch.add({ added: [], changed: [], removed: [] }, 30, { clientId: "ben" });
  watch.add(gone(10, 1), 30, { clientId: "ben", cleared: true });
  expect(numbers()).toEqual([10, 11]);
  pass(OFFER_TIME);
  watch.add(gone(11, 1), 29, { clientId: "ben", cleared: true });
  pass(2 * LOSS_WINDOW);
  watch.add(gone(12, 1), 28, { clientId: "ben", cleared: true });
  expect(numbers()).toEqual([1, 2]);
  // Few losses are never offered: the next ones begin anew.
  pass(OFFER_TIME);
  watch.add(gone(13, 2), 27, { clientId: "ben" });
  pass(2 * LOSS_WINDOW);
  watch.add(gone(15, 2), 25, { clientId: "ben" });
  watch.add(gone(17, 5), 23, { clientId: "ben" });
  expect(numbers()).toEqual([7]);
});
