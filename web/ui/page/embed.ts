/** The whiteboard within a page of another site: `?embed`, and `view=x,y,zoom` beside it. */

import { LIMITS } from "../../../board/constants.ts";

/** The view at the start: the board point in its middle, and the zoom, 1 for 100 %. */
export interface StartView {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

export interface Embedding {
  /** Whether header and menu are left out; the save state, undo and redo then float above the canvas. */
  readonly isEmbedded: boolean;
  /** The view at the start; null for the usual one. */
  readonly view: StartView | null;
}

/** Reads the options in the page's address; a view that cannot be read counts as absent. */
export function readEmbedding(search: string): Embedding {
  const asked = new URLSearchParams(search);
  if (!asked.has("embed")) return { isEmbedded: false, view: null };
  const numbers = (asked.get("view") ?? "").split(",").map((text) => {
    return /^[+-]?\d{1,8}(?:\.\d{1,6})?$/.test(text.trim()) ? Number(text) : Number.NaN;
  });
  const [x = Number.NaN, y = Number.NaN, zoom = 1] = numbers;
  const isView = numbers.length <= 3 && [x, y, zoom].every(Number.isFinite) && zoom > 0;
  return { isEmbedded: true, view: isView ? { x, y, zoom } : null };
}

export const EMBEDDING: Embedding = readEmbedding(
  typeof location === "undefined" ? "" : location.search,
);

/** CSS pixels of the window above the canvas. */
export const HEADER_HEIGHT: number = EMBEDDING.isEmbedded ? 0 : LIMITS.headerHeight;
