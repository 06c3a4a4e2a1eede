import { expect, test } from "vitest";
import { barSize, panelArea, positionBar } from "./bar.ts";

const AREA = { width: 800, height: 500, dock: null, tools: null, panel: null, notice: null };
const FIVE = { buttons: 5, labelled: false };
const FINE = barSize(false, FIVE, AREA.width);
const frame = (left: number, top: number, right: number, bottom: number, upsideDown = false) => ({
  ...{ left, top, right, bottom, upsideDown, count: 1, outside: 0 },
  ...{ colors: [], outlined: null, textSizes: [] },
});

test("UI-45 the toolbar stands below the selection, or above it when that is turned over", () => {
  expect(FINE).toEqual({ button: 36, width: 196, height: 44 });
  expect(barSize(true, FIVE, AREA.width).height).toBe(52);
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

test("UI-45 the toolbar stands clear of More tools beside the canvas, from either side", () => {
  const left = { left: 16, top: 136, right: 72, bottom: 400 };
  expect(positionBar(frame(60, 100, 250, 200), FINE, { ...AREA, tools: left })).toEqual({
    ...{ x: 264, y: 128 },
  });
  const right = { ...left, left: 728, right: 784 };
  expect(positionBar(frame(550, 100, 740, 200), FINE, { ...AREA, tools: right })).toEqual({
    ...{ x: 340, y: 128 },
  });
  expect(positionBar(frame(300, 100, 500, 200), FINE, { ...AREA, tools: left })).toEqual({
    ...{ x: 302, y: 214 },
  });
});

test("UI-45 the toolbar stands clear of the hint of the tool, unless that has the only space", () => {
  const notice = { left: 280, top: 360, right: 520, bottom: 398 };
  expect(positionBar(frame(300, 200, 500, 299), FINE, { ...AREA, notice })).toEqual({
    x: 302,
    y: 313,
  });
  expect(positionBar(frame(300, 205, 500, 305), FINE, { ...AREA, notice })).toEqual({
    x: 302,
    y: 103,
  });
  const high = { ...AREA, height: 370, notice: { ...notice, top: 350 } };
  expect(positionBar(frame(0, 10, 800, 303), FINE, high)).toEqual({ x: 302, y: 317 });
  // Nearer to the selection than elsewhere: the first shape on a phone of 320 by 568, after Clear.
  expect(positionBar(frame(0, 10, 800, 300), FINE, high)).toEqual({ x: 302, y: 305 });
  expect(positionBar(frame(0, 10, 800, 300, true), FINE, high)).toEqual({ x: 302, y: 8 });
});

test("UI-45 the toolbar stands beside a selection that reaches from top to bottom, and covers one that fills the window", () => {
  expect(positionBar(frame(100, 20, 250, 480), FINE, AREA)).toEqual({ x: 264, y: 228 });
  expect(positionBar(frame(600, 20, 790, 480), FINE, AREA)).toEqual({ x: 390, y: 228 });
  expect(positionBar(frame(0, 0, 800, 500), FINE, AREA)).toEqual({ x: 302, y: 448 });
});

test("UI-61 buttons that do not fit beside each other stand in equal rows", () => {
  const nine = { buttons: 9, labelled: false };
  expect(barSize(true, nine, 800)).toMatchObject({ width: 420, height: 52 });
  expect(barSize(true, nine, 390)).toMatchObject({ width: 236, height: 98 });
  expect(barSize(true, { buttons: 10, labelled: true }, 320)).toMatchObject({
    ...{ width: 236, height: 118 },
  });
});

test("UI-60 the toolbar of several objects that are all out of sight stands at the edge, above the dock", () => {
  const away = { ...frame(300, 900, 500, 990), count: 2, outside: 2 };
  expect(positionBar(away, FINE, AREA)).toEqual({ x: 302, y: 448 });
  const dock = { left: 100, top: 420, right: 700, bottom: 500 };
  expect(positionBar(away, FINE, { ...AREA, dock })).toEqual({ x: 302, y: 368 });
});

test("UI-45 there is no toolbar for a selection out of sight", () => {
  expect(positionBar(frame(-90, 200, -1, 300), FINE, AREA)).toBeNull();
  expect(positionBar(frame(300, 501, 500, 600), FINE, AREA)).toBeNull();
});

test("UI-176 the toolbar stands clear of an open panel: beside it, or above the sheet of a phone", () => {
  const panel = panelArea({ width: 768, height: 944 }, 80, false);
  const tablet = { ...AREA, width: 768, height: 944, panel };
  expect(positionBar(frame(309, 400, 459, 500), FINE, tablet)).toEqual({ x: 208, y: 514 });
  const mirrored = panelArea({ width: 768, height: 944 }, 80, true);
  expect(positionBar(frame(309, 400, 459, 500), FINE, { ...tablet, panel: mirrored })).toEqual({
    ...{ x: 364, y: 514 },
  });
  // Also where the selection is as wide as the window.
  expect(positionBar(frame(8, 20, 760, 280), FINE, tablet)).toEqual({ x: 208, y: 294 });
  const phone = { width: 390, height: 764 };
  const low = panelArea(phone, 80, false);
  expect(low).toEqual({ left: 0, top: 304, right: 390, bottom: 764 });
  const coarse = barSize(true, FIVE, 390);
  const area = { ...AREA, ...phone, panel: low };
  expect(positionBar(frame(100, 100, 250, 200), coarse, area)).toEqual({ x: 57, y: 214 });
  expect(positionBar(frame(100, 100, 250, 280), coarse, area)).toEqual({ x: 57, y: 244 });
  expect(positionBar(frame(100, 400, 250, 500), coarse, area)).toEqual({ x: 57, y: 244 });
  // A phone on its side has the panel at the end.
  expect(panelArea({ width: 568, height: 240 }, 80, false).left).toBe(212);
});
