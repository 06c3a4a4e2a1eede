/** The page's controls, by role and name. */

import type { Locator, Page } from "@playwright/test";
import { switchTabs } from "../person.ts";
import type { Product, SavedObject } from "../product.ts";

export function button(page: Page, name: string): Locator {
  return page.getByRole("button", { name, exact: true });
}

/** Returns the toolbar of the selection. */
export function selectionBar(page: Page): Locator {
  return page.getByRole("toolbar", { name: "Selection" });
}

/** Returns a button of the toolbar of the selection. */
export function selectionButton(page: Page, name: string): Locator {
  return selectionBar(page).getByRole("button", { name, exact: true });
}

/** Returns the header's text about saving. */
export function saveState(page: Page): Locator {
  return page.getByRole("status");
}

/** Records the header's texts about saving from now on, each with its `aria-live`; the result returns all of them. */
export async function noteSaving(page: Page): Promise<() => Promise<readonly string[]>> {
  const notes = await saveState(page).evaluateHandle((output) => {
    const said: string[] = [];
    const note = (): void => void said.push(`${output.ariaLive}: ${output.textContent}`);
    const observed = { childList: true, characterData: true, subtree: true };
    new MutationObserver(note).observe(output, observed);
    return said;
  });
  return () => notes.jsonValue();
}

export function surface(page: Page): Locator {
  return page.getByRole("application", { name: "Canvas" });
}

/** Returns the saved drawing's objects, after these people have saved their drawings; none before the first save. */
export async function savedObjects(
  product: Product,
  ...people: readonly { readonly page: Page }[]
): Promise<readonly SavedObject[]> {
  for (const person of people) await switchTabs(person);
  return (await product.row())?.canvas_json.objects ?? [];
}

/** Saves these objects in place of the saved ones, as a program does that knows nothing about merging. */
export async function replaceObjects(product: Product, objects: readonly unknown[]): Promise<void> {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ canvas_json: { version: "7.4.0", objects } });
  const path = `canvas_state?id=eq.${(await product.row())?.id}`;
  const { ok, status } = await product.rest(path, { method: "PATCH", headers, body });
  if (!ok) throw new Error(`the row cannot be replaced: ${status}`);
}

/** Returns the names of a menu's items, without the keys beside them. */
export function itemNames(menu: Locator): Promise<string[]> {
  return menu.getByRole("menuitem").evaluateAll((items) =>
    items.map((item) =>
      [...item.childNodes]
        .filter((node) => node.nodeType === Node.TEXT_NODE)
        .map((node) => node.textContent)
        .join(""),
    ),
  );
}
