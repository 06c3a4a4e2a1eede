import { describe, expect, test } from "vitest";
import { makeAuthor } from "./author.ts";
import { countObjects, createBoard, stackedObjects, type Board } from "./board.ts";
import type { BoardChanges, Json, ObjectId } from "./drawing.ts";
import { addObjects, changeObjects, removeObjects } from "./edit.ts";
import { toDrawing, toPartial } from "./encode.ts";
import { propsOf } from "./groups.ts";
import {
  addLosses,
  areGreat,
  LOSS_WINDOW,
  NO_LOSSES,
  restoreLosses,
  type Losses,
} from "./losses.ts";
import { mergeInto } from "./merge.ts";

const ann = makeAuthor(2500, "ann");
const bob = makeAuthor(2500, "bob");
const gradient = {
  type: "linear",
  coords: { x1: 0, y1: 0, x2: 9, y2: 9 },
  colorStops: [{ offset: 0, color: "#ff000000" }],
};
const rect = { type: "Rect", fill: "#ff0000", width: 10, height: 10 } as const;

/** Ann's page, and the effects of Bob's changes on it. */
function meet(count: number) {
  const [mine, theirs] = [createBoard(), createBoard()];
  addObjects(
    mine,
    ann,
    Array.from({ length: count }, (_, left) => ({ ...rect, left })),
  );
  mergeInto(theirs, toDrawing(mine));
  const ids = stackedObjects(mine).map(({ id }) => id);
  let losses: Losses = NO_LOSSES;
  const arrive = (touched: readonly ObjectId[], now = 1000): Losses => {
    const total = countObjects(mine);
    const changes: BoardChanges = mergeInto(mine, toPartial(theirs, touched));
    losses = addLosses(losses, changes, total, now, LOSS_WINDOW);
    return losses;
  };
  const change = (touched: readonly ObjectId[], props: Record<string, Json>, now?: number) => {
    changeObjects(
      theirs,
      bob,
      touched.map((id) => ({ id, props })),
    );
    return arrive(touched, now);
  };
  const remove = (touched: readonly ObjectId[], now?: number) => {
    removeObjects(theirs, touched);
    return arrive(touched, now);
  };
  return { mine, theirs, ids, change, remove };
}

const looks = (board: Board) => stackedObjects(board).map(propsOf);

describe("LOS-1 a great loss is noticed by its effect", () => {
  test.each([
    ["removed", null],
    ["made invisible", { visible: false }],
    ["made transparent", { opacity: 0 }],
    ["without any paint", { fill: "transparent" }],
    ["of a colour in hex without opacity", { fill: "#00000000" }],
    ["of a short colour without opacity", { fill: "#0000" }],
    ["of a colour with an opacity of 0", { fill: "rgba(0,0,0,0)" }],
    ["of a colour with an opacity of 0 %", { fill: "rgb(0 0 0 / 0%)" }],
    ["of clear gradients", { fill: gradient }],
    ["without an area", { width: 0 }],
    ["scaled to nothing", { scaleX: 0 }],
    ["moved far away", { left: 2_000_000 }],
    ["moved out of sight", { top: -11_000 }],
  ])("%s, and can be taken back", (_, props) => {
    const { mine, ids, change, remove } = meet(12);
    const before = looks(mine);
    const some = ids.slice(0, 6);
    const losses = props === null ? remove(some) : change(some, props as Record<string, Json>);
    expect(areGreat(losses)).toBe(true);
    expect([...losses.lost.keys()]).toEqual(some);
    restoreLosses(mine, ann, losses);
    expect(looks(mine)).toEqual(before);
    // Nothing is left to be restored.
    expect(restoreLosses(mine, ann, losses)).toEqual({ added: [], changed: [], removed: [] });
  });

  test("in several messages, within 5 s", () => {
    const { ids, remove } = meet(20);
    for (const [at, id] of ids.slice(0, 4).entries())
      expect(areGreat(remove([id], at))).toBe(false);
    const losses = remove([ids[4] as ObjectId], 4_900);
    expect(areGreat(losses)).toBe(true);
    expect(losses.lost.size).toBe(5);
  });

  test("not a gradual loss, nor an ordinary change", () => {
    const { ids, remove, change } = meet(20);
    for (const [at, id] of ids.slice(0, 4).entries()) remove([id], at);
    const next = remove([ids[4] as ObjectId], LOSS_WINDOW + 10);
    expect(next.lost.size).toBe(1);
    expect(areGreat(next)).toBe(false);
    expect(change(ids.slice(5), { left: 900, fill: "blue" }, LOSS_WINDOW + 20)).toBe(next);
  });

  test("all of a small board is much of it", () => {
    const { ids, remove } = meet(2);
    expect(areGreat(remove(ids.slice(0, 1)))).toBe(false);
    expect(areGreat(remove(ids.slice(1)))).toBe(true);
  });

  test("an object that comes back meanwhile is lost no longer", () => {
    const { mine, theirs, ids, change } = meet(10);
    change(ids, { visible: false });
    const back = change(ids.slice(0, 8), { visible: true });
    expect([...back.lost.keys()]).toEqual(ids.slice(8));
    expect(areGreat(back)).toBe(false);
    expect(countObjects(mine)).toBe(countObjects(theirs));
  });
});
