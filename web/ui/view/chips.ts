/** Where the chips of peers outside of the view stand: at the edge, on the line from the middle to the peer. */

import type { AwayPeer } from "../../canvas/view/away-peers.ts";

/** More peers than this are only counted. */
const MAX_CHIPS = 5;

/** In CSS pixels: the middle of a chip stays so far inside of the edges, and chips stand so far apart. */
const WIDE = { x: 84, y: 30, apart: { x: 160, y: 40 }, half: { x: 80, y: 18 } } as const;
/** In a small window a chip has no name (see view.css), and the button Show all is in the corner. */
const SMALL = {
  ...{ x: 30, y: 30, apart: { x: 48, y: 48 }, half: { x: 22, y: 22 } },
  corner: { x: 190, y: 60 },
} as const;
/** Where new shapes and their handles are at first, in CSS pixels of the canvas. */
const NEW_SHAPE = { min: 88, max: 262 } as const;

export interface Chip {
  readonly peer: AwayPeer;
  /** The middle of the chip, in CSS pixels of the canvas. */
  readonly x: number;
  readonly y: number;
  /** To the peer, in radians, clockwise from the right. */
  readonly angle: number;
}

/** In CSS pixels. */
export interface ChipArea {
  readonly width: number;
  readonly height: number;
  /** The window is small. */
  readonly small: boolean;
}

/** Half of a chip's width and height. */
interface ChipSize {
  readonly x: number;
  readonly y: number;
}

/** The chips in an area of this size, and how many peers have none. A peer that the view shows has its chip at the top. */
export function positionChips(
  peers: readonly AwayPeer[],
  { width, height, small }: ChipArea,
): { readonly chips: readonly Chip[]; readonly more: number } {
  // One that the visitor went to keeps its chip.
  const sorted = peers.toSorted((a, b) => Number(b.visible) - Number(a.visible));
  const chips: Chip[] = [];
  const { x: insetX, y: insetY, apart, half } = small ? SMALL : WIDE;
  const taken = (x: number, y: number): boolean =>
    beside(x, y, half, height) !== y ||
    (small && x > width - SMALL.corner.x && y < SMALL.corner.y) ||
    chips.some((one) => Math.abs(one.x - x) < apart.x && Math.abs(one.y - y) < apart.y);
  for (const peer of sorted.slice(0, MAX_CHIPS)) {
    const toward = peer.visible ? { x: width / 2, y: 0 } : peer;
    const [dx, dy] = [toward.x - width / 2, toward.y - height / 2];
    const reach = {
      x: Math.max(1, width / 2 - insetX),
      y: Math.max(1, height / 2 - insetY),
    };
    const scale = Math.max(Math.abs(dx) / reach.x, Math.abs(dy) / reach.y, 1);
    const x = Math.round(width / 2 + dx / scale);
    let y = beside(x, Math.round(height / 2 + dy / scale), half, height);
    // Those in one direction stand in a column.
    const step = y > height / 2 ? -apart.y : apart.y;
    for (let tries = 0; tries < MAX_CHIPS && taken(x, y); tries++) y += step;
    chips.push({ peer, x, y, angle: Math.round(Math.atan2(dy, dx) * 100) / 100 });
  }
  return { chips, more: Math.max(0, peers.length - MAX_CHIPS) };
}

/** The y of a chip that does not cover a new shape: above it, or below where that is nearer and there is space. */
function beside(x: number, y: number, half: ChipSize, height: number): number {
  const [above, below] = [NEW_SHAPE.min - half.y, NEW_SHAPE.max + half.y];
  const covers = x + half.x > NEW_SHAPE.min && x - half.x < NEW_SHAPE.max && y > above && y < below;
  if (!covers) return y;
  return below - y < y - above && below + half.y <= height ? below : above;
}
