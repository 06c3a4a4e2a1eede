/** Writes a drawing as SVG, as Fabric does. */

import type { BoardObject, Drawing } from "../../../board/drawing.ts";
import type { Box } from "../geometry/box.ts";
import { makeText, reviveObject } from "../scene/fabric-objects.ts";
import { numberOr } from "../geometry/transform.ts";
import { fileOf } from "../pictures/decode.ts";
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
      `<rect x="${left}" y="${top}" width="${width}" height="${height}" style="fill: ${background}"/>\n`,
      ...chunks,
      ...texts,
      "</svg>\n",
    ],
    { type: "image/svg+xml" },
  );
}

/** Writes an object; Fabric itself writes no blending. Returns null for one that Fabric refuses. */
async function objectToSvg(object: BoardObject): Promise<Part | null> {
  try {
    const part = await (object.type === "Image" ? pictureToSvg(object) : shapeToSvg(object));
    const blending = object["globalCompositeOperation"];
    if (typeof blending !== "string") return part;
    return { ...part, text: `<g style="mix-blend-mode: ${blending}">${part.text}</g>` };
  } catch {
    return null;
  }
}

async function shapeToSvg(object: BoardObject): Promise<Part> {
  const made = makeText(object) ?? (await reviveObject(object));
  const { left, top, width, height } = made.getBoundingRect();
  const plain = isPlain(object) ? makePlainItem(object) : null;
  const box = plain?.box ?? { left, top, right: left + width, bottom: top + height };
  const text = made.toSVG().replace(NOT_XML, "");
  made.dispose();
  return { text, box, eraser: plain?.eraser ?? false };
}

/** Writes a picture. Throws an Error when it is none within the limits. */
function pictureToSvg(object: BoardObject): Part {
  const source = object["src"] as string;
  const { header } = fileOf(source);
  const shape = new PictureShape(object);
  const { box, matrix } = makeFabricItem(object, shape);
  const { width, height } = shape.size;
  const [x, y] = [numberOr(object["cropX"], 0), numberOr(object["cropY"], 0)];
  const text =
    `<g transform="matrix(${matrix.join(" ")})" style="opacity: ${numberOr(object["opacity"], 1)}">` +
    `<svg x="${-width / 2}" y="${-height / 2}" width="${width}" height="${height}" viewBox="${x} ${y} ${width} ${height}">` +
    `<image width="${header.width}" height="${header.height}" preserveAspectRatio="none" xlink:href="${source}"/></svg></g>`;
  return { text, box, eraser: false };
}
