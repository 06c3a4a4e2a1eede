/** The states of the picture on the base canvas, besides dirty and exposed areas, and the transitions between them. */

import type { Box } from "../geometry/box.ts";
import type { Matrix } from "../geometry/matrix.ts";
import { ScaledPicture } from "./scaled-picture.ts";
import type { SlicedRepaint } from "./sliced-repaint.ts";

type State =
  /** Paints rectangle by rectangle, onto the picture. */
  | { readonly kind: "direct" }
  /** Paints one of the rectangles beside the picture, in slices. */
  | { readonly kind: "repainting"; readonly repaint: SlicedRepaint }
  /** Shows a copy while the scale of the view may change further. */
  | { readonly kind: "scaled"; readonly copy: ScaledPicture }
  /** Shows the copy, and paints all objects anew beside it, in slices. */
  | { readonly kind: "sharpening"; readonly copy: ScaledPicture; readonly repaint: SlicedRepaint };

const DIRECT: State = { kind: "direct" };

export class PictureState {
  private current: State = DIRECT;
  /** The copy at the scale before the last one: returning to that scale paints no object. */
  private lastScale: ScaledPicture | undefined;

  get kind(): State["kind"] {
    return this.current.kind;
  }

  /** The repaint in slices that is under way. */
  get repaint(): SlicedRepaint | undefined {
    const { current } = this;
    return current.kind === "repainting" || current.kind === "sharpening"
      ? current.repaint
      : undefined;
  }

  /** The copy that is shown instead of the objects. */
  get copy(): ScaledPicture | undefined {
    const { current } = this;
    return current.kind === "scaled" || current.kind === "sharpening" ? current.copy : undefined;
  }

  /** Begins a repaint in slices: of a rectangle, or, under a copy, of the whole picture. */
  begin(repaint: SlicedRepaint): void {
    const { copy } = this;
    this.current = copy ? { kind: "sharpening", copy, repaint } : { kind: "repainting", repaint };
  }

  /** Ends the repaint in slices, and returns its rectangle. `keepsCanvas`: somebody else has taken over its canvas. */
  endRepaint(keepsCanvas = false): Box | undefined {
    const { copy, repaint } = this;
    if (!keepsCanvas) repaint?.dispose();
    this.current = copy ? { kind: "scaled", copy } : DIRECT;
    return repaint?.area;
  }

  /**
   * Returns the copy to show in another scale; a repaint in slices is cancelled. `element` is painted with
   * `toDevice`; `exact`: it shows all objects.
   */
  scale(element: HTMLCanvasElement, toDevice: Matrix, exact: boolean): ScaledPicture {
    let { copy } = this;
    if (!copy || copy.outdated) {
      copy?.release();
      copy = new ScaledPicture(element, toDevice, exact);
    }
    copy.stretch();
    this.endRepaint();
    this.current = { kind: "scaled", copy };
    return copy;
  }

  /** Returns a copy that shows a view pixel by pixel; undefined without one. */
  copyOf(toDevice: Matrix): ScaledPicture | undefined {
    return [this.copy, this.lastScale].find((copy) => copy?.shows(toDevice));
  }

  /**
   * Ends a scaling: the objects are painted in the new scale. The copy is retained when it shows the present state of
   * all objects.
   */
  endScaling(): void {
    const { copy } = this;
    if (!copy) return;
    this.endRepaint();
    this.current = DIRECT;
    this.lastScale?.release();
    this.lastScale = copy.exact ? copy : copy.release();
  }

  /** Notes that an object changed, so that no copy may be shown again. `painted`: the object is on the picture already. */
  outdate(painted: boolean): void {
    const { copy } = this;
    if (copy) {
      copy.exact = false;
      copy.outdated ||= painted;
    }
    this.lastScale = this.lastScale?.release();
  }

  /** Forgets copies and repaint, and frees their memory immediately. */
  clear(): void {
    this.endRepaint();
    this.copy?.release();
    this.current = DIRECT;
    this.lastScale = this.lastScale?.release();
  }
}
