/** The fill of an object, as Fabric paints it. */

type Props = Readonly<Record<string, unknown>>;

/** The colour with which Fabric fills an object without a fill. */
export const BLACK = "#000000";

/** True for a paint that is visible. */
export function hasPaint(paint: unknown): boolean {
  return Boolean(paint) && paint !== "transparent";
}

/** True for an object that is filled. */
export function isFilled({ type, fill = BLACK }: Props): boolean {
  return type !== "Line" && type !== "Image" && hasPaint(fill);
}
