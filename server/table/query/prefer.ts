/** The Prefer header (RFC 7240) as far as the table API honours it, and the Range header. */

import { faults } from "../schema/faults.ts";

export interface Preferences {
  readonly return: "minimal" | "headers-only" | "representation";
  readonly resolution: "merge-duplicates" | "ignore-duplicates" | null;
  readonly missing: "default" | "null";
  readonly count: "exact" | "planned" | "estimated" | null;
  /** Greatest number of rows that an update or delete may touch, which counts with `handling=strict` only. */
  readonly maxAffected: number | null;
  /** The preferences that were honoured, for the header Preference-Applied; empty when the caller has none. */
  readonly applied: readonly string[];
}

const KNOWN: Readonly<Record<string, readonly string[]>> = {
  return: ["minimal", "headers-only", "representation"],
  resolution: ["merge-duplicates", "ignore-duplicates"],
  missing: ["default", "null"],
  count: ["exact", "planned", "estimated"],
  handling: ["strict", "lenient"],
  tx: ["commit"],
};

const MAX_AFFECTED = "max-affected";

function isKnown(name: string, value: string): boolean {
  if (name === MAX_AFFECTED) return /^\d{1,9}$/.test(value);
  return Object.hasOwn(KNOWN, name) && KNOWN[name]?.includes(value) === true;
}

/**
 * Parses the preferences.
 * @param relevant names of the preferences that mean something for the request's method
 */
export function parsePrefer(
  header: string | readonly string[] | undefined,
  relevant: readonly string[],
): Preferences {
  const given = new Map<string, string>();
  const unknown: string[] = [];
  const texts = typeof header === "string" ? [header] : (header ?? []);
  for (const part of texts.flatMap((text) => text.split(","))) {
    const [name = "", value = ""] = part.trim().split("=");
    if (name === "") continue;
    if (isKnown(name, value)) given.set(name, given.get(name) ?? value);
    else unknown.push(part.trim());
  }
  const isStrict = given.get("handling") === "strict";
  if (isStrict && unknown.length > 0) throw faults.preference(unknown);
  if (!isStrict) given.delete(MAX_AFFECTED);
  const pick = <T extends string>(name: string): T | null =>
    relevant.includes(name) ? ((given.get(name) as T | undefined) ?? null) : null;
  const maxAffected = pick(MAX_AFFECTED);
  return {
    return: pick<Preferences["return"]>("return") ?? "minimal",
    resolution: pick("resolution"),
    missing: pick<Preferences["missing"]>("missing") ?? "null",
    count: pick("count"),
    maxAffected: maxAffected === null ? null : Number(maxAffected),
    applied: [...given]
      .filter(([name]) => relevant.includes(name) || name === "handling")
      .map(([name, value]) => `${name}=${value}`),
  };
}

export interface Window {
  readonly offset: number;
  readonly limit: number | null;
}

/**
 * Combines `Range: 0-9` (Range-Unit: items) with `limit` and `offset`; another form of Range is ignored.
 * @throws TableFault PGRST103 for a range that ends before it begins
 */
export function combineRange(range: string | undefined, plan: Window): Window {
  const match = /^(?:items=)?(\d{1,15})-(\d{1,15})?$/.exec(range?.trim() ?? "");
  if (match === null) return plan;
  const first = Number(match[1]);
  const last = match[2] === undefined ? null : Number(match[2]);
  if (last !== null && last < first)
    throw faults.range(
      "The lower boundary must be lower than or equal to the upper boundary in the Range header.",
    );
  const limits = [plan.limit, last === null ? null : last - first + 1].filter(
    (one) => one !== null,
  );
  return { offset: plan.offset + first, limit: limits.length === 0 ? null : Math.min(...limits) };
}
