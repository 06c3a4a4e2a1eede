/** Steps of tests with pictures. */

import type { Page } from "@playwright/test";
import { expect } from "../fixtures.ts";
import type { Person, Point } from "../person.ts";
import { button } from "../ui/controls.ts";
import { give } from "../ui/file-steps.ts";

export type Color = "red" | "blue" | "white" | "other";

/** Returns the name of a colour. A picture that was made small is compressed, so that its colours are slightly off. */
export function nameOf(hex: string): Color {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  if (r > 225 && g > 225 && b > 225) return "white";
  if (g < 40 && r > 215 && b < 40) return "red";
  return g < 40 && r < 40 && b > 215 ? "blue" : "other";
}

export async function shows(person: Person, at: Point, color: Color): Promise<void> {
  await expect.poll(async () => nameOf(await person.colorAt(at))).toBe(color);
}

export async function addPicture(
  page: Page,
  name: string,
  buffer: Buffer,
  mimeType = "image/png",
): Promise<void> {
  await button(page, "Menu").click();
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("menuitem", { name: "Add picture" }).click(),
  ]);
  await give(chooser, name, buffer, mimeType);
}

/**
 * Returns a picture of 400 x 200, red on the left and blue on the right, and transparent from `clear` on (in pixels from
 * the left).
 */
export async function twoColors(page: Page, clear = 400, type = "image/png"): Promise<Buffer> {
  const wanted = [clear, type] as const;
  const url = await page.evaluate(([from, as]) => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [400, 200];
    const context = canvas.getContext("2d");
    for (const [color, left] of [
      ["#ff0000", 0],
      ["#0000ff", 200],
    ] as const) {
      if (!context) break;
      context.fillStyle = color;
      context.fillRect(left, 0, 200, 200);
    }
    context?.clearRect(from, 0, 400, 200);
    return canvas.toDataURL(as);
  }, wanted);
  return Buffer.from(url.slice(url.indexOf(",") + 1), "base64");
}
