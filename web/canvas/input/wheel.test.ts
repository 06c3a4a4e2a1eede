import { expect, test } from "vitest";
import { type WheelInput, wheelMove } from "./wheel.ts";

const WHEEL: WheelInput = {
  ...{ deltaX: 0, deltaY: 0, deltaMode: 0 },
  ...{ ctrlKey: false, metaKey: false, shiftKey: false },
};

test("CAN-42 a wheel pans, with Shift sideways, in pixels, lines or pages", () => {
  const pan = (event: Partial<WheelInput>) => wheelMove({ ...WHEEL, ...event }, 700);
  expect(pan({ deltaX: 3, deltaY: 10 })).toEqual({ kind: "pan", dx: -3, dy: -10 });
  expect(pan({ deltaY: 10, shiftKey: true })).toEqual({ kind: "pan", dx: -10, dy: 0 });
  expect(pan({ deltaX: 10, shiftKey: true })).toMatchObject({ dx: -10 });
  expect(pan({ deltaY: 3, deltaMode: 1 })).toMatchObject({ dy: -96 });
  expect(pan({ deltaY: -1, deltaMode: 2 })).toMatchObject({ dy: 700 });
});

test("CAN-42 with Ctrl or Command a wheel zooms: a notch by a quarter, a pinch by its delta", () => {
  const zoom = (event: Partial<WheelInput>) => {
    const move = wheelMove({ ...WHEEL, ctrlKey: true, ...event }, 700);
    return move.kind === "zoom" ? move.factor : Number.NaN;
  };
  expect(zoom({ deltaY: -120 })).toBeCloseTo(1.27, 2);
  expect(zoom({ deltaY: 120 })).toBeCloseTo(1 / 1.27, 2);
  expect(zoom({ deltaY: -3, deltaMode: 1 })).toBeCloseTo(1.27, 2);
  expect(zoom({ deltaY: -2 })).toBeCloseTo(Math.exp(0.02), 6);
  expect(zoom({ ctrlKey: false, metaKey: true, deltaY: -2 })).toBeGreaterThan(1);
});
