/** Clicks controls by role and name, for half the work of Playwright's own clicks. */

import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "@playwright/test";

type Role = "button" | "menuitem" | "menuitemcheckbox" | "menuitemradio";

type Position = readonly [x: number, y: number];

/** Milliseconds in which a control can be clicked, and those between two looks at it. */
const CLICKABLE_WITHIN = 20_000;
const LOOK_INTERVAL = 20;

/**
 * Clicks the middle of the only control with this role and name, once it can be clicked: it is visible, on and at
 * rest, and nothing covers it, not even when the press arrives.
 */
export async function clickOn(page: Page, role: Role, name: string): Promise<void> {
  const deadline = Date.now() + CLICKABLE_WITHIN;
  for (;;) {
    const found = await page.evaluate(findPosition, { role, name }).catch(whileLoading);
    if (typeof found !== "string") {
      await page.mouse.click(...found);
      if (!(await page.evaluate(hasMissed).catch(whileLoading))) return;
    }
    if (Date.now() > deadline)
      throw new Error(`no click on the ${role} "${name}": ${String(found)}`);
    await pause(LOOK_INTERVAL);
  }
}

/** Lets a page be loaded again meanwhile, which a click may cause. */
function whileLoading(error: unknown): string {
  if (String(error).includes("context was destroyed")) return "";
  throw error;
}

/** The end of a press that missed its control and has no effect. */
type Pressing = typeof globalThis & { missed?: AbortController | undefined };

/** Whether the press before missed its control; runs in the page. */
function hasMissed(): boolean {
  const pressing: Pressing = globalThis;
  const { missed } = pressing;
  missed?.abort();
  delete pressing.missed;
  return missed !== undefined;
}

/** Returns the middle of a control, or the reason why it cannot be clicked there; runs in the page. */
function findPosition(sought: { readonly role: Role; readonly name: string }): Position | string {
  const nameOf = (element: Element): string => {
    const texts = [...element.childNodes].map((node) =>
      node instanceof Element && node.ariaHidden === "true" ? "" : node.textContent,
    );
    return element.ariaLabel ?? texts.join("").trim();
  };
  const elements = document.querySelectorAll(
    sought.role === "button" ? "button, [role=button]" : `[role=${sought.role}]`,
  );
  const [element, another] = [...elements].filter(
    (one) =>
      nameOf(one) === sought.name &&
      one.checkVisibility({ visibilityProperty: true }) &&
      one.closest("[aria-hidden=true], [inert]") === null,
  );
  if (element === undefined) return "there is none";
  if (another !== undefined) return "there are several";
  if (element.matches(":disabled") || element.closest("[aria-disabled=true]")) return "it is off";
  const moves = document.getAnimations().some(({ effect }) => {
    const isPassing = effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY;
    return isPassing && effect instanceof KeyframeEffect && effect.target?.contains(element);
  });
  if (moves) return "it moves";
  const middle = (): Position => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };
  const isHit = (): boolean => element.contains(document.elementFromPoint(...middle()));
  if (!isHit())
    element.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
  if (!isHit()) return "something covers it";

  const ignore = (event: Event): void => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const check = (event: Event): void => {
    if (element.contains(event.target as Node)) return;
    const missed = new AbortController();
    (globalThis as Pressing).missed = missed;
    const { signal } = missed;
    for (const type of ["mousedown", "pointerup", "mouseup", "click"])
      addEventListener(type, ignore, { capture: true, signal });
    ignore(event);
  };
  addEventListener("pointerdown", check, { capture: true, once: true });
  return middle();
}
