import { Path, Rect } from "fabric";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parsePath } from "../../../board/path.ts";
import { applyMatrixToBox, multiply } from "./matrix.ts";
import { outlineBox } from "./outline.ts";
import {
  liveTransform,
  matrixWhenDragged,
  transformChange,
  transformFrom,
} from "./transform-change.ts";
import { boxOf, matrixOf, type Size, transformOf } from "./transform.ts";

/** An arbitrary multiple of 0.1, as drawings contain them. */
const length = (min: number, max: number) =>
  fc.integer({ min: min * 10, max: max * 10 }).map((value) => value / 10);

const transforms = fc.record({
  left: length(-500, 500),
  top: length(-500, 500),
  originX: fc.constantFrom("left", "center", "right"),
  originY: fc.constantFrom("top", "center", "bottom"),
  scaleX: length(0.1, 5),
  scaleY: length(0.1, 5),
  angle: length(-360, 360),
  skewX: fc.oneof(fc.constant(0), length(-60, 60)),
  skewY: fc.oneof(fc.constant(0), length(-60, 60)),
  flipX: fc.boolean(),
  flipY: fc.boolean(),
});

const sizes = fc.record({
  width: length(0, 300),
  height: length(0, 300),
  strokeWidth: length(0, 20),
});

const sizeOf = (size: { width: number; height: number; strokeWidth: number }): Size => ({
  ...size,
  strokeUniform: false,
});

describe("transforms are Fabric's", () => {
  test("PNT-2 an object lies where Fabric puts the same one", () => {
    fc.assert(
      fc.property(transforms, sizes, (transform, size) => {
        const theirs = new Rect({ ...transform, ...size } as object).calcTransformMatrix();
        const ours = matrixOf(transformOf(transform), sizeOf(size));
        for (let i = 0; i < 6; i++) expect(ours[i]).toBeCloseTo(theirs[i] as number, 6);
      }),
    );
  });

  test("PNT-2 an object with negative scales, and with origins that are numbers, lies where Fabric puts it", () => {
    const parts = { originX: fc.double({ min: -2, max: 3, noNaN: true }), originY: length(-1, 1) };
    const scales = { scaleX: length(-5, -0.1), scaleY: length(-5, -0.1) };
    const unusual = fc.record({
      ...parts,
      ...scales,
      left: length(-500, 500),
      angle: length(0, 90),
    });
    fc.assert(
      fc.property(unusual, sizes, (transform, size) => {
        const theirs = new Rect({ ...transform, ...size } as object).calcTransformMatrix();
        const ours = matrixOf(transformOf(transform), sizeOf(size));
        for (let i = 0; i < 6; i++) expect(ours[i]).toBeCloseTo(theirs[i] as number, 6);
      }),
    );
  });

  test("the box around an object is Fabric's", () => {
    fc.assert(
      fc.property(transforms, sizes, (transform, size) => {
        const { left, top, width, height } = new Rect({
          ...transform,
          ...size,
        } as object).getBoundingRect();
        const [map, measures] = [transformOf(transform), sizeOf(size)];
        const ours = boxOf(map, measures, matrixOf(map, measures));
        // Fabric measures a skewed object by the box around it; ours is never larger, and equal without skew.
        expect(ours.left).toBeGreaterThanOrEqual(left - 1e-6);
        expect(ours.right).toBeLessThanOrEqual(left + width + 1e-6);
        expect(ours.bottom).toBeLessThanOrEqual(top + height + 1e-6);
        if (transform.skewX === 0 && transform.skewY === 0) {
          expect(ours.left).toBeCloseTo(left, 6);
          expect(ours.top).toBeCloseTo(top, 6);
        }
      }),
    );
  });

  test("the box of a path is Fabric's, wider than its curves", () => {
    const number = length(-300, 300);
    const segment = fc.oneof(
      fc.tuple(number, number).map(([x, y]) => `L${x} ${y}`),
      fc.tuple(number, number, number, number).map((n) => `Q${n.join(" ")}`),
      fc.tuple(number, number, number, number, number, number).map((n) => `C${n.join(" ")}`),
      fc.tuple(number, number).map(([x, y]) => `t${x} ${y}`),
      fc.constant("Z"),
    );
    fc.assert(
      fc.property(
        fc.tuple(number, number),
        fc.array(segment, { minLength: 1 }),
        ([x, y], segments) => {
          const text = `M${x} ${y}${segments.join("")}`;
          const data = parsePath(text);
          expect(data).not.toBeNull();
          if (!data) return;
          const theirs = new Path(text);
          const ours = outlineBox(data);
          expect(ours.right - ours.left).toBeCloseTo(theirs.width, 4);
          expect(ours.bottom - ours.top).toBeCloseTo(theirs.height, 4);
          expect((ours.left + ours.right) / 2).toBeCloseTo(theirs.pathOffset.x, 4);
          expect((ours.top + ours.bottom) / 2).toBeCloseTo(theirs.pathOffset.y, 4);
        },
      ),
    );
  });
});

describe("transforms from maps", () => {
  test("a transform that was made from a map gives the map again, mirrored ones included", () => {
    fc.assert(
      fc.property(transforms, transforms, sizes, (one, other, size) => {
        const map = multiply(
          matrixOf(transformOf({ ...other, skewX: 0, skewY: 0 }), sizeOf(size)),
          matrixOf(transformOf(one), sizeOf(size)),
        );
        const again = matrixOf(transformFrom(map, sizeOf(size), transformOf(one)), sizeOf(size));
        const scale = Math.max(...map.map(Math.abs), 1);
        for (let i = 0; i < 6; i++)
          expect(Math.abs((again[i] as number) - (map[i] as number))).toBeLessThan(1e-6 * scale);
      }),
    );
  });

  test("CAN-7 peers see an object, flipped and skewed ones included, where it is moved, scaled and rotated", () => {
    fc.assert(
      fc.property(transforms, transforms, sizes, fc.boolean(), (one, other, given, mirrors) => {
        const [own, size] = [transformOf(one), sizeOf(given)];
        const { left, top, scaleX: scale, angle } = other;
        const mirror = { skewX: 0, skewY: 0, flipX: mirrors, flipY: false };
        const moved = { ...transformOf(other), ...mirror, left, top, angle };
        const map = multiply(
          matrixOf({ ...moved, scaleX: scale, scaleY: scale }, size),
          matrixOf(own, size),
        );
        const sent = liveTransform(map, size, own);
        const again = matrixWhenDragged(own, sent, size);
        const greatest = Math.max(...map.map(Math.abs), 1);
        for (let i = 0; i < 6; i++)
          expect(Math.abs((again[i] as number) - (map[i] as number))).toBeLessThan(1e-6 * greatest);
      }),
    );
  });

  test("CAN-14 a change names all that the object has, rounded to 0.1 for lengths, or nothing", () => {
    const object = { type: "Rect", id: "a-0", z: 1, left: 10, top: 20, originX: "left" } as never;
    const transform = { ...transformOf(object), left: 10.04, top: 33.333, angle: 12.34567 };
    expect(transformChange(object, transform)).toEqual({ left: 10, top: 33.3, angle: 12.3457 });
    expect(transformChange(object, { ...transformOf(object), left: 10.04 })).toEqual({});
  });

  test("a box is mapped to the box around its corners", () => {
    const turned = applyMatrixToBox([0, 1, -1, 0, 5, 0], { left: 0, top: 0, right: 10, bottom: 2 });
    expect(turned).toEqual({ left: 3, top: 0, right: 5, bottom: 10 });
  });
});
