import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { COLORS } from "../../../board/constants.ts";
import { contrast, inkOn } from "./contrast.ts";

const css = readFileSync(new URL("../page/tokens.css", import.meta.url), "utf8");

/** The colour on a light and on a dark page. */
function token(name: string): readonly [light: string, dark: string] {
  const [, light, dark] =
    new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\);`).exec(css) ?? [];
  if (!light || !dark) throw new Error(`tokens.css has no colours --${name}`);
  return [light, dark];
}

/** The lower of the contrasts on a light and on a dark page. */
function minContrast(a: string, b: string): number {
  const [one, other] = [token(a), token(b)];
  return Math.min(contrast(one[0], other[0]), contrast(one[1], other[1]));
}

describe("UI-16 text and controls keep the contrast of WCAG 2.2 AA", () => {
  test.each([
    ["ink", "surface"],
    ["ink", "sunken"],
    ["ink-soft", "surface"],
    ["ink-soft", "sunken"],
    ["accent-strong", "accent-soft"],
    ["on-accent", "accent"],
    ["on-accent", "accent-strong"],
    ["good", "surface"],
    ["good", "good-soft"],
    ["warn", "surface"],
    ["danger", "surface"],
    ["danger", "danger-soft"],
    ["surface", "ink"],
  ])("text in %s on %s: at least 4.5", (text, ground) => {
    expect(minContrast(text, ground)).toBeGreaterThanOrEqual(4.5);
  });

  test.each([
    ["accent", "surface"],
    ["accent", "sunken"],
    ["accent", "accent-soft"],
    ["accent-pale", "accent"],
    ["idle", "sunken"],
  ])("a sign in %s on %s: at least 3", (sign, ground) => {
    expect(minContrast(sign, ground)).toBeGreaterThanOrEqual(3);
  });

  test.each(COLORS.map(({ name, value }) => [name, value]))(
    "the check mark on %s",
    (_name, value) => {
      expect(contrast(inkOn(value), value)).toBeGreaterThanOrEqual(4.5);
    },
  );
});

test("the measure itself: WCAG's known pairs", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5);
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
  expect(contrast("#ffffff", "#ffffff")).toBe(1);
});
