/** Applies the rules of axe-core to the page. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page } from "@playwright/test";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The rules whose result depends on colours. */
const OF_COLORS = ["color-contrast", "link-in-text-block"];

/** Returns the rules of axe-core, all or these, that the page breaks now, each with the elements. */
export async function violations(page: Page, only?: string[]): Promise<readonly string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  return page.evaluate(async (runOnly) => {
    const { axe } = window as unknown as { axe: typeof import("axe-core") };
    // Only a rule that is off by default reads style sheets, and descriptions of what is sound would double the work.
    const result = await axe.run({
      preload: false,
      resultTypes: ["violations"],
      ...(runOnly && { runOnly }),
    });
    return result.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target }) => `${id}: ${target.join(" ")}`),
    );
  }, only);
}

export const LIGHT = { colorScheme: "light", forcedColors: "none" } as const;
export const DARK = { colorScheme: "dark", forcedColors: "none" } as const;
export const FORCED = { colorScheme: "light", forcedColors: "active" } as const;
export const FORCED_DARK = { colorScheme: "dark", forcedColors: "active" } as const;

type Look = typeof LIGHT | typeof DARK | typeof FORCED | typeof FORCED_DARK;

/**
 * Expects that the page has no violations with any of these colours, which leave its elements as they are. It continues
 * after a violation, so that none hides another one.
 */
export async function expectNoViolations(page: Page, looks: readonly Look[]): Promise<void> {
  const soft = expect.configure({ soft: true });
  for (const look of looks) {
    await page.emulateMedia(look);
    const rules = look === looks[0] ? undefined : OF_COLORS;
    await soft.poll(() => violationsAtRest(page, rules), JSON.stringify(look)).toEqual([]);
  }
}

/** Returns the violations once every temporary motion has ended, so that one check is enough. */
export async function violationsAtRest(page: Page, only?: string[]): Promise<readonly string[]> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ effect }) => effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY),
  );
  return violations(page, only);
}
