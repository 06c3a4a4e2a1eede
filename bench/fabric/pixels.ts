/** The pixels of a page's canvas, and the number of those in which two pictures differ. */

import type { Page } from "@playwright/test";

/** Canvas pixels that are looked at, from the upper left corner of the board. */
export const [WIDTH, HEIGHT] = [1200, 800];

/** Shades, of 255, by which the smoothing of an edge may differ. */
export const SMOOTHING = 32;

export function differing(a: Uint8Array, b: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < a.length; i += 4) {
    const isOther = [0, 1, 2].some((n) => Math.abs((a[i + n] ?? 0) - (b[i + n] ?? 0)) > SMOOTHING);
    if (isOther) count++;
  }
  return count;
}

/**
 * The pixels of a canvas, that of the board without a selector, once they stay as they are for a second: a picture is
 * decoded after the rest.
 */
export async function untilStill(
  page: Page,
  selector = "[role=application] canvas",
): Promise<Uint8Array> {
  const read = async (): Promise<Uint8Array> => {
    const base64 = await page.evaluate(
      ([of, width, height]) => {
        const own = document.querySelector<HTMLCanvasElement>(of)!;
        const around = document.querySelector("[role=application]") ?? own;
        const surface = around.getBoundingClientRect();
        const box = own.getBoundingClientRect();
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [width, height];
        const copy = canvas.getContext("2d")!;
        copy.fillStyle = "white";
        copy.fillRect(0, 0, width, height);
        copy.drawImage(own, box.left - surface.left, box.top - surface.top);
        const { data } = copy.getImageData(0, 0, width, height);
        let text = "";
        for (let at = 0; at < data.length; at += 8192)
          text += String.fromCharCode(...data.subarray(at, at + 8192));
        return btoa(text);
      },
      [selector, WIDTH, HEIGHT] as const,
    );
    return Buffer.from(base64, "base64");
  };
  for (let before = await read(); ;) {
    await page.waitForTimeout(1_000);
    const now = await read();
    if (differing(before, now) === 0) return now;
    before = now;
  }
}
