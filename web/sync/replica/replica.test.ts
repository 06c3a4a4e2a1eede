import { expect, test } from "vitest";
import { authorOf, makeAuthor } from "../../../board/author.ts";
import { getObject, stackedObjects } from "../../../board/board.ts";
import type { BoardObject, ObjectId } from "../../../board/drawing.ts";
import { ours, parsed, rect } from "../../../board/merge-bed.case.ts";
import { changesTo } from "../../../board/version.ts";
import { createReplica } from "./replica.ts";

function createPage() {
  return createReplica({
    ...{ author: makeAuthor(1, "ann"), now: () => 0, random: () => 0 },
    onFault: (fault) => expect.unreachable(String(fault)),
  });
}

test("UND-1 undo of an edit does not restore an object that the edit left as it was, and a peer removed", () => {
  const { board, editor, pending, receive, undo } = createPage();
  const [red, blue] = editor.add([
    { ...rect, fill: "red" },
    { ...rect, fill: "blue" },
  ]) as [BoardObject, BoardObject];
  pending.markSent(board.objects.keys());
  editor.change([red, blue].map(({ id }) => ({ id, props: { fill: "red" } })));
  receive(parsed(ours([], { [authorOf(red.id)]: [0, 0] })));
  undo();
  expect(stackedObjects(board)).toMatchObject([{ id: blue.id, fill: "blue" }]);
});

test("MRG-8 undo of an addition leaves alone what was lowered for it, also under a fresh id", () => {
  const { board, editor, receive, undo } = createPage();
  const stamps = { order: [2 ** 31 - 1, "zzz"] };
  receive(parsed(ours([{ ...rect, id: "bob-0", z: 2 ** 39 + 1, fill: "red", stamps }])));
  editor.add([rect]);
  const [lowered] = stackedObjects(board);
  expect(lowered).toMatchObject({ fill: "red", z: 1 });
  undo();
  expect(stackedObjects(board)).toEqual([lowered]);
});

test("UND-4 an edit that changes nothing leaves what can be redone", () => {
  const { board, editor, redo, undo } = createPage();
  const [first] = editor.add([rect]);
  editor.add([rect]);
  undo();
  editor.change([{ id: (first as BoardObject).id, props: { width: rect.width } }]);
  redo();
  expect(stackedObjects(board)).toHaveLength(2);
});

test("UND-1 undo of an earlier version that was restored returns to what peers had made of the board meanwhile", () => {
  const replica = createPage();
  const drawn = ["bob-0", "bob-1", "bob-2"].map((id, z) => ({ ...rect, id, z, fill: "blue" }));
  const version = parsed(ours(drawn));
  replica.receive(version);
  const red = { ...drawn[1], fill: "red", stamps: { look: [1, "bob"] } };
  replica.receive(parsed(ours([red], { bob: [2, 2] })));
  const edit = replica.editInSlices((board, author) =>
    changesTo(board, author, version, { onlyMissing: false, size: 1 }),
  );
  edit.next();
  const moved = { ...red, left: 50, stamps: { ...red.stamps, place: [1, "bob"] } };
  const back = { ...drawn[2], life: 1, fill: "green", stamps: { look: [1, "bob"] } };
  replica.receive(parsed(ours([moved, back])));
  expect([...edit]).toHaveLength(3);
  const shown = (id: string) => getObject(replica.board, id as ObjectId);
  expect(["bob-1", "bob-2"].map((id) => shown(id)?.["fill"])).toEqual(["blue", "blue"]);
  expect(shown("bob-1")?.left).toBeUndefined();
  replica.undo();
  expect(shown("bob-1")).toMatchObject({ left: 50, fill: "red" });
  expect(shown("bob-2")).toMatchObject({ fill: "green" });
});
