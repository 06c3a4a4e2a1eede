import { expect, test } from "vitest";
import { controlsFor, scalingOf } from "./controls.ts";

const shown = (side: number, scaling: Parameters<typeof controlsFor>[1] = "free") =>
  Object.entries(controlsFor(side, scaling).visible)
    .filter(([, visible]) => visible)
    .map(([name]) => name)
    .toSorted();

test("CAN-46 under 60 px the handles of the sides are left out, under 30 px all corners but the one opposite to the handle that turns", () => {
  expect(shown(60)).toEqual(["bl", "br", "mb", "ml", "mr", "mt", "mtr", "tl", "tr"]);
  expect(shown(59.9)).toEqual(["bl", "br", "mtr", "tl", "tr"]);
  expect(shown(30)).toEqual(["bl", "br", "mtr", "tl", "tr"]);
  expect(shown(29.9)).toEqual(["br", "mtr"]);
  expect(controlsFor(29, "free").offset).toBeGreaterThan(0);
  expect(controlsFor(30, "free").offset).toBe(0);
});

test("CAN-47 a shape is scaled freely, a stroke in its ratio by the corners, and all the rest in its ratio always", () => {
  expect(scalingOf(["Rect"])).toBe("free");
  expect(scalingOf(["Circle"])).toBe("free");
  expect(scalingOf(["Path"])).toBe("stretched");
  expect(scalingOf(["IText"])).toBe("whole");
  expect(scalingOf(["Textbox"])).toBe("whole");
  expect(scalingOf(["Group"])).toBe("whole");
  expect(scalingOf(["Image"])).toBe("whole");
  expect(scalingOf(["Rect", "Rect"])).toBe("whole");
  expect(shown(500, "stretched")).toContain("mt");
  expect(shown(500, "whole")).toEqual(["bl", "br", "mtr", "tl", "tr"]);
});
