import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { makeAuthor, makeId } from "./author.ts";
import { createBoard, getObject, stackedObjects, type Board } from "./board.ts";
import type { Author, BoardObject, Drawing, ObjectId } from "./drawing.ts";
import { addObjects, removeObjects } from "./edit.ts";
import { toDrawing, toPartial } from "./encode.ts";
import { mergeInto } from "./merge.ts";
import { claimAuthor, discreditedNames, renameOwnObjects, type OwnObjects } from "./own-objects.ts";
import { parseDrawing } from "./parse.ts";
import { createUndoStack, makeEntry, record, renameInUndoStack, undoStep } from "./undo.ts";

const ann = makeAuthor(2500, "ann");
const bob = makeAuthor(2500, "bob");
const rect = { type: "Rect", originX: "left", originY: "top", width: 10, height: 10 } as const;

function annsBoard(): Board {
  const board = createBoard();
  claimAuthor(board, ann);
  return board;
}

function add(board: Board, author: Author, count = 1): ObjectId[] {
  const objects = Array.from({ length: count }, () => rect);
  return addObjects(board, author, objects).added.map(({ id }) => id);
}

/** A drawing without objects that claims to have observed, and removed, the objects of this context. */
function claim(context: object): Drawing {
  const parsed = parseDrawing({ objects: [], inkpool: { format: 1, seen: context } });
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.drawing;
}

const own = (unsent: readonly ObjectId[], pending: readonly ObjectId[] = unsent): OwnObjects => ({
  unsent: new Set(unsent),
  pending,
});

describe("MRG-19 a claim about unsent objects has no effect", () => {
  test("a removal of objects that were sent counts", () => {
    const board = annsBoard();
    const [sent, unsaved] = add(board, ann, 2) as [ObjectId, ObjectId];
    const { removed } = mergeInto(board, claim({ [ann]: [0, 1] }), own([], [unsaved]));
    expect(removed.map(({ id }) => id)).toEqual([sent, unsaved]);
    expect(discreditedNames(board)).toEqual([]);
  });

  test.each([
    ["numbers that the author has not used yet", { [ann]: 2 ** 31 - 1 }],
    ["all incarnations of all numbers", { [ann]: [[0, 2 ** 31 - 1, 2 ** 31 - 1]] }],
    ["the next number", { [ann]: [3, 3] }],
    ["an object that was never sent", { [ann]: [2, 2] }],
  ])("%s", (_, context) => {
    const board = annsBoard();
    const [saved, sent, unsent] = add(board, ann, 3) as [ObjectId, ObjectId, ObjectId];
    const { removed } = mergeInto(board, claim(context), own([unsent], [sent, unsent]));
    expect(removed.map(({ id }) => id).filter((id) => id !== saved)).toEqual([]);
    expect(discreditedNames(board)).toEqual([ann]);
  });

  test("a name about which somebody made a claim before its first object is not used", () => {
    const board = annsBoard();
    mergeInto(board, claim({ [ann]: 9 }), own([]));
    const successor = `${ann}secret` as Author;
    renameOwnObjects(board, [], () => successor);
    expect(add(board, ann)).toEqual([makeId(successor, 0)]);
  });

  test("an object under the id of one that was never sent does not change it, and an equal copy is no lie", () => {
    const board = annsBoard();
    const peer = createBoard();
    const [id] = add(board, ann) as [ObjectId];
    const object = getObject(board, id);
    mergeInto(board, toPartial(board, [id]), own([id]));
    expect(discreditedNames(board)).toEqual([]);
    for (const forged of [
      { ...object, left: 9_000_000, stamps: { place: [9, "zz"] } },
      { ...object, type: "Triangle" },
      { ...object, life: 3 },
    ]) {
      const parsed = parseDrawing({ objects: [forged], inkpool: { format: 1, seen: {} } });
      if (!parsed.ok) throw new Error(parsed.reason);
      mergeInto(board, parsed.drawing, own([id]));
      mergeInto(peer, parsed.drawing);
      expect(getObject(board, id)).toBe(object);
      expect(discreditedNames(board)).toEqual([ann]);
    }
    const { ids } = renameOwnObjects(board, [id], () => `${ann}secret` as Author);
    mergeInto(peer, toPartial(board, [id, ids.get(id) as ObjectId]));
    const { id: _id, ...rest } = object as BoardObject;
    expect(getObject(peer, ids.get(id) as ObjectId)).toMatchObject(rest);
  });

  test("pending objects get ids that no claim covers, on a board that believed the claim too", () => {
    const [page, peer] = [annsBoard(), createBoard()];
    const ids = add(page, ann, 3);
    const forged = claim({ [ann]: 2 ** 31 - 1 });
    mergeInto(peer, forged);
    mergeInto(peer, toDrawing(page));
    expect(stackedObjects(peer)).toEqual([]);
    mergeInto(page, forged, own(ids));
    const order = stackedObjects(page).map(({ z }) => z);
    const moved = renameOwnObjects(page, ids, (name) => `${name}x9k2` as Author);
    expect([...moved.ids.keys()]).toEqual(ids);
    expect(stackedObjects(page).map(({ z }) => z)).toEqual(order);
    expect(discreditedNames(page)).toEqual([]);
    mergeInto(peer, toPartial(page, [...ids, ...moved.ids.values()]));
    expect(stackedObjects(peer)).toEqual(stackedObjects(page));
    const [next] = add(page, ann);
    expect(next).toBe(`${ann}x9k2-3`);
    mergeInto(peer, toDrawing(page));
    expect(getObject(peer, next as ObjectId)).toBeDefined();
  });

  test("an object that a peer's drawing contains was observed, and is no false claim", () => {
    const page = annsBoard();
    const peer = createBoard();
    const [id] = add(page, ann) as [ObjectId];
    mergeInto(peer, toDrawing(page));
    mergeInto(page, toDrawing(peer), own([id]));
    expect(discreditedNames(page)).toEqual([]);
  });

  test("strokes that an earlier page left in the journal survive the same claims", () => {
    const earlier = annsBoard();
    const ids = add(earlier, ann, 2);
    const page = createBoard();
    claimAuthor(page, bob);
    mergeInto(page, toPartial(earlier, ids));
    mergeInto(page, claim({ [ann]: 40 }), own(ids));
    const { changes } = renameOwnObjects(page, ids, () => `${bob}k1` as Author);
    expect(changes.added.map(({ id }) => id)).toEqual([`${bob}k1-0`, `${bob}k1-1`]);
    expect(stackedObjects(page)).toHaveLength(2);
  });

  test("undo follows an object to its new id", () => {
    const page = annsBoard();
    const stack = createUndoStack();
    const { added } = addObjects(page, ann, [rect]);
    record(stack, makeEntry([], added));
    const ids = added.map(({ id }) => id);
    mergeInto(page, claim({ [ann]: 7 }), own(ids));
    renameInUndoStack(stack, renameOwnObjects(page, ids, () => `${ann}q` as Author).ids);
    expect(stackedObjects(page)).toHaveLength(1);
    undoStep(stack, page, ann);
    expect(stackedObjects(page)).toHaveLength(0);
  });
});

test("MRG-19 no claim removes an unsent object, and the next update reaches a board that received all claims", () => {
  const run = fc.oneof(fc.nat(6), fc.constantFrom(2 ** 31 - 1, 50));
  const runs = fc.oneof(
    run,
    fc.tuple(fc.nat(6), run).map(([from, span]) => [from, Math.min(from + span, 2 ** 31 - 1)]),
    fc.tuple(fc.nat(6), run).map(([from, to]) => [[from, Math.max(from, to), 2 ** 31 - 1]]),
  );
  const step = fc.oneof(
    fc.record({ kind: fc.constant("draw" as const) }),
    fc.record({ kind: fc.constant("send" as const) }),
    fc.record({ kind: fc.constant("remove" as const), at: fc.nat(9) }),
    fc.record({ kind: fc.constant("claim" as const), runs, name: fc.nat(3), first: fc.boolean() }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 24 }), (steps) => {
      const [page, peer] = [annsBoard(), createBoard()];
      const unsent = new Set<ObjectId>();
      const drawn = new Set<number>();
      let names: Author[] = [ann];
      const send = (): void => {
        mergeInto(peer, toDrawing(page));
        unsent.clear();
      };
      let label = 0;
      for (const one of steps) {
        if (one.kind === "draw") {
          label += 1;
          const { added } = addObjects(page, ann, [{ ...rect, width: label }]);
          unsent.add((added[0] as { id: ObjectId }).id);
          drawn.add(label);
        } else if (one.kind === "send") send();
        else if (one.kind === "remove") {
          const object = stackedObjects(page)[one.at];
          if (!object) continue;
          removeObjects(page, [object.id]);
          unsent.delete(object.id);
          drawn.delete(object["width"] as number);
        } else {
          const name = names[one.name % names.length] as Author;
          const forged = claim({ [name]: one.runs });
          if (one.first) mergeInto(peer, forged);
          const { removed } = mergeInto(page, forged, own([...unsent]));
          for (const object of removed) drawn.delete(object["width"] as number);
          expect(removed.filter(({ id }) => unsent.has(id))).toEqual([]);
          const { ids } = renameOwnObjects(page, unsent, (old) => {
            // The peer that claims has seen all earlier names, and cannot guess this one.
            const successor = `${old.slice(0, 6)}${names.length}secret` as Author;
            names = [...names, successor];
            return successor;
          });
          for (const [old, id] of ids) {
            unsent.delete(old);
            unsent.add(id);
          }
          if (!one.first) mergeInto(peer, forged);
        }
      }
      const mine = [...unsent];
      send();
      expect(stackedObjects(page).map((object) => object["width"])).toEqual([...drawn]);
      for (const id of mine) if (getObject(page, id)) expect(getObject(peer, id)).toBeDefined();
    }),
    { seed: 20_261_121, numRuns: 2000 },
  );
});
