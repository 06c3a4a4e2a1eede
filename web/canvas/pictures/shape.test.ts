import { expect, test, vi } from "vitest";
import type { BoardObject } from "../../../board/drawing.ts";
import { encodeLine, parseLine } from "../../../board/live-objects.ts";
import { type Matrix, multiply } from "../geometry/matrix.ts";
import type { Decoded } from "./decode.ts";
import { frameLine, PictureShape } from "./shape.ts";

const PICTURE = {
  ...{ type: "Image", id: "a-0", z: 1, src: "data:image/png;base64,AAAA" },
  ...{ left: 10, top: 20, originX: "left", originY: "top", width: 40, height: 30 },
} as unknown as BoardObject;

const NOTHING = { use: () => {}, get: () => undefined, faultOf: () => undefined };

/** A context that notes what is painted, and where. */
function paper(scale: number) {
  let matrix: Matrix = [scale, 0, 0, scale, 0, 0];
  const painted: { readonly what: string; readonly args: unknown[]; readonly matrix: Matrix }[] =
    [];
  const note =
    (what: string) =>
    (...args: unknown[]): void =>
      void painted.push({ what, args, matrix });
  const context = {
    globalAlpha: 1,
    globalCompositeOperation: "source-over",
    save: () => {},
    restore: () => {},
    transform: (...by: Matrix) => void (matrix = multiply(matrix, by)),
    getTransform: () => ({ a: matrix[0], b: matrix[1], c: matrix[2], d: matrix[3] }),
    ...Object.fromEntries(
      ["drawImage", "fillRect", "strokeRect", "beginPath", "moveTo", "lineTo", "stroke"].map(
        (name) => [name, note(name)],
      ),
    ),
  };
  return { context: context as unknown as CanvasRenderingContext2D, painted };
}

function paint(object: BoardObject, decoded: Decoded | undefined, scale = 1) {
  const get = vi.fn(() => decoded);
  const shape = new PictureShape(object, { ...NOTHING, get });
  const { context, painted } = paper(scale);
  for (const _step of shape.paint(context));
  return { painted, levels: get.mock.calls.map((args: unknown[]) => args[1]), context };
}

function decoded(width: number, height: number, scale = 1): Decoded {
  return { bitmap: { width, height, close: () => {} } as unknown as Decoded["bitmap"], scale };
}

test("IMG-5 a picture is painted in its box", () => {
  const { painted } = paint(PICTURE, decoded(40, 30));
  expect(painted).toMatchObject([
    {
      what: "drawImage",
      args: [{ width: 40 }, 0, 0, 40, 30, -20, -15, 40, 30],
      matrix: [1, 0, 0, 1, 30, 35],
    },
  ]);
});

test("IMG-5 a part of it is painted as Fabric does, also of a smaller one, and nothing beyond its file", () => {
  const cropped = { ...PICTURE, cropX: 20, cropY: 10 } as BoardObject;
  const whole = paint(cropped, decoded(50, 100)).painted;
  expect(whole[0]?.args.slice(1)).toEqual([20, 10, 30, 30, -20, -15, 30, 30]);
  const half = paint(cropped, decoded(25, 50, 0.5)).painted;
  expect(half[0]?.args.slice(1)).toEqual([10, 5, 15, 15, -20, -15, 30, 30]);
  expect(paint(cropped, decoded(10, 100)).painted).toEqual([]);
});

test("IMG-6 it is decoded as large as it is shown", () => {
  const levels = [2, 1, 0.6, 0.5, 0.2, 0.001].map(
    (scale) => paint(PICTURE, undefined, scale).levels,
  );
  expect(levels).toEqual([[0], [0], [0], [1], [2], [5]]);
});

test("IMG-5 until it is decoded a frame with a bar is there, for one that never is a crossed frame", () => {
  const names = (list: ReturnType<typeof paint>["painted"]) => list.map(({ what }) => what);
  const waiting = paint(PICTURE, undefined).painted;
  expect(names(waiting)).toEqual(["fillRect", "strokeRect", "strokeRect", "fillRect"]);
  expect(waiting[1]?.args).toEqual([-20, -15, 40, 30]);
  const shape = new PictureShape(PICTURE, { ...NOTHING, faultOf: () => "broken" });
  const { context, painted } = paper(1);
  for (const _step of shape.paint(context));
  expect(names(painted)).toContain("lineTo");
});

test("IMG-11 the frame that peers see is a line that a live message takes, around the picture", () => {
  const line = frameLine({ left: -40, top: 10, right: 60, bottom: 110 });
  expect(parseLine(encodeLine(line))).toEqual({ ...line, of: undefined });
  const { points } = line;
  const range = (axis: number) => points.filter((_, at) => at % 2 === axis).sort((a, b) => a - b);
  expect([range(0)[0], range(0).at(-1), range(1)[0], range(1).at(-1)]).toEqual([-40, 60, 10, 110]);
});
