/** Positions the selection's toolbar: beside the selection, away from the handle that rotates it, and within the window. */

import { type Box, overlaps } from "../../canvas/geometry/box.ts";
import type { SelectionFrame } from "../../canvas/port.ts";

/**
 * Distances in CSS pixels: `gap` between the toolbar and the handles at the corners, at least `near` above a notice, and
 * `turn` between it and the handle that rotates.
 */
const DISTANCE = { gap: 14, near: 4, turn: 58, edge: 8 } as const;

/** Padding and border on each side, and between two buttons; as in bar.css. */
const PADDING = 4;
const BETWEEN = 2;
/** The height of the line that says how many objects are selected. */
const LABEL = 20;

export interface BarSize {
  readonly button: number;
  readonly width: number;
  readonly height: number;
}

export interface BarContents {
  readonly buttons: number;
  /** Whether the toolbar says how many objects are selected. */
  readonly labelled: boolean;
}

/**
 * Returns the size in CSS pixels. `coarse`: the pointer is a finger; `width`: of the window, where more buttons need
 * several rows.
 */
export function barSize(
  coarse: boolean,
  { buttons, labelled }: BarContents,
  width: number,
): BarSize {
  const button = coarse ? 44 : 36;
  const space = width - 2 * DISTANCE.edge - 2 * PADDING + BETWEEN;
  const rows = Math.ceil(buttons / Math.max(1, Math.floor(space / (button + BETWEEN))));
  const columns = Math.ceil(buttons / rows);
  const across = (count: number): number => count * button + (count - 1) * BETWEEN + 2 * PADDING;
  return { button, width: across(columns), height: across(rows) + (labelled ? LABEL : 0) };
}

/** The width of a panel and its distance from the edge, and the height of a sheet, in CSS pixels; as in side-panel.css. */
const PANEL = { width: 340, edge: 16, height: 460, share: 0.56 } as const;

/**
 * Returns the area that an open panel may cover, in CSS pixels of the canvas, which lies below the `header`: a sheet at
 * the bottom of a phone, otherwise the end of the line.
 */
export function panelArea(
  { width, height }: { readonly width: number; readonly height: number },
  header: number,
  isMirrored: boolean,
): Box {
  const whole = { left: 0, top: 0, right: width, bottom: height };
  const window = height + header;
  if (width < 600 && window >= 420)
    return { ...whole, top: height - Math.min(PANEL.height, PANEL.share * window) };
  const inner = PANEL.width + PANEL.edge;
  return isMirrored ? { ...whole, right: inner } : { ...whole, left: width - inner };
}

/**
 * Returns the toolbar's left top corner, in CSS pixels of the canvas; null when the only selected object is out of
 * sight. `dock`, `tools`, `panel` and `notice`: the areas of it that the dock, More tools beside the canvas, an open
 * panel, and a notice or the hint of the tool cover. Where there is no space above, below or beside the selection, the
 * toolbar covers a part of it.
 */
export function positionBar(
  frame: SelectionFrame,
  { width, height }: BarSize,
  area: {
    readonly width: number;
    readonly height: number;
    readonly dock: Box | null;
    readonly tools: Box | null;
    readonly panel: Box | null;
    readonly notice: Box | null;
  },
): { readonly x: number; readonly y: number } | null {
  const { left, top, right, bottom, upsideDown } = frame;
  const isHidden = right < 0 || bottom < 0 || left > area.width || top > area.height;
  if (isHidden && frame.count < 2) return null;
  const { gap, near, turn, edge } = DISTANCE;
  const space = spaceBeside(area, area.panel);
  const within = (x: number, y: number) => ({
    x: Math.round(Math.max(space.left + edge, Math.min(x, space.right - edge - width))),
    y: Math.round(Math.max(edge, Math.min(y, space.bottom - edge - height))),
  });
  const centre = (left + right - width) / 2;
  const middle = (top + bottom - height) / 2;
  const above = top - (upsideDown ? gap : turn) - height;
  const below = bottom + (upsideDown ? turn : gap);
  const [first, second] = upsideDown ? [above, below] : [below, above];
  const aboveNotice = Math.ceil((area.notice?.top ?? 0) - height) - 1;
  const spots = [
    { at: within(centre, first), fits: first === within(centre, first).y },
    { at: within(centre, second), fits: second === within(centre, second).y },
    ...[right + gap, left - gap - width].map((x) => ({
      at: within(x, middle),
      fits: !isHidden && Math.round(x) === within(x, middle).x,
    })),
    { at: within(centre, aboveNotice), fits: !upsideDown && aboveNotice >= bottom + near },
  ];
  const covers = ({ x, y }: { readonly x: number; readonly y: number }, box: Box | null): boolean =>
    box !== null && overlaps({ left: x, top: y, right: x + width, bottom: y + height }, box);
  const isFree = (at: { readonly x: number; readonly y: number }): boolean =>
    !covers(at, area.dock) && !covers(at, area.tools);
  const free = spots.filter(({ at, fits }) => fits && isFree(at));
  const overDock = within(centre, (area.dock?.top ?? area.height) - edge - height);
  return (
    free.find(({ at }) => !covers(at, area.notice))?.at ??
    free[0]?.at ??
    [spots[0]!.at, overDock].find(isFree) ??
    spots[0]!.at
  );
}

/** The part of the canvas that a panel, if there is one, leaves free. */
function spaceBeside(
  { width, height }: { readonly width: number; readonly height: number },
  panel: Box | null,
): Box {
  const whole = { left: 0, top: 0, right: width, bottom: height };
  if (!panel) return whole;
  if (panel.left === 0 && panel.right === width) return { ...whole, bottom: panel.top };
  return panel.left === 0 ? { ...whole, left: panel.right } : { ...whole, right: panel.left };
}
