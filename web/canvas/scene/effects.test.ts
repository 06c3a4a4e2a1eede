import { describe, expect, test } from "vitest";
import type { BoardObject, ObjectId } from "../../../board/drawing.ts";
import { MAX_EFFECTS } from "./cost.ts";
import { type Item, makeFabricItem } from "./item.ts";
import { Scene } from "./scene.ts";

const PLAIN = { type: "Rect", width: 10, height: 10 };
const SHADOW = { ...PLAIN, shadow: { color: "#000000", blur: 5 } };

function itemAt(z: number, look: object = SHADOW): Item {
  return makeFabricItem({ ...look, id: `aaa-${z}` as ObjectId, z } as BoardObject, undefined);
}

function sceneOf(items: readonly Item[]): Scene {
  const scene = new Scene();
  for (const item of items) scene.add(item);
  return scene;
}

const range = (from: number, to: number): Item[] =>
  Array.from({ length: to - from }, (_, index) => itemAt(from + index));

/** The z of the items that are painted without their effects. */
const plain = (items: readonly Item[]): number[] =>
  items.filter((item) => item.plain).map(({ object }) => object.z);

describe("PNT-7 objects that keep their effects", () => {
  test("all, as long as they are few", () => {
    const items = range(0, MAX_EFFECTS);
    const scene = sceneOf([...items, itemAt(999, PLAIN)]);
    expect(scene.effects.settle()).toEqual([]);
    expect(plain(items)).toEqual([]);
  });

  test("the lowest in the stack, in any order of arrival", () => {
    const items = range(0, MAX_EFFECTS + 3);
    const scene = sceneOf(items.toReversed());
    const changed = scene.effects.settle();
    expect(plain(items)).toEqual([MAX_EFFECTS, MAX_EFFECTS + 1, MAX_EFFECTS + 2]);
    expect(plain(changed).length).toBe(changed.length);
    expect(scene.effects.settle()).toEqual([]);
  });

  test("the next ones when others go, and those that look different are returned", () => {
    const items = range(0, MAX_EFFECTS + 3);
    const scene = sceneOf(items);
    scene.effects.settle();
    for (const item of items.slice(0, 2)) scene.remove(item);
    expect(scene.effects.settle().map(({ object }) => object.z)).toEqual([
      MAX_EFFECTS,
      MAX_EFFECTS + 1,
    ]);
    scene.add(items[0] as Item);
    expect(scene.effects.settle()).toEqual([items[MAX_EFFECTS + 1]]);
    expect(plain(items.slice(2))).toEqual([MAX_EFFECTS + 1, MAX_EFFECTS + 2]);
  });

  test("one that has too many does not take them from those above it", () => {
    const group = { type: "Group", objects: Array.from({ length: 300 }, () => SHADOW) };
    const items = [itemAt(0), itemAt(1, group), itemAt(2)];
    sceneOf(items).effects.settle();
    expect(plain(items)).toEqual([1]);
  });

  test("an emptied scene begins anew", () => {
    const scene = sceneOf(range(0, 300));
    scene.clear();
    const items = range(0, 10);
    for (const item of items) scene.add(item);
    scene.effects.settle();
    expect(plain(items)).toEqual([]);
  });
});
