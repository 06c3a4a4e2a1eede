/** Finds the controls of a part of the page, and whether each can be pressed. */

import type { Page } from "@playwright/test";

interface Found {
  readonly name: string;
  readonly box: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  };
  /** Whether a press at the middle of the control would reach it. */
  readonly isHit: boolean;
}

const CONTROLS = 'button, a[href], input, [role^="menuitem"]';

/**
 * Returns the controls in the parts of the page that `within` selects which are shown, each after scrolling to it, and
 * whether the browser finds it under a press at its middle.
 */
export async function findControls(page: Page, within: string): Promise<Found[]> {
  await atRest(page, within);
  return page.locator(within).locator(CONTROLS).evaluateAll(revealAll);
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

/** Runs in the page. */
function revealAll(elements: readonly Element[]): Found[] {
  return elements.flatMap((element) => {
    element.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
    const { x, y, width, height } = element.getBoundingClientRect();
    if (width * height === 0 || getComputedStyle(element).visibility !== "visible") return [];
    const target = document.elementFromPoint(x + width / 2, y + height / 2);
    // A press on a label's text reaches the label's field.
    const reached = target?.closest("label")?.control ?? target;
    const { ariaLabel, localName } = element as HTMLElement;
    const named = element.cloneNode(true) as HTMLElement;
    for (const hidden of named.querySelectorAll("[aria-hidden]")) hidden.remove();
    const name = ariaLabel ?? (named.textContent || localName);
    return [{ name, box: { x, y, width, height }, isHit: element.contains(reached) }];
  });
}

/** Returns the pairs of these parts of the page that overlap. */
export function overlapping(page: Page, parts: readonly string[]): Promise<string[]> {
  return page.evaluate((selectors) => {
    const boxes = selectors.map((part) => document.querySelector(part)!.getBoundingClientRect());
    return boxes.flatMap((a, at) =>
      boxes.slice(0, at).flatMap((b, before) => {
        const apart =
          a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
        return apart ? [] : [`${selectors[before]} and ${selectors[at]}`];
      }),
    );
  }, parts);
}
