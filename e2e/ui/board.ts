/** The whiteboard as a person finds it: by roles and names. */

import { expect, type Locator, type Page } from "@playwright/test";

/** Opens the page and waits until the shared drawing is there. */
export async function openBoard(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await expect(saveState(page)).toHaveText("Saved");
  await expect(surface(page).locator("canvas").first()).toBeVisible();
}

export function surface(page: Page): Locator {
  return page.getByRole("application", { name: "Canvas" });
}

export function saveState(page: Page): Locator {
  return page.getByRole("status");
}

export function button(page: Page, name: string): Locator {
  return page.getByRole("button", { name, exact: true });
}

/** Draws a line with the mouse; the points are in canvas pixels. */
export async function draw(
  page: Page,
  from: readonly [x: number, y: number],
  to: readonly [x: number, y: number],
): Promise<void> {
  const box = await surface(page).boundingBox();
  if (!box) throw new Error("the canvas is not on the screen");
  await page.mouse.move(box.x + from[0], box.y + from[1]);
  await page.mouse.down();
  await page.mouse.move(box.x + to[0], box.y + to[1], { steps: 8 });
  await page.mouse.up();
}

/** The saved drawing's objects, as the table has them; none before the first save. */
export async function savedObjects(page: Page): Promise<readonly Record<string, unknown>[]> {
  return await page.evaluate(async () => {
    const config = (await (await fetch("/config.json")).json()) as Record<string, string>;
    const answer = await fetch(
      `${config["supabaseUrl"]}/rest/v1/canvas_state?select=canvas_json&limit=1`,
      {
        headers: { apikey: config["supabaseAnonKey"]! },
      },
    );
    const rows = (await answer.json()) as { canvas_json: { objects: Record<string, unknown>[] } }[];
    return rows[0]?.canvas_json.objects ?? [];
  });
}
