/** The fill of an object, as Fabric paints it. */

import { isTransparent } from "../../../board/unpainted.ts";

type Props = Readonly<Record<string, unknown>>;

/** The colour with which Fabric fills an object without a fill. */
export const BLACK = "#000000";

/** True for an object that is filled. */
export function isFilled({ type, fill = BLACK }: Props): boolean {
  return type !== "Line" && type !== "Image" && !isTransparent(fill);
}
