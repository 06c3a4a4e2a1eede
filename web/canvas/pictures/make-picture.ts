/** Makes a picture for the board from a file: small, rotated as the camera was held, and without any metadata. */

import { MAX_SOURCE } from "../../../board/limits.ts";
import { readPictureHeader } from "../../../board/picture-header.ts";
import { isComplete } from "./complete.ts";
import { FALSIFIED, readsBack } from "./read-back.ts";
import { takeOrientation } from "./webp-orientation.ts";

/** A picture in the form in which a board contains it. */
export interface MadePicture {
  readonly ok: true;
  /** A data URL of at most 300 x 1,024 bytes. */
  readonly source: string;
  /** Width in pixels. */
  readonly width: number;
  readonly height: number;
}

/** The result. `reason` is a clause for a person. */
export type PictureResult = MadePicture | { readonly ok: false; readonly reason: string };

/** Greatest number of bytes and pixels of a file: more than any camera produces, and as much as a browser can handle. */
const MAX_FILE = 50 * 1024 * 1024;
const MAX_FILE_PIXELS = 100_000_000;

/** Pixels of the longer side, reduced until the file is small enough, and the qualities that are tried for each. */
const LONGEST = 1600;
const SIDES = [LONGEST, 1200, 900, 640, 400];
const QUALITIES = [0.85, 0.7, 0.5];

/**
 * The least longer side of a PNG that was reduced. Safari writes no WebP, and a smaller PNG would be blurred on the
 * board: the picture is a JPEG on white instead.
 */
const SHARP = 900;

/** Least number of pixels on the longer side of an SVG without a size. */
const MIN_SIZE = 300;

const UNREADABLE = "it is no picture that can be read";

/** Bytes at the beginning of an SVG file that must contain its root element. */
const SVG_START = 4_000;

/** A size in pixels. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/** A picture that was read, and the orientation of EXIF in which it still has to be drawn. */
interface Picture {
  readonly bitmap: ImageBitmap;
  readonly orientation: number;
}

/** The turns of the orientations 1 to 8 of EXIF, as the first four numbers of a transform. */
const TURNS = [
  [1, 0, 0, 1],
  [-1, 0, 0, 1],
  [-1, 0, 0, -1],
  [1, 0, 0, -1],
  [0, 1, 1, 0],
  [0, 1, -1, 0],
  [0, -1, -1, 0],
  [0, -1, 1, 0],
] as const;

export interface PictureSteps {
  /** Returns the reason, as a clause, why an SVG file is not drawn; null when it may be: drawing it blocks the page. */
  readonly refuseSvg: (file: Blob) => Promise<string | null>;
  /** Called with the approximate size of the picture, before the part that takes long. */
  readonly onSize: (size: Size) => void;
}

/** Reads a file: PNG, JPEG, WebP, GIF (its first frame) or SVG. Rejects only where `refuseSvg` does. */
export async function makePicture(
  file: Blob,
  { onSize, refuseSvg }: PictureSteps,
): Promise<PictureResult> {
  if (file.size > MAX_FILE) return { ok: false, reason: "it is larger than 50 MB" };
  const content = await file.arrayBuffer().catch(() => null);
  if (!content) return { ok: false, reason: "it could not be read" };
  const bytes = new Uint8Array(content);
  if (bytes.length === 0) return { ok: false, reason: "it is empty" };
  const header = readPictureHeader(bytes);
  if (header && header.width * header.height > MAX_FILE_PIXELS)
    return { ok: false, reason: "it has more than 100 million pixels" };
  if (!header && !isSvg(bytes))
    return { ok: false, reason: "it is none of PNG, JPEG, WebP, GIF and SVG" };
  if (!readsBack()) return { ok: false, reason: FALSIFIED };
  if (header && !isComplete(bytes, header.type)) return { ok: false, reason: "it is cut off" };
  const refused = header ? null : await refuseSvg(file);
  if (refused !== null) return { ok: false, reason: refused };
  try {
    const isWebp = header?.type === "image/webp";
    const orientation = isWebp ? takeOrientation(bytes) : 1;
    const source = isWebp ? new Blob([bytes], { type: header.type }) : file;
    const bitmap = header ? await createImageBitmap(source) : await drawSvg(file);
    const picture = { bitmap, orientation };
    const isOpaque = header?.type === "image/jpeg";
    onSize(sizeWithin(picture, LONGEST));
    return (
      (await shrink(picture, isOpaque)) ?? { ok: false, reason: "it cannot be made small enough" }
    );
  } catch {
    return { ok: false, reason: UNREADABLE };
  }
}

/** Whether a file is an SVG, whose tag UTF-16 writes with a zero beside each letter. */
function isSvg(bytes: Uint8Array): boolean {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, SVG_START));
  return /<svg[\s>]/i.test(start.replaceAll("\0", ""));
}

/**
 * Draws an SVG as the browser shows it in a page: it runs no script and loads nothing. It is a data URL, since
 * Chromium makes a canvas unreadable that has shown a blob with HTML in it, which draw.io writes.
 */
async function drawSvg(file: Blob): Promise<ImageBitmap> {
  const image = new Image();
  image.src = await toDataUrl(new Blob([await sized(file)], { type: "image/svg+xml" }));
  await image.decode();
  const [across, down] = [image.naturalWidth || 300, image.naturalHeight || 150];
  // It is as sharp as a board allows, however small its stated size.
  const scale = Math.min(1, LONGEST / Math.max(across, down));
  const canvas = canvasOf(Math.ceil(across * scale), Math.ceil(down * scale));
  canvas.context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return createImageBitmap(canvas.element);
}

/**
 * Gives an SVG that has a viewBox but no size a size with the same proportions: browsers differ in the size in which
 * they show it, and some stretch it.
 */
async function sized(file: Blob): Promise<Blob | string> {
  const text = await file.text();
  const [tag = ""] = /<svg\b[^>]*>/i.exec(text) ?? [];
  // In another encoding its letters would be lost.
  if (text.includes("\ufffd") || /\swidth\s*=[^%]*\sheight\s*=[^%]*$/.test(tag)) return file;
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  const root = parsed.documentElement;
  const box =
    root
      .getAttribute("viewBox")
      ?.trim()
      .split(/[\s,]+/)
      .map(Number) ?? [];
  const [width = 0, height = 0] = box.slice(2);
  const hasSize = ["width", "height"].every((name) =>
    /^\s*[\d.]+[a-z]*\s*$/i.test(root.getAttribute(name) ?? ""),
  );
  if (root.localName !== "svg" || hasSize || !(width > 0 && height > 0)) return file;
  const scale = Math.max(1, MIN_SIZE / Math.max(width, height));
  root.setAttribute("width", String(width * scale));
  root.setAttribute("height", String(height * scale));
  return new XMLSerializer().serializeToString(parsed);
}

async function shrink(picture: Picture, isOpaque: boolean): Promise<MadePicture | undefined> {
  const { bitmap } = picture;
  try {
    const longer = Math.max(bitmap.width, bitmap.height);
    // A picture that is already small is tried once.
    const sides = SIDES.filter((side) => side === LONGEST || side < longer);
    for (const ground of ["#0000", "#fff"])
      for (const side of sides) {
        const { width, height } = sizeWithin(picture, side);
        const { element, context } = canvasOf(width, height);
        context.imageSmoothingQuality = "high";
        context.fillStyle = ground;
        context.fillRect(0, 0, width, height);
        drawUpright(context, picture);
        const isJpeg = isOpaque || !hasTransparency(context);
        const source = await encode(element, isJpeg, side >= SHARP);
        element.width = element.height = 0;
        if (source !== undefined) return { ok: true, source, width, height };
      }
    return undefined;
  } finally {
    bitmap.close();
  }
}

/** Returns the size of an upright picture that is scaled down so that no side is longer than `side` pixels. */
function sizeWithin({ bitmap, orientation }: Picture, side: number): Size {
  const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height));
  const width = Math.max(1, Math.round(bitmap.width * scale));
  const height = Math.max(1, Math.round(bitmap.height * scale));
  return isOnItsSide(orientation) ? { width: height, height: width } : { width, height };
}

/** Draws a picture upright, as large as the canvas. */
function drawUpright(context: CanvasRenderingContext2D, { bitmap, orientation }: Picture): void {
  const { width, height } = context.canvas;
  const [a, b, c, d] = TURNS[orientation - 1] ?? [1, 0, 0, 1];
  // Where a turn makes a direction negative, it begins at the other side.
  context.setTransform(a, b, c, d, a + c < 0 ? width : 0, b + d < 0 ? height : 0);
  const [across, down] = isOnItsSide(orientation) ? [height, width] : [width, height];
  context.drawImage(bitmap, 0, 0, across, down);
}

/** Whether an orientation makes the width of a picture its height. */
function isOnItsSide(orientation: number): boolean {
  return orientation > 4;
}

/** Encodes a data URL that is short enough; undefined when none is. `takesPng`: it may be a PNG. */
async function encode(
  canvas: HTMLCanvasElement,
  isOpaque: boolean,
  takesPng: boolean,
): Promise<string | undefined> {
  for (const quality of QUALITIES) {
    const webp = await toBlob(canvas, "image/webp", quality);
    // A browser that cannot write WebP writes PNG.
    const isWebp = webp?.type === "image/webp";
    const blob = isWebp || !isOpaque ? webp : await toBlob(canvas, "image/jpeg", quality);
    const isPng = blob?.type === "image/png";
    const source = blob && (takesPng || !isPng) ? await toDataUrl(blob) : undefined;
    if (source !== undefined && source.length <= MAX_SOURCE) return source;
    if (isPng) return undefined;
  }
  return undefined;
}

function toBlob(canvas: HTMLCanvasElement, type: string, quality: number): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob(resolve, type, quality));
}

function toDataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(new Error(UNREADABLE));
    reader.readAsDataURL(blob);
  });
}

function hasTransparency(context: CanvasRenderingContext2D): boolean {
  const { width, height } = context.canvas;
  const { data } = context.getImageData(0, 0, width, height);
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return true;
  return false;
}

function canvasOf(width: number, height: number) {
  const element = document.createElement("canvas");
  element.width = width;
  element.height = height;
  const context = element.getContext("2d");
  if (!context) throw new Error(UNREADABLE);
  return { element, context, width, height };
}
