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

const CONTROLS = 'button, a[href], input, [role="menuitem"], [role="menuitemradio"]';

/**
 * Finds the controls in the parts of the page that `within` selects, each after scrolling to it, and what a press at
 * its middle would reach. The press itself is left out: it would open and change things.
 */
export function pressAll(page: Page, within: string): Promise<Found[]> {
  return page.locator(within).evaluateAll((parts, controls) => {
    const isShown = (element: Element): boolean =>
      element.checkVisibility({ visibilityProperty: true }) &&
      element.getBoundingClientRect().width > 0;
    const elements = parts.flatMap((part) => [...part.querySelectorAll<HTMLElement>(controls)]);
    return elements.filter(isShown).map((element) => {
      element.scrollIntoView({ block: "nearest", inline: "nearest" });
      const { x, y, width, height } = element.getBoundingClientRect();
      const reached = document.elementFromPoint(x + width / 2, y + height / 2);
      // What a press on a label's text reaches is the label's field.
      const isHit = element.contains(reached) || reached?.closest("label")?.control === element;
      const name = element.ariaLabel ?? (element.textContent || element.localName);
      return { name, box: { x, y, width, height }, isHit };
    });
  }, CONTROLS);
}
