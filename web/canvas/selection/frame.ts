/** The box of the selection on the screen, beside which the page shows a toolbar. */

import type { Box } from "../geometry/box.ts";

/** The box in which the selection is shown, in CSS pixels of the canvas. */
export interface SelectionFrame extends Box {
  /** True when the handle that turns the selection is at its lower side. */
  readonly turnedOver: boolean;
}
