/**
 * Layers: what is translucent or blended as a whole, as Fabric and SVG show it. An object that paints several things on
 * each other, such as a fill and an outline, is painted opaquely on a canvas of its own, and that canvas into the picture.
 */

type Props = Readonly<Record<string, unknown>>;

/** The look of an object within its layer. */
const WITHIN = { opacity: 1, globalCompositeOperation: "source-over" } as const;

/** True for an object that needs a layer. An object with a shadow has none: the shadow is seen through it. */
export function isLayered(object: Props): boolean {
  const { opacity = 1, globalCompositeOperation: blending = "source-over", shadow, type } = object;
  const isWhole = opacity !== 1 || blending !== "source-over";
  return Boolean(
    isWhole &&
    !shadow &&
    type !== "Image" &&
    (type === "Group" ||
      object["backgroundColor"] ||
      object["textBackgroundColor"] ||
      (object["fill"] !== null && object["stroke"])),
  );
}

/** Returns the object as it is painted within its layer; one without a layer as it is. */
export function withinLayer<O extends Props>(object: O): O {
  return isLayered(object) ? { ...object, ...WITHIN } : object;
}
