/** Writes a drawing as SVG, as Fabric does. */

import { Circle, type FabricObject, Group, Text } from "fabric";
import type { BoardObject, Drawing } from "../../../board/drawing.ts";
import { SVG_MARKS } from "../../../board/svg-marks.ts";
import { type Box, inflate } from "../geometry/box.ts";
import { makeText, reviveObject } from "../scene/fabric-objects.ts";
import { overhangOf } from "../scene/fabric-shape.ts";
import { numberOr, stretchOf } from "../geometry/transform.ts";
import { decodePicture, fileOf } from "../pictures/decode.ts";
import { PictureShape } from "../pictures/shape.ts";
import { isPlain, isVisible, makeFabricItem, makePlainItem } from "../scene/item.ts";
import { createSlices } from "../scheduling/slices.ts";
import { fileBox } from "./picture.ts";

interface Part {
  readonly text: string;
  readonly box: Box;
  readonly eraser: boolean;
}

/** Matches characters that no XML may contain in any form; a text of the board may contain them. */
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** The number of objects whose texts are handed to the browser together: all in one go would block the page. */
const CHUNK = 200;

/** Width and height of a mask, which is larger than what it masks. */
const MASK = 1e6;

/**
 * Writes objects on their background as an SVG file, with a margin, in slices. Objects that Fabric refuses are left out.
 * Returns null when `signal` was aborted, or when nothing can be seen.
 */
export async function drawingToSvg(
  { objects, background }: Pick<Drawing, "objects" | "background">,
  signal: AbortSignal,
): Promise<Blob | null> {
  const slices = createSlices(signal);
  const shown: Pick<Part, "box" | "eraser">[] = [];
  const chunks: Blob[] = [];
  let texts: string[] = [];
  for (const object of objects) {
    if (!(await slices.next())) return null;
    const part = isVisible(object) ? await objectToSvg(object) : null;
    if (!part) continue;
    const { text, box, eraser } = part;
    shown.push({ box, eraser });
    texts.push(`${text}\n`);
    if (texts.length < CHUNK) continue;
    chunks.push(new Blob(texts));
    texts = [];
  }
  const around = fileBox(shown);
  if (!around) return null;
  const { left, top } = around;
  const [width, height] = [around.right - left, around.bottom - top];
  return new Blob(
    [
      `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${height}" viewBox="${left} ${top} ${width} ${height}" xml:space="preserve">\n`,
      // Below a translucent background the board is white.
      ...[...new Set(["white", background])].map((color) => {
        const mark = color === "white" ? `class="${SVG_MARKS.background}" ` : "";
        return `<rect ${mark}x="${left}" y="${top}" width="${width}" height="${height}" style="fill: ${color}"/>\n`;
      }),
      ...chunks,
      ...texts,
      "</svg>\n",
    ],
    { type: "image/svg+xml" },
  );
}

/** Writes an object. Returns null for one that Fabric refuses. */
async function objectToSvg(object: BoardObject): Promise<Part | null> {
  try {
    const part = await (object.type === "Image" ? pictureToSvg(object) : shapeToSvg(object));
    return { ...part, text: blended(part.text, object["globalCompositeOperation"]) };
  } catch {
    return null;
  }
}

/** Adds the blending, of which Fabric writes none. */
function blended(text: string, blending: unknown): string {
  if (typeof blending !== "string" || blending === "source-over") return text;
  return `<g style="mix-blend-mode: ${blending}">${text}</g>`;
}

async function shapeToSvg(object: BoardObject): Promise<Part> {
  const made = makeText(object) ?? (await reviveObject(unscaled(object)));
  completeSvg(made);
  const { left, top, width, height } = made.getBoundingRect();
  const plain = isPlain(object) ? makePlainItem(object) : null;
  const bounds = { left, top, right: left + width, bottom: top + height };
  const box = plain?.box ?? inflate(bounds, overhangOf(made) * stretchOf(made));
  const text = made.toSVG().replace(NOT_XML, "");
  made.dispose();
  if (!plain?.eraser) return { text, box, eraser: false };
  return { text: `<g class="${SVG_MARKS.eraser}">${text}</g>`, box, eraser: true };
}

/**
 * Returns a shape of uniform outline in its size on the board, without a scale: the line of a scaled one would stay thin
 * where the file is shown larger. Any other object is returned as it is, and so is a skewed shape: its skew would be
 * another one without the scale.
 */
function unscaled(object: BoardObject): BoardObject {
  if (object["strokeUniform"] !== true || !isPlain(object)) return object;
  if (object["skewX"] || object["skewY"]) return object;
  const isCircle = object.type === "Circle";
  // An ellipse has no angles.
  if ((numberOr(object["endAngle"], 360) - numberOr(object["startAngle"], 0)) % 360) return object;
  const sized = (name: string, along: "scaleX" | "scaleY"): number =>
    numberOr(object[name], 0) * Math.abs(numberOr(object[along], 1));
  // As in Fabric, one given radius stands for both.
  const radius = (name: string, other: string): string =>
    isCircle ? "radius" : object[name] ? name : other;
  return {
    ...{ ...object, type: isCircle ? "Ellipse" : object.type },
    ...{ scaleX: 1, scaleY: 1, strokeUniform: false },
    ...{ width: sized("width", "scaleX"), height: sized("height", "scaleY") },
    ...{ rx: sized(radius("rx", "ry"), "scaleX"), ry: sized(radius("ry", "rx"), "scaleY") },
  };
}

/**
 * Has Fabric write the backgrounds, inverted clip paths and arcs of an object and of those inside it, and the blending of
 * these. Fabric writes the backgrounds of texts alone, refuses a group with one, inverts no clip path, and knows no arc
 * that is drawn counter-clockwise.
 */
function completeSvg(object: FabricObject): void {
  const { backgroundColor, opacity, clipPath } = object;
  if (object instanceof Circle) {
    const { startAngle, endAngle, counterClockwise } = object;
    const [from, to] = counterClockwise ? [endAngle, startAngle] : [startAngle, endAngle];
    const across = (((to - from) % 360) + 360) % 360;
    object.set({ startAngle: from, endAngle: from + across, counterClockwise: false });
  }
  if (clipPath?.inverted) {
    const write = object.toSVG.bind(object);
    object.toSVG = () => masked(write());
  }
  if (backgroundColor && !(object instanceof Text)) {
    const { x, y } = object._getNonTransformedDimensions();
    const write = object._toSVG.bind(object);
    const style = `fill: ${backgroundColor}; opacity: ${opacity}`;
    object.backgroundColor = "";
    object._toSVG = () => [
      `<rect x="${-x / 2}" y="${-y / 2}" width="${x}" height="${y}" style="${style}"/>\n`,
      ...write(),
    ];
  }
  for (const child of object instanceof Group ? object.getObjects() : []) {
    completeSvg(child);
    const write = child.toSVG.bind(child);
    child.toSVG = () => blended(write(), child.globalCompositeOperation);
  }
}

/** Returns an object's text with a mask for its clip path, the first one in it: what is outside of it is shown. */
function masked(text: string): string {
  const area = `x="${-MASK / 2}" y="${-MASK / 2}" width="${MASK}" height="${MASK}"`;
  const mask = `<mask $1 maskUnits="userSpaceOnUse" ${area}><rect ${area} fill="white"/>$2</mask>`;
  return text
    .replace('clip-path="url', 'mask="url')
    .replace(/<clipPath (id="\w+") >([^]*?)<\/clipPath>/, mask);
}

/** Writes a picture. Throws an Error when it is none within the limits. */
async function pictureToSvg(object: BoardObject): Promise<Part> {
  const source = object["src"] as string;
  const { header } = fileOf(source);
  // A viewer turns the picture as its camera was held.
  const decoded = await decodePicture(source, 0).catch(() => undefined);
  const { width: across, height: down } = decoded?.bitmap ?? header;
  decoded?.bitmap.close();
  const shape = new PictureShape(object);
  const { box, matrix } = makeFabricItem(object, shape);
  const { width, height } = shape.size;
  const [x, y] = [numberOr(object["cropX"], 0), numberOr(object["cropY"], 0)];
  const text =
    `<g transform="matrix(${matrix.join(" ")})" style="opacity: ${numberOr(object["opacity"], 1)}">` +
    `<svg x="${-width / 2}" y="${-height / 2}" width="${width}" height="${height}" viewBox="${x} ${y} ${width} ${height}">` +
    `<image width="${across}" height="${down}" preserveAspectRatio="none" xlink:href="${source}"/></svg></g>`;
  return { text, box, eraser: false };
}
