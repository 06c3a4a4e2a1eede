/** Applies the rules of axe-core to the page. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page } from "@playwright/test";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The rules whose result depends on colours. */
const OF_COLORS = ["color-contrast", "link-in-text-block"];

/**
 * Returns the rules of axe-core, all or these, that the page breaks once every temporary motion has ended, each with the
 * elements.
 */
export async function violations(page: Page, only?: string[]): Promise<readonly string[]> {
  const found = await page.evaluate(check, only);
  if (found !== null) return found;
  await page.evaluate(AXE);
  return violations(page, only);
}

/** Runs in the page; returns null while it lacks axe-core. */
async function check(runOnly: string[] | undefined): Promise<string[] | null> {
  if (!("axe" in window)) return null;
  const { axe } = window as unknown as { axe: typeof import("axe-core") };
  const moves = ({ effect }: Animation): boolean =>
    effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY;
  while (document.getAnimations().some(moves)) await new Promise(requestAnimationFrame);
  // Only a rule that is off by default reads style sheets, and descriptions of what is sound would double the work.
  const result = await axe.run({
    preload: false,
    resultTypes: ["violations"],
    ...(runOnly && { runOnly }),
  });
  return result.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target }) => `${id}: ${target.join(" ")}`),
  );
}

export const LIGHT = { colorScheme: "light", forcedColors: "none" } as const;
export const DARK = { colorScheme: "dark", forcedColors: "none" } as const;
export const FORCED = { colorScheme: "light", forcedColors: "active" } as const;
export const FORCED_DARK = { colorScheme: "dark", forcedColors: "active" } as const;

export type Look = typeof LIGHT | typeof DARK | typeof FORCED | typeof FORCED_DARK;

/** Expects no violations, and continues after one, so that none hides another one. */
const soft = expect.configure({ soft: true });

/** Expects that the page has no violations with any of these colours, which leave its elements as they are. */
export async function expectNoViolations(page: Page, looks: readonly Look[]): Promise<void> {
  for (const look of looks) {
    await page.emulateMedia(look);
    const rules = look === looks[0] ? undefined : OF_COLORS;
    await soft.poll(() => violations(page, rules), JSON.stringify(look)).toEqual([]);
  }
}
