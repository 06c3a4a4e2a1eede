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
