import fc from "fast-check";
import { expect, test } from "vitest";
import { compactObject } from "../../../board/compact-object.ts";
import type { BoardObject, ObjectId } from "../../../board/drawing.ts";
import { pathObject, strokeObject } from "../input/stroke-object.ts";
import type { PenStyle } from "../input/new-objects.ts";
import type { Point } from "../geometry/matrix.ts";
import { arrowBetween, outlineOf } from "../recognition/shape.ts";
import { steppedFrom } from "../recognition/held-shape.ts";
import { type Item, makePlainItem } from "../scene/item.ts";
import { arrowProps, cornersOn, endsOf, moveEnd, straightOf } from "./straight.ts";

const PEN: PenStyle = { color: "#ff0000", width: 6, eraser: false };

function itemOf(path: string, props: Record<string, unknown> = {}): Item {
  const object = { ...pathObject(path, PEN), id: "aaa0me-0" as ObjectId, z: 1, ...props };
  const item = makePlainItem(object as unknown as BoardObject);
  if (!item) throw new Error("no item");
  return item;
}

const line = (from: Point, to: Point) => outlineOf({ kind: "line", points: [from, to], head: 0 });
const arrow = (from: Point, to: Point, head = 0) => outlineOf(arrowBetween(from, to, head));

const near = (a: Point | undefined, b: Point, by = 0.35): void => {
  expect(Math.hypot((a?.x ?? NaN) - b.x, (a?.y ?? NaN) - b.y)).toBeLessThan(by);
};

const coordinate = fc.integer({ min: -20_000, max: 20_000 }).map((tenths) => tenths / 10);
const point = fc.record({ x: coordinate, y: coordinate });
const transform = fc.record({
  scaleX: fc.integer({ min: 5, max: 30 }).map((tenths) => tenths / 10),
  scaleY: fc.integer({ min: 5, max: 30 }).map((tenths) => tenths / 10),
  angle: fc.integer({ min: -180, max: 180 }),
  flipX: fc.boolean(),
  flipY: fc.boolean(),
});

test("PNT-60 lines and arrows are read back from their paths, heads of both kinds included; nothing else is", () => {
  fc.assert(
    fc.property(point, point, fc.integer({ min: 0, max: 9 }), (from, to, head) => {
      fc.pre(Math.hypot(from.x - to.x, from.y - to.y) > 20);
      expect(straightOf(line(from, to))?.kind).toBe("line");
      const read = straightOf(arrow(from, to, head / 10));
      expect(read?.kind).toBe("arrow");
      near(read?.points[0], from);
      near(read?.points[1], to);
    }),
  );
  const unlike = [
    strokeObject([0, 0, 10, 1, 20, 5, 30, 2], PEN)?.["path"] as string,
    strokeObject([5, 5], PEN)?.["path"] as string,
    "M0 0L100 0L90 10L100 0L90 -30",
    "M0 0L100 0L90 10L80 0L90 -10",
    "M0 0L0 0",
    "M0 0L10 0Z",
    "M0 0L10 0M20 0L30 0",
    "",
    `M0 0L${"1".repeat(300)} 0`,
    "M0 0L1e300 0L1e300 1e300L1e300 0L0 1e300",
  ];
  for (const path of unlike) expect(straightOf(path), path).toBeNull();
});

test("PNT-60 a moved end is where it was moved to and the other one stays, however the line is scaled and turned", () => {
  fc.assert(
    fc.property(
      point,
      point,
      point,
      transform,
      fc.tuple(fc.boolean(), fc.boolean()),
      (from, to, target, props, [isArrow, isFirst]) => {
        fc.pre(Math.hypot(from.x - to.x, from.y - to.y) > 20);
        const item = itemOf(isArrow ? arrow(from, to) : line(from, to), props);
        const before = endsOf(item);
        if (!before) throw new Error("no ends");
        fc.pre(before.every((end) => Math.hypot(end.x - target.x, end.y - target.y) > 20));
        const end = isFirst ? 0 : 1;
        const moved = moveEnd(item, end, target);
        const after = moved && endsOf(moved.item);
        near(after?.[end], target);
        near(after?.[end === 0 ? 1 : 0], before[end === 0 ? 1 : 0]);
        expect(Object.keys(moved?.props ?? {})).toEqual(["path", "left", "top"]);
        expect(straightOf(moved?.props["path"] as string)?.kind).toBe(isArrow ? "arrow" : "line");
      },
    ),
  );
});

const factor = fc
  .tuple(fc.integer({ min: 1, max: 400 }), fc.boolean())
  .map(([tenths, isMirrored]) => (isMirrored ? -tenths : tenths) / 10);

/** Any transform that a drawing may contain, slanted, tiny, huge and mirrored ones included. */
const anyTransform = fc.record({
  left: coordinate,
  top: coordinate,
  scaleX: factor,
  scaleY: factor,
  angle: fc.integer({ min: -720, max: 720 }),
  skewX: fc.integer({ min: -60, max: 60 }),
  skewY: fc.integer({ min: -60, max: 60 }),
  flipX: fc.boolean(),
  flipY: fc.boolean(),
  originX: fc.constantFrom("left", "center", "right"),
  originY: fc.constantFrom("top", "center", "bottom"),
});

test("PNT-60 an end that is moved and moved back leaves the line where it was, under any transform; so does the other end", () => {
  fc.assert(
    fc.property(
      ...[point, point, point, anyTransform],
      fc.tuple(fc.boolean(), fc.boolean()),
      (from, to, target, props, [isArrow, isFirst]) => {
        fc.pre(Math.hypot(from.x - to.x, from.y - to.y) > 20);
        const item = itemOf(isArrow ? arrow(from, to) : line(from, to), props);
        const before = endsOf(item);
        if (!before) throw new Error("no ends");
        const end = isFirst ? 0 : 1;
        const other = end === 0 ? 1 : 0;
        const there = moveEnd(item, end, target);
        if (!there) return;
        const back = moveEnd(there.item, end, before[end]);
        const ends = back && endsOf(back.item);
        // A tenth in the path's own plane is so much on the canvas, for each of the two moves.
        const unit = 0.15 * Math.max(1, growthOf(item.matrix));
        near(endsOf(there.item)?.[end], target, 2 * unit);
        near(endsOf(there.item)?.[other], before[other], 2 * unit);
        if (back) near(ends?.[end], before[end], 4 * unit);
        if (back) near(ends?.[other], before[other], 4 * unit);
        for (const { props: changed } of [there, back ?? there]) {
          expect(Object.keys(changed)).toEqual(["path", "left", "top"]);
          const object = { ...pathObject("M0 0l9 9", PEN), ...props, ...changed };
          expect({ left: 0, top: 0, ...compactObject(object) }).toMatchObject(changed);
        }
      },
    ),
    { numRuns: 2000 },
  );
});

/** By how much a map makes a length greater at the most. */
const growthOf = ([a, b, c, d]: readonly number[]): number =>
  Math.hypot(a ?? 0, b ?? 0) + Math.hypot(c ?? 0, d ?? 0);

const odd = fc.constantFrom(
  ...[NaN, Infinity, -Infinity, 0, -0, 1e-9, 1e7, -1e7, 1e21, 1e300, Number.MAX_VALUE],
);

test("PNT-60 hostile lines, transforms and pointers never throw, and yield a path with finite numbers", () => {
  const value = fc.oneof(odd, coordinate);
  const numbers = fc.array(value, { minLength: 2, maxLength: 12 });
  const text = fc.oneof(
    fc.tuple(fc.constantFrom("M", "M0 0L", "M0 0l"), numbers).map(([m, n]) => m + n.join(" ")),
    fc.tuple(point, point).map(([a, b]) => line(a, b)),
    fc.tuple(point, point).map(([a, b]) => arrow(a, b)),
    fc.constantFrom("M", "", "L0 0", "M0 0L", "M0,0L1e999,1", "\u0000", "M0 0A1 1 0 0 1 9 9"),
  );
  const hostile = fc.record(
    {
      ...{ left: value, top: value, scaleX: value, scaleY: value, angle: value },
      ...{ skewX: value, skewY: value, strokeWidth: value },
      flipX: fc.constantFrom<unknown>(true, "yes", 7),
      originX: fc.constantFrom<unknown>("left", NaN, 1e300, "middle"),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(text, hostile, value, value, fc.constantFrom(0, 1), (path, props, x, y, end) => {
      expect(() => straightOf(path)).not.toThrow();
      const object = { type: "Path", path, ...props, id: "aaa0me-0" as ObjectId, z: 1 };
      const item = makePlainItem(object as unknown as BoardObject);
      if (!item) return;
      endsOf(item);
      cornersOn(item);
      arrowProps(item);
      const moved = moveEnd(item, end as 0 | 1, { x, y });
      if (!moved) return;
      expect(straightOf(moved.props["path"] as string)).not.toBeNull();
      for (const key of ["left", "top"]) expect(moved.props[key]).toBeTypeOf("number");
      expect(moved.props["left"]).not.toBeNaN();
      expect(moved.props["top"]).not.toBeNaN();
    }),
    { numRuns: 3000 },
  );
});

test("PNT-60 a path of millions of points is no line, and is not read to find that out", () => {
  const long = `M0 0${"l1 1".repeat(1_500_000)}`;
  expect(straightOf(long)).toBeNull();
  expect(straightOf(`M0 0L100 0${" ".repeat(1_000_000)}`)).toBeNull();
  // A path of the parser's own limit has an item, and no ends.
  const item = itemOf(`M0 0${"l1 1".repeat(20_000)}`);
  expect(endsOf(item)).toBeNull();
  expect(cornersOn(item)).toEqual([]);
  expect(moveEnd(item, 1, { x: 5, y: 5 })).toBeNull();
});

test("PNT-60 an arrow's head follows the rule of the tool, one that a stroke became keeps its share", () => {
  const headOf = (item: Item) => straightOf(item.object["path"] as string)?.head ?? NaN;
  const byTool = moveEnd(itemOf(arrow({ x: 0, y: 0 }, { x: 100, y: 0 })), 1, { x: 1000, y: 0 });
  expect(headOf(byTool!.item) * 1000).toBeCloseTo(40, 0);
  const byStroke = moveEnd(itemOf(arrow({ x: 0, y: 0 }, { x: 100, y: 0 }, 0.4)), 1, {
    x: 1000,
    y: 0,
  });
  expect(headOf(byStroke!.item)).toBeCloseTo(0.4, 2);
});

test("PNT-60 a line keeps a length, and one that is flattened has no ends", () => {
  const item = itemOf(line({ x: 0, y: 0 }, { x: 50, y: 0 }));
  expect(moveEnd(item, 1, { x: 0.4, y: 0 })).toBeNull();
  expect(endsOf(itemOf("M0 0L50 20", { scaleX: 0 }))).toBeNull();
  expect(moveEnd(itemOf("M0 0L50 20", { scaleX: 0 }), 0, { x: 9, y: 9 })).toBeNull();
});

test("CAN-87 a line that was drawn before the code of shapes becomes the arrow of the tool", () => {
  const object = strokeObject([10, 20, 110, 20], PEN);
  const item = itemOf(object?.["path"] as string);
  const props = arrowProps(item);
  expect(props).toEqual({
    path: arrow({ x: 10, y: 20 }, { x: 110, y: 20 }),
    left: 7,
    top: expect.any(Number) as number,
  });
  const ends = endsOf(itemOf(props?.["path"] as string, props ?? {}));
  near(ends?.[0], { x: 10, y: 20 });
  near(ends?.[1], { x: 110, y: 20 });
  expect(arrowProps(itemOf(arrow({ x: 0, y: 0 }, { x: 90, y: 0 })))).toBeNull();
});

test("PNT-60 with Shift an end lies in a direction of 15 degrees from the other one", () => {
  const to = steppedFrom({ x: 100, y: 100 }, { x: 200, y: 120 });
  expect((Math.atan2(to.y - 100, to.x - 100) * 180) / Math.PI).toBeCloseTo(15, 6);
});
