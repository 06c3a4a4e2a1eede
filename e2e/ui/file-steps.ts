/** Steps of tests with files. */

import type { Page } from "@playwright/test";
import { button } from "./controls.ts";

export async function choose(page: Page, item: string): Promise<void> {
  await button(page, "Menu").click();
  await page.getByRole("menuitem", { name: item }).click();
}
