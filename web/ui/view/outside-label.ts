/** What the page says of an object outside of the view. */

import type { OutsideState } from "../../canvas/view/state.ts";
import { plural, t } from "../language/text.ts";

const SIDES = {
  left: "Drawing: {distance} px to the left",
  right: "Drawing: {distance} px to the right",
  above: "Drawing: {distance} px above",
  below: "Drawing: {distance} px below",
} as const satisfies Readonly<Record<OutsideState["side"], string>>;

/** How far away it lies and on which side, and in a small window the distance alone. */
export function outsideLabel({ side, distance }: Pick<OutsideState, "side" | "distance">): {
  readonly whole: string;
  readonly short: string;
} {
  return { whole: t(SIDES[side], { distance }), short: t("{distance} px", { distance }) };
}

/** What "Show all" left out. */
export function leftOutLabel(count: number): string {
  return plural(
    count,
    "One object lies far from everything else and is not shown",
    "{count} objects lie far from everything else and are not shown",
  );
}
