import { expect, test } from "vitest";
import { leftOutLabel, outsideLabel } from "./outside-label.ts";

test("UI-92 the chip says how far away the drawing is, and where", () => {
  const label = (side: "left" | "right" | "above" | "below", distance: number): string =>
    outsideLabel({ side, distance }).whole;
  expect(label("left", 1200)).toBe("Drawing: 1,200 px to the left");
  expect(label("right", 7)).toBe("Drawing: 7 px to the right");
  expect(label("above", 12_345)).toBe("Drawing: 12,345 px above");
  expect(label("below", 1)).toBe("Drawing: 1 px below");
  expect(outsideLabel({ side: "left", distance: 1200 }).short).toBe("1,200 px");
});

test("CAN-61 the objects that Show all left out are counted", () => {
  expect(leftOutLabel(1)).toBe("One object lies far from everything else and is not shown");
  expect(leftOutLabel(1200)).toBe("1,200 objects lie far from everything else and are not shown");
});
