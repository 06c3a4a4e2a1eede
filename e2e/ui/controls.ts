/** The page's controls, by role and name. */

import type { Locator, Page } from "@playwright/test";
import type { Product, SavedObject } from "../product.ts";

export function button(page: Page, name: string): Locator {
  return page.getByRole("button", { name, exact: true });
}

/** What the header says about saving. */
export function saveState(page: Page): Locator {
  return page.getByRole("status");
}

export function surface(page: Page): Locator {
  return page.getByRole("application", { name: "Canvas" });
}

/** The saved drawing's objects; none before the first save. */
export async function savedObjects(product: Product): Promise<readonly SavedObject[]> {
  return (await product.row())?.canvas_json.objects ?? [];
}
