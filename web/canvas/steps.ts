/** Areas of device pixels that grow in steps, so that they seldom do. */

import type { Box } from "./matrix.ts";

const STEP = 256;

export const NOWHERE: Box = { left: 0, top: 0, right: 0, bottom: 0 };

export function holds(area: Box, part: Box): boolean {
  return (
    part.left >= area.left &&
    part.top >= area.top &&
    part.right <= area.right &&
    part.bottom <= area.bottom
  );
}

/** The box with its edges on whole steps, within the frame. */
export function steps(box: Box, frame: Box): Box {
  const down = (value: number): number => Math.floor(value / STEP) * STEP;
  const up = (value: number): number => Math.ceil(value / STEP) * STEP;
  return {
    left: Math.max(down(box.left), frame.left),
    top: Math.max(down(box.top), frame.top),
    right: Math.min(up(box.right), frame.right),
    bottom: Math.min(up(box.bottom), frame.bottom),
  };
}
