import { expect, test, vi } from "vitest";
import type { BoardObject, Json, ObjectId } from "../../../board/drawing.ts";
import { makePlainItem } from "../scene/item.ts";
import { Painter } from "./paint.ts";

interface Painted {
  readonly on: string;
  readonly what: string;
  readonly alpha: number;
  readonly blending: string;
}

/** A canvas that notes what is painted on it. */
function canvasNamed(on: string, painted: Painted[]) {
  const canvas = { width: 300, height: 200, getContext: (): unknown => context };
  const note = (what: string) => () => {
    const { globalAlpha: alpha, globalCompositeOperation: blending } = context;
    painted.push({ on, what, alpha, blending });
  };
  const skip = (): void => undefined;
  const context = {
    ...{ canvas, globalAlpha: 1, globalCompositeOperation: "source-over" },
    ...{ save: skip, restore: skip, transform: skip, setTransform: skip, resetTransform: skip },
    ...{ beginPath: skip, roundRect: skip },
    getTransform: () => ({ a: 2, b: 0, c: 0, d: 2, e: 0, f: 0 }),
    ...{ fill: note("fill"), stroke: note("stroke"), drawImage: note("layer") },
  };
  return canvas;
}

function paint(props: Record<string, Json>): Painted[] {
  const painted: Painted[] = [];
  vi.stubGlobal("document", { createElement: () => canvasNamed("layer", painted) });
  const object = {
    ...{ type: "Rect", id: "a-1" as ObjectId, z: 1, left: 50, top: 50, width: 40, height: 20 },
    ...{ fill: "#ff0000", ...props },
  } as unknown as BoardObject;
  const context = canvasNamed("picture", painted).getContext() as CanvasRenderingContext2D;
  new Painter().paint(context, makePlainItem(object)!);
  return painted;
}

const OUTLINED = { stroke: "#0000ff", strokeWidth: 10 };
const over = "source-over";

test("PNT-91 what is translucent or blended as a whole is painted opaquely, and then as one", () => {
  for (const [look, alpha, blending] of [
    [{ opacity: 0.5 }, 0.5, over],
    [{ globalCompositeOperation: "multiply" }, 1, "multiply"],
  ] as const)
    expect(paint({ ...OUTLINED, ...look })).toEqual([
      { on: "layer", what: "fill", alpha: 1, blending: over },
      { on: "layer", what: "stroke", alpha: 1, blending: over },
      { on: "picture", what: "layer", alpha, blending },
    ]);
});

test("PNT-91 what paints only one thing, is opaque, or is out of the picture has no layer", () => {
  const opaque = { on: "picture", alpha: 1, blending: over };
  expect(paint(OUTLINED)).toEqual([
    { ...opaque, what: "fill" },
    { ...opaque, what: "stroke" },
  ]);
  expect(paint({ opacity: 0.5 })).toEqual([{ ...opaque, alpha: 0.5, what: "fill" }]);
  expect(paint({ ...OUTLINED, fill: null, opacity: 0.5 })).toEqual([
    { ...opaque, alpha: 0.5, what: "stroke" },
  ]);
  expect(paint({ ...OUTLINED, opacity: 0.5, left: -500 })).toEqual([]);
});
