import { expect, test } from "vitest";
import { makeAuthor } from "./author.ts";
import { createBoard } from "./board.ts";
import { createChangeLog, logChanges } from "./change-log.ts";
import type { ObjectId } from "./drawing.ts";
import { addObjects, changeObjects, removeObjects } from "./edit.ts";

const ann = makeAuthor(2500, "ann");
const vandal = makeAuthor(2500, "vandal");
const path = { type: "Path", path: `M0 0${"q5 5 10 0".repeat(100)}` } as const;

test("HOST-40 the change log is bounded, and a flood under other names pushes out no trace of one name's changes", () => {
  const board = createBoard();
  const log = createChangeLog(0, { entries: 500, weight: 100_000 });
  let at = 0;
  const remove = (ids: readonly ObjectId[], by: string): void =>
    logChanges(log, removeObjects(board, ids), { at: ++at, by });
  const add = (author: typeof ann, count: number) =>
    addObjects(
      board,
      author,
      Array.from({ length: count }, () => path),
    );
  const lost = add(ann, 5).added.map(({ id }) => id);
  expect(lost).toHaveLength(5);
  remove(lost, "vandal");
  for (let round = 0; round < 300; round++) {
    const changes = add(vandal, 1);
    logChanges(log, changes, { at: ++at, by: `name${round % 3}` });
    remove(
      changes.added.map(({ id }) => id),
      `name${round % 3}`,
    );
  }
  for (const id of lost) {
    expect(log.removed.get(id)?.by).toBe("vandal");
    expect(log.states.get(id)).toHaveLength(1);
  }
  expect(log.weight).toBeLessThanOrEqual(100_000);
  const [states, shares] = [[...log.states.values()], [...log.shares.values()]];
  expect(states.flat().length).toBe(shares.reduce((sum, { entries }) => sum + entries.length, 0));
  expect(states.length).toBeLessThan(300);
  for (let round = 0; round < 600; round++) logChanges(log, add(ann, 1), { at: ++at, by: "ann" });
  expect(log.added.size).toBe(500);
});

test("HOST-40 of an object that is changed again and again the first states are kept, and an author's own changes cost nothing", () => {
  const board = createBoard();
  const log = createChangeLog(0);
  const [object] = addObjects(board, ann, [path]).added;
  const id = object?.id as ObjectId;
  const change = (author: typeof ann, left: number): void => {
    const before = [...board.objects.values()];
    const { changed } = changeObjects(board, author, [{ id, props: { left } }]);
    logChanges(log, { added: [], changed, removed: [], before }, { at: left, by: "x" });
  };
  for (let left = 1; left < 10; left++) change(ann, left);
  expect(log.states.has(id)).toBe(false);
  for (let left = 10; left < 60; left++) change(left % 2 === 0 ? vandal : ann, left);
  expect(log.states.get(id)).toHaveLength(8);
  expect(log.states.get(id)?.[0]?.object).toMatchObject({ left: 9 });
});
