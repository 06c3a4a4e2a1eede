import { expect, test } from "vitest";
import type { BoardChanges, BoardObject, ObjectId } from "../../../board/drawing.ts";
import { createChangeQueue, SHOWN_PER_SLICE } from "./change-queue.ts";

function object(at: number, left = 0): BoardObject {
  return { type: "Rect", id: `a-${at}` as ObjectId, z: at, left };
}

function change(fields: Partial<BoardChanges>): BoardChanges {
  return { added: [], changed: [], removed: [], ...fields };
}

test("a newer change is never overwritten by a waiting slice", async () => {
  const applied: BoardChanges[] = [];
  const shown = new Map<ObjectId, BoardObject>();
  let steps: (() => void)[] = [];
  const changeQueue = createChangeQueue(
    {
      apply(changes) {
        applied.push(changes);
        for (const one of [...changes.added, ...changes.changed]) shown.set(one.id, one);
        for (const one of changes.removed) shown.delete(one.id);
      },
    },
    () => new Promise((resolve) => void steps.push(resolve)),
  );
  const count = 2 * SHOWN_PER_SLICE + 10;
  changeQueue.show(change({ added: Array.from({ length: count }, (_, at) => object(at)) }));
  expect(shown.size).toBe(SHOWN_PER_SLICE);

  // A shown object and a waiting one are moved; one of each is removed; the background changes.
  changeQueue.show(
    change({
      changed: [object(0, 7), object(count - 1, 7)],
      removed: [object(1), object(count - 2)],
      background: "#eeeeee",
    }),
  );
  expect(applied.at(-1)).toMatchObject({ changed: [object(0, 7)], background: "#eeeeee" });

  const settled = changeQueue.settled();
  while (steps.length > 0) {
    const due = steps;
    steps = [];
    for (const step of due) step();
    await Promise.resolve();
    await Promise.resolve();
  }
  await settled;
  expect(shown.size).toBe(count - 2);
  expect(shown.get(object(0).id)).toEqual(object(0, 7));
  expect(shown.get(object(count - 1).id)).toEqual(object(count - 1, 7));
  expect(applied.every(({ added }) => added.length <= SHOWN_PER_SLICE)).toBe(true);
});

test("a great change of shown objects comes in slices too, and a removal overtakes it", async () => {
  const applied: BoardChanges[] = [];
  const changeQueue = createChangeQueue(
    { apply: (changes) => void applied.push(changes) },
    async () => undefined,
  );
  const changed = Array.from({ length: 2 * SHOWN_PER_SLICE }, (_, at) => object(at, 5));
  changeQueue.show(change({ changed, background: "#eeeeee" }), true);
  expect(applied.map((one) => one.changed.length)).toEqual([0]);
  expect(applied[0]).toMatchObject({ background: "#eeeeee" });
  const last = object(2 * SHOWN_PER_SLICE - 1);
  changeQueue.show(change({ removed: [last] }));
  expect(applied.at(-1)).toMatchObject({ removed: [last], added: [], changed: [] });
  await changeQueue.settled();
  const shown = applied.flatMap((one) => one.changed);
  expect(shown).toEqual(changed.slice(0, -1));
  expect(applied.flatMap((one) => one.added)).toEqual([]);
  // The visitor's own change is visible before the call returns.
  changeQueue.show(change({ changed }));
  expect(applied.at(-1)?.changed).toEqual(changed);
});

test("PNT-83 a peer's great change waits with each slice, and the last one is marked", async () => {
  const applied: [count: number, hasMore: boolean | undefined][] = [];
  const steps: (() => void)[] = [];
  const changeQueue = createChangeQueue(
    {
      apply({ added, changed }, hasMore) {
        applied.push([added.length + changed.length, hasMore]);
      },
    },
    () => new Promise((resolve) => void steps.push(resolve)),
  );
  const added = Array.from({ length: 2 * SHOWN_PER_SLICE + 1 }, (_, at) => object(at));
  changeQueue.show(change({ added }), true);
  for (const count of [0, 1, 2, 3]) {
    expect(applied).toHaveLength(count);
    expect(steps).toHaveLength(count + 1);
    steps[count]?.();
    await Promise.resolve();
  }
  expect(applied).toEqual([
    [SHOWN_PER_SLICE, true],
    [SHOWN_PER_SLICE, true],
    [1, false],
  ]);
});

test("PNT-84 a removal of all that waits is the last slice, since the canvas still expects one", async () => {
  const applied: [count: number, hasMore: boolean | undefined][] = [];
  const changeQueue = createChangeQueue(
    {
      apply: ({ added, removed }, more) => void applied.push([added.length + removed.length, more]),
    },
    async () => undefined,
  );
  const added = Array.from({ length: SHOWN_PER_SLICE + 2 }, (_, at) => object(at));
  changeQueue.show(change({ added }));
  changeQueue.show(change({ removed: added.slice(-1) }));
  changeQueue.show(change({ removed: added.slice(-2) }));
  await changeQueue.settled();
  expect(applied).toEqual([
    [SHOWN_PER_SLICE, true],
    [1, undefined],
    [2, false],
  ]);
});

test("cleared slices are not shown any more", async () => {
  let applies = 0;
  const changeQueue = createChangeQueue(
    { apply: () => void (applies += 1) },
    async () => undefined,
  );
  changeQueue.show(
    change({ added: Array.from({ length: 3 * SHOWN_PER_SLICE }, (_, at) => object(at)) }),
  );
  changeQueue.clear();
  await changeQueue.settled();
  expect(applies).toBe(1);
});
