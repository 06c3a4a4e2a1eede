/** What the page says of an object outside of the view. */

import type { OutsideState } from "../../canvas/view/view-state.ts";

const SIDES: Readonly<Record<OutsideState["side"], string>> = {
  left: "to the left",
  right: "to the right",
  above: "above",
  below: "below",
};

/** How far away it lies, and on which side. */
export function outsideLabel({ side, distance }: Pick<OutsideState, "side" | "distance">): {
  readonly distance: string;
  readonly place: string;
} {
  return { distance: `${distance.toLocaleString("en")} px`, place: SIDES[side] };
}

/** What "Show all" left out. */
export function leftOutLabel(count: number): string {
  return count === 1
    ? "One object lies far from everything else and is not shown"
    : `${count.toLocaleString("en")} objects lie far from everything else and are not shown`;
}
