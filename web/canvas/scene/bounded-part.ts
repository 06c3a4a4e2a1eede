/** Returns the part of an object that Fabric gets, without anything that it could not paint in a reasonable time. */

import { isRecord } from "../../../board/json.ts";
import {
  hasLoneLetters,
  hasTooManyDashes,
  MAX_LONE_LETTERS,
  MAX_PARTS,
  type Part,
} from "./cost.ts";

/**
 * Returns the part without dashes that nobody could tell apart, with at most `MAX_PARTS` parts of groups inside, with
 * plain colours for single letters, and with lines of text instead of very many single letters. An ordinary object is
 * returned unchanged.
 */
export function boundedPart<P extends Part>(part: P): P {
  return bounded(part, { left: MAX_PARTS }) as P;
}

function bounded(part: Part, budget: { left: number }): Part {
  const changes: Record<string, unknown> = {};
  if (hasLoneLetters(part) && String(part["text"]).length > MAX_LONE_LETTERS)
    return bounded({ ...part, styles: [], charSpacing: 0, textAlign: "left", path: null }, budget);
  if (hasTooManyDashes(part)) changes["strokeDashArray"] = null;
  if (hasGradients(part["styles"])) changes["styles"] = withPlainColors(part["styles"]);
  for (const name of ["clipPath", "path"]) {
    const inner = part[name];
    if (isRecord(inner)) changes[name] = bounded(inner, budget);
  }
  const { objects } = part;
  if (Array.isArray(objects)) {
    const within: Part[] = [];
    for (const inner of objects as readonly Part[]) {
      if (--budget.left < 0) break;
      within.push(bounded(inner, budget));
    }
    changes["objects"] = within;
  }
  return Object.keys(changes).length > 0 ? { ...part, ...changes } : part;
}

/** True for the styles of a text when a letter has a gradient, for which Fabric would make a picture of the whole text. */
function hasGradients(styles: unknown): boolean {
  if (typeof styles !== "object" || styles === null) return false;
  return Object.entries(styles).some(
    ([name, value]) =>
      ((name === "fill" || name === "stroke") && isRecord(value)) || hasGradients(value),
  );
}

/** Returns the styles with the first colour of each gradient instead of it. */
function withPlainColors(styles: unknown): unknown {
  if (Array.isArray(styles)) return styles.map(withPlainColors);
  if (!isRecord(styles)) return styles;
  return Object.fromEntries(
    Object.entries(styles).map(([name, value]) => {
      const gradient = (name === "fill" || name === "stroke") && isRecord(value);
      return [name, gradient ? firstColor(value) : withPlainColors(value)];
    }),
  );
}

/** Returns the first colour of a gradient; null without any, which paints nothing. */
export function firstColor(gradient: Part): string | null {
  const stops = gradient["colorStops"];
  const [first] = Array.isArray(stops) ? (stops as readonly Part[]) : [];
  const color = first?.["color"];
  return typeof color === "string" ? color : null;
}
