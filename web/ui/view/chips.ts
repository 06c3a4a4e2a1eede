/** Positions the chips of what is outside the view: at the edge, on the line from the middle to it. */

import type { AwayPeer } from "../../canvas/view/away-peers.ts";

/** The number of peers with a chip; further ones are only counted. */
const MAX_CHIPS = 5;

/** Distances in CSS pixels: of the middle of a chip from the edges, and of chips from each other. */
const WIDE = { x: 84, y: 30, apart: { x: 160, y: 40 }, half: { x: 80, y: 18 } } as const;
/** The distances in a small window, where a chip has no name (see view.css), and the button Show all is in the corner. */
const SMALL = {
  ...{ x: 30, y: 30, apart: { x: 48, y: 48 }, half: { x: 22, y: 22 } },
  corner: { x: 190, y: 60 },
} as const;
/** Half of the size of the drawing's chip, which has a text, in CSS pixels. */
const DRAWING = { wide: { x: 124, y: 20 }, small: { x: 62, y: 22 } } as const;
/** Matches a small window; the same query is in view.css. */
const SMALL_WINDOW = "(width < 700px), (height < 520px)";
/** CSS pixels that a hint takes above the dock, and the least height in which one is shown. */
const HINT = 52;
const MIN_HEIGHT = 330;
/** The area of new shapes and their handles, in CSS pixels of the canvas. */
const NEW_SHAPE = { min: 88, max: 262 } as const;

export interface Chip {
  readonly peer: AwayPeer;
  /** The middle of the chip, in CSS pixels of the canvas. */
  readonly x: number;
  readonly y: number;
  /** The direction to the peer, in radians, clockwise from the right. */
  readonly angle: number;
}

/** The area for chips, in CSS pixels. */
export interface ChipArea {
  readonly width: number;
  readonly height: number;
  /** Whether the window is small. */
  readonly small: boolean;
  /** The width that a toolbar covers at the left, or at the right where `isMirrored`; absent for nothing. */
  readonly beside?: number;
  /** Whether the page is read from right to left: the toolbar is at the right, and Show all in the left corner. */
  readonly isMirrored?: boolean;
}

/** Half of a chip's width and height. */
interface ChipSize {
  readonly x: number;
  readonly y: number;
}

/** The position of a chip. */
export type ChipPosition = Omit<Chip, "peer">;

export const isSmallWindow = (): boolean => matchMedia(SMALL_WINDOW).matches;

/** Returns the position of the drawing's chip, which points to (x, y), in CSS pixels of the canvas. */
export function positionDrawingChip(
  { x, y }: Pick<ChipPosition, "x" | "y">,
  area: ChipArea,
): ChipPosition {
  const { small } = area;
  // The hint is above the dock.
  const height = area.height >= MIN_HEIGHT ? area.height - HINT : area.height;
  const half = small ? DRAWING.small : DRAWING.wide;
  const chip = atEdge({ x, y }, { ...area, height }, { x: half.x + 8, y: half.y + 8 });
  if (small && inCorner(chip.x, half.x, area) && chip.y < SMALL.corner.y) {
    const aside = SMALL.corner.x + half.x;
    return { ...chip, x: area.isMirrored ? aside : area.width - aside };
  }
  return { ...chip, y: beside(chip.x, chip.y, half, height) };
}

/**
 * Whether something of twice the width `half` around x reaches into the corner of a small window that has the button
 * Show all.
 */
function inCorner(x: number, half: number, { width, isMirrored }: ChipArea): boolean {
  return (isMirrored ? x : width - x) - half < SMALL.corner.x;
}

/** The point at the edge, `inset` inside of it, on the line from the middle. */
function atEdge(
  toward: Pick<ChipPosition, "x" | "y">,
  { width, height, beside: covered = 0, isMirrored }: ChipArea,
  inset: ChipSize,
): ChipPosition {
  const [dx, dy] = [toward.x - width / 2, toward.y - height / 2];
  const reach = { x: Math.max(1, width / 2 - inset.x), y: Math.max(1, height / 2 - inset.y) };
  const scale = Math.max(Math.abs(dx) / reach.x, Math.abs(dy) / reach.y, 1);
  const x = Math.round(width / 2 + dx / scale);
  const nearest = covered + inset.x;
  return {
    x: isMirrored ? Math.min(width - nearest, x) : Math.max(nearest, x),
    y: Math.round(height / 2 + dy / scale),
    angle: Math.round(Math.atan2(dy, dx) * 100) / 100,
  };
}

/**
 * Returns the chips in an area of this size, and the number of peers without one. A peer that the view shows has its
 * chip at the top.
 */
export function positionChips(
  peers: readonly AwayPeer[],
  area: ChipArea,
  drawing: ChipPosition | null = null,
): { readonly chips: readonly Chip[]; readonly more: number } {
  const { width, height, small } = area;
  // A peer that the visitor went to keeps its chip.
  const sorted = peers.toSorted((a, b) => Number(b.visible) - Number(a.visible));
  const chips: Chip[] = [];
  const { x: insetX, y: insetY, apart, half } = small ? SMALL : WIDE;
  const text = small ? DRAWING.small : DRAWING.wide;
  const isAtDrawing = (x: number, y: number): boolean =>
    drawing !== null &&
    Math.abs(drawing.x - x) < text.x + half.x &&
    Math.abs(drawing.y - y) < text.y + half.y;
  const taken = (x: number, y: number): boolean =>
    beside(x, y, half, height) !== y ||
    isAtDrawing(x, y) ||
    (small && inCorner(x, 0, area) && y < SMALL.corner.y) ||
    chips.some((one) => Math.abs(one.x - x) < apart.x && Math.abs(one.y - y) < apart.y);
  for (const peer of sorted.slice(0, MAX_CHIPS)) {
    const toward = peer.visible ? { x: width / 2, y: 0 } : peer;
    const { x, y: level, angle } = atEdge(toward, area, { x: insetX, y: insetY });
    let y = beside(x, level, half, height);
    // Chips in one direction form a column.
    const step = y > height / 2 ? -apart.y : apart.y;
    for (let tries = 0; tries < MAX_CHIPS && taken(x, y); tries++) y += step;
    chips.push({ peer, x, y, angle });
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
