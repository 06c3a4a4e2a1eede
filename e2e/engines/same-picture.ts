/** Whether two engines show the same: each smooths edges in its own way, so a pixel may lie beside its place. */

import { expect } from "@playwright/test";
import type { Picture } from "../../testing/pictures/png.ts";
import type { Visitor } from "./visitor.ts";

/** Shades of a channel by which a pixel may differ. */
const SHADES = 72;

/** Whether two pixels have about the same colour. */
function isLike(at: number, one: Picture, there: number, other: Picture): boolean {
  for (let channel = 0; channel < 3; channel++)
    if (Math.abs((one.rgba[at + channel] ?? 0) - (other.rgba[there + channel] ?? 0)) > SHADES)
      return false;
  return true;
}

/** Whether the other picture has about the colour of a pixel there or beside there. */
function isThere(at: number, x: number, y: number, one: Picture, other: Picture): boolean {
  for (let dy = -1; dy <= 1; dy++)
    for (let dx = -1; dx <= 1; dx++) {
      if (x + dx < 0 || x + dx >= other.width || y + dy < 0 || y + dy >= other.height) continue;
      const there = 4 * ((y + dy) * other.width + x + dx);
      if (isLike(at, one, there, other)) return true;
    }
  return false;
}

/** Counts the pixels of the one picture that the other one lacks. */
function lacks(one: Picture, other: Picture): number {
  let count = 0;
  for (let at = 0, pixel = 0; at < one.rgba.length; at += 4, pixel++) {
    // Nearly all of them are equal in their own place.
    if (one.width === other.width && isLike(at, one, at, other)) continue;
    const [x, y] = [pixel % one.width, Math.floor(pixel / one.width)];
    if (x < other.width && y < other.height && !isThere(at, x, y, one, other)) count++;
  }
  return count;
}

/** Counts the pixels that differ, and those that are drawn on. */
export function compare(one: Picture, other: Picture): { differ: number; drawn: number } {
  let drawn = 0;
  for (let at = 0; at < one.rgba.length; at += 4) {
    const [red, green, blue] = [one.rgba[at], one.rgba[at + 1], one.rgba[at + 2]];
    if (Math.min(red ?? 0, green ?? 0, blue ?? 0) < 128) drawn++;
  }
  return { differ: lacks(one, other) + lacks(other, one), drawn };
}

/** Waits until two visitors see the same drawing, with so many pixels of ink at least. */
export async function expectSame(one: Visitor, other: Visitor, drawn: number): Promise<void> {
  await expect
    .poll(async () => {
      const found = compare(await one.picture(), await other.picture());
      return { differ: found.differ, isDrawn: found.drawn >= drawn };
    })
    .toEqual({ differ: 0, isDrawn: true });
}
