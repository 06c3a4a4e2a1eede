/** A picture of the board as a shape of the scene. Until it is decoded, a frame with a bar stands in for it. */

import type { BoardObject } from "../../../board/drawing.ts";
import type { LiveLine } from "../../../board/live.ts";
import type { Box } from "../geometry/box.ts";
import { type Matrix, scaleOf } from "../geometry/matrix.ts";
import { matrixOf, numberOr, type Size, transformOf } from "../geometry/transform.ts";
import { type Decoded, decodePicture } from "./decode.ts";
import type { DecodedPictures, PictureUser } from "./decoded-pictures.ts";

type Pictures = Pick<DecodedPictures, "use" | "get" | "faultOf">;

const NO_PICTURES: Pictures = {
  use: () => undefined,
  get: () => undefined,
  faultOf: () => undefined,
};

/** The greatest number of halvings of a picture that is shown small. */
const MAX_LEVEL = 5;

/** The frame of a picture that is not decoded yet, or never will be; it is visible on light and on dark. */
const FRAME = {
  color: "#6b7280",
  fill: "rgba(107, 114, 128, 0.12)",
  bar: 0.4,
  thickness: 6,
  /** The line that peers see: the position of its bar, from 0 (top) to 1, and its width in canvas pixels. */
  peerBar: 0.9,
  peerWidth: 2,
} as const;

export class PictureShape {
  readonly overhang = 0;
  readonly parts = 1;
  readonly size: Size;
  private current: BoardObject;
  private readonly pictures: Pictures;
  private readonly source: string;
  /** The whole decoded picture, which is painted while a file is written, whatever the page shows of it. */
  private whole: Decoded | undefined;

  /** Makes the shape. Without a `user` it is painted only after `prepare`, for a file. */
  constructor(object: BoardObject, pictures: Pictures = NO_PICTURES, user?: PictureUser) {
    const { src, width, height, strokeWidth, strokeUniform } = object;
    this.size = {
      ...{ width: numberOr(width, 0), height: numberOr(height, 0) },
      ...{ strokeWidth: numberOr(strokeWidth, 0), strokeUniform: strokeUniform === true },
    };
    this.current = object;
    this.pictures = pictures;
    this.source = typeof src === "string" ? src : "";
    if (user) pictures.use(this.source, user);
  }

  /** The object as it is on the board. */
  get object(): BoardObject {
    return this.current;
  }

  *paint(context: CanvasRenderingContext2D): Generator<void> {
    const { opacity, globalCompositeOperation: composite } = this.current;
    context.save();
    context.transform(...matrixOf(transformOf(this.current), this.size));
    context.globalAlpha *= numberOr(opacity, 1);
    if (typeof composite === "string")
      context.globalCompositeOperation = composite as GlobalCompositeOperation;
    const { a, b, c, d } = context.getTransform();
    const decoded = this.whole ?? this.pictures.get(this.source, levelOf([a, b, c, d, 0, 0]));
    if (decoded) paintPart(context, decoded, this.current, this.size);
    else paintFrame(context, this.size, this.pictures.faultOf(this.source) !== undefined);
    context.restore();
    yield;
  }

  setTransform(object: BoardObject): void {
    this.current = object;
  }

  /** Decodes the whole picture for the paintings that follow, until the returned function is called. Never rejects. */
  async prepare(): Promise<() => void> {
    const whole = await decodePicture(this.source, 0).catch(() => undefined);
    this.whole = whole;
    return () => {
      this.whole = undefined;
      whole?.bitmap.close();
    };
  }
}

/**
 * Returns the line that peers see while a picture is made: its frame with a bar, in seven points. A live message may
 * have eight. `frame`: in canvas pixels.
 */
export function frameLine({ left, top, right, bottom }: Box): LiveLine {
  const bar = top + (bottom - top) * FRAME.peerBar;
  const points = [
    left,
    bar,
    right,
    bar,
    right,
    bottom,
    left,
    bottom,
    left,
    top,
    right,
    top,
    right,
    bar,
  ];
  return { color: FRAME.color, width: FRAME.peerWidth, points };
}

/** The number of halvings that leaves at least one pixel of the picture for each visible one. */
function levelOf(matrix: Matrix): number {
  const scale = scaleOf(matrix);
  return scale > 0 ? Math.min(MAX_LEVEL, Math.max(0, Math.floor(Math.log2(1 / scale)))) : MAX_LEVEL;
}

/** Paints the part that the object shows, as Fabric does: areas outside of the file are left out. */
function paintPart(
  context: CanvasRenderingContext2D,
  { bitmap, scale }: Decoded,
  object: BoardObject,
  { width, height }: Size,
): void {
  const [x, y] = [numberOr(object["cropX"], 0), numberOr(object["cropY"], 0)];
  const across = Math.min(width, bitmap.width / scale - x);
  const down = Math.min(height, bitmap.height / scale - y);
  if (across <= 0 || down <= 0) return;
  context.drawImage(
    bitmap,
    ...([x * scale, y * scale, across * scale, down * scale] as const),
    ...([-width / 2, -height / 2, across, down] as const),
  );
}

function paintFrame(
  context: CanvasRenderingContext2D,
  { width, height }: Size,
  fails: boolean,
): void {
  const { a, b, c, d } = context.getTransform();
  const pixel = 1 / (scaleOf([a, b, c, d, 0, 0]) || 1);
  const [left, top] = [-width / 2, -height / 2];
  context.fillStyle = FRAME.fill;
  context.fillRect(left, top, width, height);
  context.strokeStyle = context.fillStyle = FRAME.color;
  context.lineWidth = pixel;
  context.strokeRect(left, top, width, height);
  if (fails) {
    context.beginPath();
    context.moveTo(left, top);
    context.lineTo(-left, -top);
    context.moveTo(-left, top);
    context.lineTo(left, -top);
    context.stroke();
    return;
  }
  const [length, thickness] = [width * FRAME.bar, Math.min(height, FRAME.thickness * pixel)];
  context.strokeRect(-length / 2, -thickness / 2, length, thickness);
  context.fillRect(-length / 2, -thickness / 2, length / 3, thickness);
}
