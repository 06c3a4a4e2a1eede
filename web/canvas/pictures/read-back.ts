/** Opaque colours of a canvas of 2 x 2 pixels. */
const COLORS = ["#ff0000", "#00ff00", "#0000ff", "#ffffff"];

/** The reason why nothing is made of the pixels of a canvas where they do not read back. */
export const FALSIFIED = "the browser's protection against tracking would damage it";

/** The least difference of a channel, of 255, that is visible: some browsers change the last bits of a few pixels. */
const VISIBLE = 8;

/**
 * Returns whether the browser lets a page read the pixels of a canvas: against tracking some falsify them, with no
 * error. It is asked each time, since a visitor may allow it.
 */
export function readsBack(): boolean {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 2;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) return false;
  COLORS.forEach((color, at) => {
    context.fillStyle = color;
    context.fillRect(at % 2, at >> 1, 1, 1);
  });
  const { data } = context.getImageData(0, 0, 2, 2);
  return COLORS.every((color, pixel) =>
    [1, 3, 5].every((at, channel) => {
      const painted = Number.parseInt(color.slice(at, at + 2), 16);
      return Math.abs((data[4 * pixel + channel] ?? NaN) - painted) < VISIBLE;
    }),
  );
}
