/** The preview of an earlier version of the drawing. */

import type { Drawing } from "../../../board/drawing.ts";

/** The content of the canvas in place of the board. */
export type Preview =
  | { readonly state: "none"; readonly drawing?: undefined }
  /** `drawing`: the version that the canvas shows meanwhile. */
  | ({ readonly state: "loading"; readonly drawing?: Drawing | undefined } & Previewed)
  | ({ readonly state: "shown"; readonly drawing: Drawing } & Previewed)
  /** The canvas shows the board. `gone`: the backend no longer has the version, or it cannot be read. */
  | ({
      readonly state: "failed";
      readonly reason: "gone" | "unreachable";
      readonly drawing?: undefined;
    } & Previewed);

export interface Previewed {
  readonly id: string;
  /** The time when the version was saved, as the page names it. */
  readonly time: string;
}

/** The preview while the canvas shows the board and no version was chosen. */
export const NO_PREVIEW: Preview = { state: "none" };

/** True while the canvas does not show the board, and the visitor cannot edit it. */
export function isPreviewing({ state }: Preview): boolean {
  return state === "loading" || state === "shown";
}
