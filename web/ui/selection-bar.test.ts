import { expect, test } from "vitest";
import { barSize, positionBar } from "./selection-bar.ts";

const AREA = { width: 800, height: 500 };
const FINE = barSize(false);
const frame = (left: number, top: number, right: number, bottom: number, turnedOver = false) => ({
  ...{ left, top, right, bottom, turnedOver },
});

test("UI-14 the toolbar stands below the selection, or above it when that is turned over", () => {
  expect(FINE).toEqual({ button: 36, width: 196, height: 44 });
  expect(barSize(true).height).toBe(52);
  expect(positionBar(frame(300, 200, 500, 300), FINE, AREA)).toEqual({ x: 302, y: 314 });
  expect(positionBar(frame(300, 200, 500, 300, true), FINE, AREA)).toEqual({ x: 302, y: 142 });
});

test("UI-14 the toolbar stays in the window, clear of the handle that turns", () => {
  expect(positionBar(frame(300, 350, 500, 480), FINE, AREA)).toEqual({ x: 302, y: 248 });
  expect(positionBar(frame(-50, 10, 20, 60, true), FINE, AREA)).toEqual({ x: 8, y: 118 });
  expect(positionBar(frame(780, 200, 900, 300), FINE, AREA)).toEqual({ x: 596, y: 314 });
  // No side has space.
  expect(positionBar(frame(0, 0, 800, 500), FINE, AREA)).toEqual({ x: 302, y: 448 });
});

test("UI-14 there is no toolbar for what is out of sight", () => {
  expect(positionBar(frame(-90, 200, -1, 300), FINE, AREA)).toBeNull();
  expect(positionBar(frame(300, 501, 500, 600), FINE, AREA)).toBeNull();
});
