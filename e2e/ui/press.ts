/** Whether every control of a part of the page can be pressed. */

import type { Page } from "@playwright/test";

interface Found {
  readonly name: string;
  readonly box: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  };
  /** A press at the middle of the control reached it. */
  readonly isHit: boolean;
}

const CONTROLS = 'button, a[href], input, [role^="menuitem"]';

/**
 * Presses each control in the parts of the page that `within` selects, at its middle, after scrolling to it. The press
 * itself has no effect: the click ends at the window.
 */
export async function pressAll(page: Page, within: string): Promise<Found[]> {
  const found: Found[] = [];
  const controls = await page.locator(within).locator(CONTROLS).all();
  for (const control of controls) {
    if (!(await control.isVisible())) continue;
    await control.scrollIntoViewIfNeeded();
    const box = (await control.boundingBox())!;
    await control.evaluate((element) => {
      // What a press on a label's text reaches is the label's field.
      const reached = (event: Event): void => {
        event.stopImmediatePropagation();
        event.preventDefault();
        const { target } = event;
        element.toggleAttribute("data-hit", target instanceof Node && element.contains(target));
      };
      window.addEventListener("click", reached, { capture: true, once: true });
    });
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    const [name, isHit] = await control.evaluate((element) => {
      const { ariaLabel, localName } = element as HTMLElement;
      const named = element.cloneNode(true) as HTMLElement;
      for (const hidden of named.querySelectorAll("[aria-hidden]")) hidden.remove();
      const name = ariaLabel ?? (named.textContent || localName);
      return [name, element.hasAttribute("data-hit")] as const;
    });
    found.push({ name, box, isHit });
  }
  return found;
}
