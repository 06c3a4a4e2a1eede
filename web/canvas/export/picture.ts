/** Pictures of a drawing, painted beside the canvas: small previews of versions for a list, and pictures for files. */

import type { BoardObject, Drawing, NewObject } from "../../../board/drawing.ts";
import {
  alignBox,
  type Box,
  boxAround,
  clipBox,
  EVERYWHERE,
  inflate,
  overlaps,
  union,
} from "../geometry/box.ts";
import { createSlices, type Slices } from "../scheduling/slices.ts";
import { Effects } from "../scene/effects.ts";
import { isPlain, isVisible, type Item, makeFabricItem, makePlainItem } from "../scene/item.ts";
import { applyMatrixToBox, type Matrix, multiply, translation } from "../geometry/matrix.ts";
import { Painter } from "../painting/paint.ts";
import { enlarged, thickened } from "./min-size.ts";
import { createPngWriter, type PngWriter } from "./png.ts";

export interface PictureOptions {
  /** Width in device pixels. */
  readonly width: number;
  readonly height: number;
  /** The part of the board that a visitor sees, in board pixels: the picture shows at least that much. */
  readonly view: { readonly width: number; readonly height: number };
  /** The signal that ends the work. */
  readonly signal: AbortSignal;
}

/**
 * Paints a drawing, in slices, so that the page responds to input meanwhile. Objects that cannot be painted are left
 * out. Returns null when `signal` was aborted.
 */
export async function paintPicture(
  drawing: Pick<Drawing, "objects" | "background">,
  { width, height, view, signal }: PictureOptions,
): Promise<HTMLCanvasElement | null> {
  if (document.fonts.status !== "loaded") await document.fonts.ready;
  const slices = createSlices(signal);
  const items = await makeItems(drawing.objects, slices);
  if (!items) return null;
  const shown = pictureBox(items, view);
  const toPicture = fit(shown, width, height);
  const minWidth = MIN_LINE / toPicture[0];
  return paintItems(
    items.filter(({ box }) => overlaps(box, shown)).map((item) => thickened(item, minWidth)),
    { width, height, toPicture, background: drawing.background },
    slices,
  );
}

/** The least width of a line of a preview in pixels: a stroke would hardly be visible a tenth as wide as on the board. */
const MIN_LINE = 2;

/**
 * The measures of a picture for a file: its pixels in a board pixel, the most pixels on a side, and the margin in
 * board pixels.
 */
const FILE = { scale: 2, maxSide: 8192, margin: 20 } as const;

/** Pixels on a side of a picture that is painted in one go: enough for a sheet of paper. */
const MAX_PAPER = 4096;

export interface FilePicture {
  readonly png: Blob;
  /** The picture's pixels in a board pixel; less than 2 where the picture would be too large. */
  readonly scale: number;
}

/** Pixels of a strip: few enough to be painted and copied within a slice or two. */
const STRIP = 2 ** 20;

/**
 * Paints objects whole, in slices, on their background. Objects that cannot be painted are left out. Returns null when
 * `signal` was aborted, or when nothing can be seen. Rejects when the browser makes no PNG.
 */
export async function paintFile(
  { objects, background }: Pick<Drawing, "objects" | "background">,
  signal: AbortSignal,
): Promise<FilePicture | null> {
  if (document.fonts.status !== "loaded") await document.fonts.ready;
  const slices = createSlices(signal);
  const items = await makeItems(objects, slices);
  const fitted = items && fitFile(items);
  if (!fitted) return null;
  const { width, height, scale } = fitted;
  const writer = createPngWriter(width, height);
  try {
    const painted = await paintStrips(items, { ...fitted, background }, slices, writer);
    return painted ? { png: await writer.finish(), scale } : null;
  } finally {
    writer.dispose();
  }
}

/** Paints all strips. Resolves to false when the work has to end. */
async function paintStrips(
  items: readonly Item[],
  picture: Picture,
  slices: Slices,
  writer: PngWriter,
): Promise<boolean> {
  const { width, toPicture, background } = picture;
  const height = Math.min(picture.height, Math.max(1, Math.floor(STRIP / width)));
  const begun = beginPicture({ ...picture, height });
  if (!begun) return false;
  const { context, painter } = begun;
  for (let top = 0; top < picture.height; top += height) {
    context.setTransform(1, 0, 0, 1, 0, 0);
    fillBackground(context, background);
    const toStrip = multiply(translation(0, -top), toPicture);
    context.setTransform(...toStrip);
    const strip = { left: 0, top: -SOFT, right: width, bottom: height + SOFT };
    for (const item of items) {
      if (!(await slices.next())) return false;
      if (overlaps(applyMatrixToBox(toStrip, item.box), strip))
        await paintWhole(painter, context, enlarged(item, toStrip));
    }
    writer.add(context, top);
  }
  context.canvas.width = context.canvas.height = 0;
  return true;
}

/** Pixels around a box that anti-aliasing may touch. */
const SOFT = 2;

/** True for an item that is visible in a picture. */
export function isPainted({ object }: Item): boolean {
  return isVisible(object);
}

/** Paints items in one go, for a printer. Returns null when nothing can be seen. */
export function paintNow(items: readonly Item[], background: string): HTMLCanvasElement | null {
  const fitted = fitFile(items, MAX_PAPER);
  const begun = fitted && beginPicture({ ...fitted, background });
  if (!begun) return null;
  for (const item of items) begun.painter.paint(begun.context, enlarged(item, fitted.toPicture));
  return begun.context.canvas;
}

/** Returns size and scale of a picture of items for a file; undefined when nothing can be seen. */
function fitFile(
  items: readonly Item[],
  maxSide: number = FILE.maxSide,
): (Omit<Picture, "background"> & { readonly scale: number }) | undefined {
  const around = fileBox(items);
  if (!around) return undefined;
  const scaleFor = ({ left, top, right, bottom }: Box): number =>
    Math.min(FILE.scale, maxSide / Math.max(right - left, bottom - top));
  // The margin of a picture that is smaller than the board is one of its own pixels, or it would be none.
  const margin = FILE.margin / Math.min(1, scaleFor(around));
  const shown = inflate(around, margin - FILE.margin);
  const scale = scaleFor(shown);
  const [across, down] = [shown.right - shown.left, shown.bottom - shown.top];
  const toPicture: Matrix = [scale, 0, 0, scale, -scale * shown.left, -scale * shown.top];
  const width = Math.max(1, Math.round(across * scale));
  const height = Math.max(1, Math.round(down * scale));
  return { width, height, toPicture, scale };
}

/** Returns the box of what can be seen, without strokes of the eraser, and with a margin; undefined when nothing can be seen. */
export function fileBox(
  items: readonly { readonly box: Box; readonly eraser: boolean }[],
): Box | undefined {
  const shown = items.filter(({ box, eraser }) => !eraser && box !== EVERYWHERE);
  const around = boxAround(shown.map(({ box }) => box));
  return around && inflate(alignBox(around, 0), FILE.margin);
}

/** Makes the items of what can be seen, with the effects that the canvas paints; null when the work has to end. */
async function makeItems(objects: readonly BoardObject[], slices: Slices): Promise<Item[] | null> {
  const items: Item[] = [];
  // The items are in the order of the stack already.
  const effects = new Effects(() => 0);
  for (const object of objects) {
    if (!(await slices.next())) return null;
    const item = isVisible(object) ? await makeItem(object) : null;
    if (!item) continue;
    effects.add(item);
    items.push(item);
  }
  effects.settle();
  return items;
}

/** Returns the box around objects that are not on the board; undefined when none can be seen, or the work has to end. */
export async function boxOfObjects(
  objects: readonly NewObject[],
  slices: Slices,
): Promise<Box | undefined> {
  const named = objects.map((object) => ({ ...object, id: "", z: 0 }) as unknown as BoardObject);
  const items = await makeItems(named, slices);
  return boxAround((items ?? []).map(({ box }) => box).filter((box) => box !== EVERYWHERE));
}

interface Picture {
  /** Width in device pixels. */
  readonly width: number;
  readonly height: number;
  /** The map from the board to the picture. */
  readonly toPicture: Matrix;
  /** The colour of the background (CSS). */
  readonly background: string;
}

async function paintItems(
  items: readonly Item[],
  picture: Picture,
  slices: Slices,
): Promise<HTMLCanvasElement | null> {
  const begun = beginPicture(picture);
  if (!begun) return null;
  for (const item of items) {
    if (!(await slices.next())) return null;
    await paintWhole(begun.painter, begun.context, item);
  }
  return begun.context.canvas;
}

/** Paints an item. A picture is painted once it is fully decoded, one after the other. */
async function paintWhole(
  painter: Painter,
  context: CanvasRenderingContext2D,
  item: Item,
): Promise<void> {
  const { shape } = item;
  const release = shape.kind === "fabric" ? await shape.fabric?.prepare?.() : undefined;
  painter.paint(context, item);
  release?.();
}

interface BegunPicture {
  readonly context: CanvasRenderingContext2D;
  readonly painter: Painter;
}

function beginPicture({ width, height, toPicture, background }: Picture): BegunPicture | null {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  // The processor paints it immediately: the clock of the slices would not notice commands that are only recorded.
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) return null;
  fillBackground(context, background);
  context.setTransform(...toPicture);
  return { context, painter: new Painter() };
}

/**
 * Returns the part of the board that a picture shows: the view, and objects within one view's size around it. Objects
 * farther away would make everything else too small to be seen.
 */
export function pictureBox(
  items: readonly { readonly box: Box }[],
  { width, height }: PictureOptions["view"],
): Box {
  const around = { left: -width, top: -height, right: 2 * width, bottom: 2 * height };
  let shown: Box = { left: 0, top: 0, right: width, bottom: height };
  for (const { box } of items) {
    const part = clipBox(box, around);
    if (part) shown = union(shown, part);
  }
  return shown;
}

/** Maps a box onto a picture, as large as it fits, in the middle. */
function fit(shown: Box, width: number, height: number): Matrix {
  const [x, y] = [(shown.left + shown.right) / 2, (shown.top + shown.bottom) / 2];
  const scale = Math.min(width / (shown.right - shown.left), height / (shown.bottom - shown.top));
  return [scale, 0, 0, scale, width / 2 - scale * x, height / 2 - scale * y];
}

function fillBackground(context: CanvasRenderingContext2D, background: string): void {
  const { width, height } = context.canvas;
  for (const color of ["white", background]) {
    context.fillStyle = color;
    context.fillRect(0, 0, width, height);
  }
}

/** Makes the item of an object; null when it cannot be painted. */
async function makeItem(object: BoardObject): Promise<Item | null> {
  const item = (isPlain(object) ? makePlainItem(object) : null) ?? (await makeByFabric(object));
  const { left, top, right, bottom } = item?.box ?? NOWHERE;
  return Number.isFinite(right - left + bottom - top) ? item : null;
}

const NOWHERE: Box = { left: NaN, top: NaN, right: NaN, bottom: NaN };

async function makeByFabric(object: BoardObject): Promise<Item | null> {
  const { makeShape, makeTextShape } = await import("../scene/fabric-shape.ts");
  try {
    return makeFabricItem(object, makeTextShape(object) ?? (await makeShape(object)));
  } catch {
    return null;
  }
}
