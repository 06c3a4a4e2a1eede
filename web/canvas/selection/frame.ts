/** Where the page may show a toolbar beside the selection. */

import type { Box } from "../geometry/box.ts";

/** The box in which the selection is shown, in CSS pixels of the canvas. */
export interface SelectionFrame extends Box {
  /** True when the handle that turns the selection is at its lower side. */
  readonly turnedOver: boolean;
}
