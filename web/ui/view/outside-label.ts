/** Texts about an object outside the view. */

import type { OutsideState } from "../../canvas/view/state.ts";
import { plural, t } from "../language/text.ts";

const SIDES = {
  left: "Drawing: {distance} px to the left",
  right: "Drawing: {distance} px to the right",
  above: "Drawing: {distance} px above",
  below: "Drawing: {distance} px below",
} as const satisfies Readonly<Record<OutsideState["side"], string>>;

/** Returns the distance and side of the object, and in a small window the distance alone. */
export function outsideLabel({ side, distance }: Pick<OutsideState, "side" | "distance">): {
  readonly whole: string;
  readonly short: string;
} {
  return { whole: t(SIDES[side], { distance }), short: t("{distance} px", { distance }) };
}

/** Returns the text about what "Show all" left out. */
export function leftOutLabel(count: number): string {
  return plural(
    count,
    "One object lies far from everything else and is not shown",
    "{count} objects lie far from everything else and are not shown",
  );
}
