/** Steps of tests with earlier versions. */

import type { Locator, Page } from "@playwright/test";
import { expect } from "../fixtures.ts";
import type { Person } from "../person.ts";
import type { Product } from "../product.ts";
import { button, replaceObjects } from "./controls.ts";

export const panelOf = (page: Page): Locator => page.getByRole("dialog", { name: "History" });
export const versionsOf = (page: Page): Locator =>
  panelOf(page).getByRole("button", { name: / ago|now/ });

export async function openHistory(page: Page): Promise<void> {
  await button(page, "Menu").click();
  await page.getByRole("menuitem", { name: "History" }).click();
  await expect(panelOf(page)).toBeVisible();
}

/** Saves three versions, before a page is opened: a red and a black line, nothing, and a third line. */
export async function saveVersions(product: Product): Promise<void> {
  const line = (stroke: string, y: number): object => ({
    ...{ type: "Path", id: `line-${y}`, originX: "left", originY: "top", fill: null, stroke },
    ...{ left: 198.5, top: y - 1.5, strokeWidth: 3, path: "M0 0L200 0" },
  });
  await product.seed({ objects: [line("#ff0000", 200), line("#000000", 300)] });
  for (const objects of [[], [line("#000000", 400)]]) await replaceObjects(product, objects);
}

/** Returns the colours of the three lines. */
export async function strokes(person: Person): Promise<readonly string[]> {
  const colors: string[] = [];
  for (const y of [200, 300, 400]) colors.push(await person.colorAt([300, y]));
  return colors;
}

/** The colours of the first version. */
export const OLD = ["#ff0000", "#000000", "#ffffff"];
