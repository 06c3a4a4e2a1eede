import { expect, test } from "vitest";
import { barSize, positionBar } from "./selection-bar.ts";

const AREA = { width: 800, height: 500, dock: null };
const FINE = barSize(false);
const frame = (left: number, top: number, right: number, bottom: number, turnedOver = false) => ({
  ...{ left, top, right, bottom, turnedOver },
});

test("UI-45 the toolbar stands below the selection, or above it when that is turned over", () => {
  expect(FINE).toEqual({ button: 36, width: 196, height: 44 });
  expect(barSize(true).height).toBe(52);
  expect(positionBar(frame(300, 200, 500, 300), FINE, AREA)).toEqual({ x: 302, y: 314 });
  expect(positionBar(frame(300, 200, 500, 300, true), FINE, AREA)).toEqual({ x: 302, y: 142 });
});

test("UI-45 the toolbar stays in the window, clear of the handle that turns and of the dock", () => {
  expect(positionBar(frame(300, 350, 500, 480), FINE, AREA)).toEqual({ x: 302, y: 248 });
  expect(positionBar(frame(-50, 10, 20, 60, true), FINE, AREA)).toEqual({ x: 8, y: 118 });
  expect(positionBar(frame(780, 200, 900, 300), FINE, AREA)).toEqual({ x: 596, y: 314 });
  const dock = { left: 100, top: 420, right: 700, bottom: 500 };
  expect(positionBar(frame(300, 250, 500, 400), FINE, { ...AREA, dock })).toEqual({
    ...{ x: 302, y: 148 },
  });
  const folded = { left: 8, top: 300, right: 64, bottom: 500 };
  expect(positionBar(frame(300, 250, 500, 400), FINE, { ...AREA, dock: folded })).toEqual({
    ...{ x: 302, y: 414 },
  });
});

test("UI-45 the toolbar stands beside a selection that reaches from top to bottom, and covers one that fills the window", () => {
  expect(positionBar(frame(100, 20, 250, 480), FINE, AREA)).toEqual({ x: 264, y: 228 });
  expect(positionBar(frame(600, 20, 790, 480), FINE, AREA)).toEqual({ x: 390, y: 228 });
  expect(positionBar(frame(0, 0, 800, 500), FINE, AREA)).toEqual({ x: 302, y: 448 });
});

test("UI-45 there is no toolbar for what is out of sight", () => {
  expect(positionBar(frame(-90, 200, -1, 300), FINE, AREA)).toBeNull();
  expect(positionBar(frame(300, 501, 500, 600), FINE, AREA)).toBeNull();
});
