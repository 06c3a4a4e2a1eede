import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Box } from "../geometry/box.ts";
import type { Point } from "../geometry/matrix.ts";
import { dragBy, HOME, matrixOfView, panBy, type View, ZOOM, zoomAt } from "./view.ts";
import { centreOn, fitBox, showBox, sideBeyond, toCss } from "./fit.ts";

const coordinate = fc.double({ min: -5000, max: 5000, noNaN: true });
const points = fc.record({ x: coordinate, y: coordinate });
const zooms = fc.double({ min: ZOOM.min, max: ZOOM.max, noNaN: true });
const views = fc.record({ x: coordinate, y: coordinate, zoom: zooms });
const AREA: Box = { left: 0, top: 0, right: 1200, bottom: 600 };

/** The board point that is shown at a point of the canvas. */
const boardAt = ({ x, y, zoom }: View, at: Point): Point => ({
  x: (at.x - x) / zoom,
  y: (at.y - y) / zoom,
});

describe("CAN-28 the view's arithmetic", () => {
  test("zooms within 10 % and 800 % and leaves the board fixed at the point", () => {
    fc.assert(
      fc.property(
        views,
        points,
        fc.double({ min: 0.01, max: 100, noNaN: true }),
        (view, at, by) => {
          const next = zoomAt(view, by, at);
          expect(next.zoom).toBeGreaterThanOrEqual(ZOOM.min);
          expect(next.zoom).toBeLessThanOrEqual(ZOOM.max);
          const [before, after] = [boardAt(view, at), boardAt(next, at)];
          expect(after.x).toBeCloseTo(before.x, 4);
          expect(after.y).toBeCloseTo(before.y, 4);
        },
      ),
    );
    expect(zoomAt(HOME, 1e9, { x: 0, y: 0 }).zoom).toBe(8);
    expect(zoomAt(HOME, 1e-9, { x: 0, y: 0 }).zoom).toBe(0.1);
  });

  test("two fingers keep their board points as long as the zoom is within its limits", () => {
    const from = [
      { x: 100, y: 100 },
      { x: 200, y: 100 },
    ];
    const to = [
      { x: 50, y: 300 },
      { x: 250, y: 300 },
    ];
    const view = { x: 30, y: -20, zoom: 0.7 };
    const next = dragBy(view, from, to);
    expect(next.zoom).toBeCloseTo(1.4);
    for (const i of [0, 1]) {
      const [before, after] = [boardAt(view, from[i]!), boardAt(next, to[i]!)];
      expect(after.x).toBeCloseTo(before.x);
      expect(after.y).toBeCloseTo(before.y);
    }
    expect(dragBy(view, [from[0]!], [to[0]!])).toEqual(panBy(view, -50, 200));
  });

  test("fits a box with 40 px around it, never above the limit, and centres a point", () => {
    const box = { left: 500, top: 500, right: 2740, bottom: 1020 };
    const fitted = fitBox(box, AREA, 1);
    expect(fitted.zoom).toBeCloseTo(0.5);
    const shown = toCss(fitted, box);
    expect(shown).toMatchObject({ left: 40, right: 1160, top: 170, bottom: 430 });
    expect(fitBox({ left: 0, top: 0, right: 9, bottom: 9 }, AREA, 1).zoom).toBe(1);
    const middle = centreOn({ x: 0, y: 0, zoom: 2 }, { x: 10, y: 20 }, AREA);
    expect(middle).toEqual({ x: 580, y: 260, zoom: 2 });
  });

  test("shows a box by moving just far enough, and not when it is shown", () => {
    const box = { left: 100, top: 100, right: 250, bottom: 200 };
    expect(showBox(HOME, box, AREA)).toEqual(HOME);
    expect(showBox({ x: -500, y: 0, zoom: 1 }, box, AREA)).toEqual({ x: -88, y: 0, zoom: 1 });
    expect(showBox({ x: 1200, y: 450, zoom: 1 }, box, AREA)).toEqual({ x: 938, y: 388, zoom: 1 });
  });

  test("says where most lies that is not shown", () => {
    expect(sideBeyond({ left: 0, top: 0, right: 1200, bottom: 600 }, AREA)).toBe(null);
    expect(sideBeyond({ left: -5, top: 0, right: 1300, bottom: 650 }, AREA)).toBe("right");
    expect(sideBeyond({ left: 9, top: -700, right: 1300, bottom: 60 }, AREA)).toBe("above");
    expect(sideBeyond({ left: 9, top: 0, right: 13, bottom: 700 }, AREA)).toBe("below");
    expect(sideBeyond({ left: -9, top: 0, right: 13, bottom: 7 }, AREA)).toBe("left");
  });

  test("moves the picture by whole device pixels", () => {
    fc.assert(
      fc.property(views, fc.constantFrom(1, 1.25, 1.5, 2, 3), (view, ratio) => {
        const [zoom, , , , x, y] = matrixOfView(view, ratio);
        expect(zoom).toBe(view.zoom);
        for (const value of [x * ratio, y * ratio])
          expect(Math.abs(value - Math.round(value))).toBeLessThan(1e-6);
      }),
    );
  });
});
