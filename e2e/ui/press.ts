/** Tests whether every control of a part of the page can be pressed. */

import type { Page } from "@playwright/test";

interface Found {
  readonly name: string;
  readonly box: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  };
  /** Whether a press at the middle of the control reached it. */
  readonly isHit: boolean;
}

const CONTROLS = 'button, a[href], input, [role^="menuitem"]';

/**
 * Presses each control in the parts of the page that `within` selects, at its middle, after scrolling to it. The press
 * itself has no effect: the click ends at the window.
 */
export async function pressAll(page: Page, within: string): Promise<Found[]> {
  const found: Omit<Found, "isHit">[] = [];
  const controls = page.locator(within).locator(CONTROLS);
  await atRest(page, within);
  for (const control of await controls.all()) {
    const shown = await control.evaluate(reveal);
    if (shown === null) continue;
    const { x, y, width, height } = shown.box;
    await page.mouse.click(x + width / 2, y + height / 2);
    found.push(shown);
  }
  const hits = await controls.evaluateAll((elements) =>
    elements.flatMap((element) => element.getAttribute("data-hit") ?? []),
  );
  return found.map((control, at) => ({ ...control, isHit: hits[at] === "true" }));
}

/** Waits until those parts of the page have not moved for a frame. */
async function atRest(page: Page, within: string): Promise<void> {
  await page.locator(within).evaluateAll(async (parts) => {
    const boxes = (): string =>
      JSON.stringify(parts.map((part) => part.getBoundingClientRect().toJSON() as object));
    for (let before = ""; before !== boxes();) {
      before = boxes();
      await new Promise((resolve) => {
        requestAnimationFrame(resolve);
      });
    }
  });
}

/** Scrolls to a control, has it note whether the next click reaches it, and returns its name and its box; null for one that is not shown. Runs in the page. */
function reveal(element: Element): Omit<Found, "isHit"> | null {
  element.removeAttribute("data-hit");
  element.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
  const { x, y, width, height } = element.getBoundingClientRect();
  if (width * height === 0 || getComputedStyle(element).visibility !== "visible") return null;
  element.setAttribute("data-hit", "false");
  // A press on a label's text reaches the label's field.
  const reached = (event: Event): void => {
    event.stopImmediatePropagation();
    event.preventDefault();
    const { target } = event;
    const isHit = target instanceof Node && element.contains(target);
    element.setAttribute("data-hit", String(isHit));
  };
  window.addEventListener("click", reached, { capture: true, once: true });
  const { ariaLabel, localName } = element as HTMLElement;
  const named = element.cloneNode(true) as HTMLElement;
  for (const hidden of named.querySelectorAll("[aria-hidden]")) hidden.remove();
  const name = ariaLabel ?? (named.textContent || localName);
  return { name, box: { x, y, width, height } };
}
