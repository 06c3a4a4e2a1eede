/** Reads a PDF of Chromium: its pages, whether it has text, and its pictures. */

import { inflateSync } from "node:zlib";
import type { Picture } from "./png.ts";

export interface Pdf {
  readonly pages: number;
  /** The number of fonts; 0 when there is no text. */
  readonly fonts: number;
  /** The opaque pictures. */
  readonly pictures: readonly Picture[];
}

export function readPdf(file: Buffer): Pdf {
  const text = file.toString("latin1");
  const pictures: Picture[] = [];
  for (const { 0: head, index } of text.matchAll(/<<[^>]*\/Subtype \/Image[^>]*>> stream\r?\n/g)) {
    const number = (name: string): number =>
      Number(new RegExp(`/${name} (\\d+)`).exec(head)?.[1] ?? Number.NaN);
    const start = index + head.length;
    if (!head.includes("/ColorSpace [/ICCBased") && !head.includes("/DeviceRGB")) continue;
    const rgb = inflateSync(file.subarray(start, start + number("Length")));
    const [width, height] = [number("Width"), number("Height")];
    const rgba = new Uint8Array(width * height * 4).fill(255);
    for (let at = 0; at < width * height; at++) rgba.set(rgb.subarray(at * 3, at * 3 + 3), at * 4);
    pictures.push({ width, height, rgba });
  }
  return {
    pages: count(text, /\/Type \/Page\b/g),
    fonts: count(text, /\/Type \/Font\b/g),
    pictures,
  };
}

function count(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0;
}
