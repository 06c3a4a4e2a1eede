/** Presences as maps of maps, so that the cost of a change follows its size; and their form on the wire. */

import type { PresenceChange, PresenceMeta, PresenceMetas } from "./port.ts";

/** Metas by presence key and ref. */
export type Entries = Map<string, Map<string, PresenceMeta>>;

export function lists(entries: Entries): PresenceMetas {
  return new Map([...entries].map(([key, metas]) => [key, [...metas.values()]]));
}

/** Adds the joins, removes the leaves. */
export function apply(entries: Entries, change: PresenceChange): void {
  for (const [key, metas] of change.leaves)
    for (const { ref } of metas) {
      const known = entries.get(key);
      known?.delete(ref);
      if (known?.size === 0) entries.delete(key);
    }
  for (const [key, metas] of change.joins)
    for (const meta of metas) {
      const known = entries.get(key);
      if (known === undefined) entries.set(key, new Map([[meta.ref, meta]]));
      else known.set(meta.ref, meta);
    }
}

/** Returns the change that leads from `before` to `after`, or null when they are the same. */
export function difference(before: Entries, after: Entries): PresenceChange | null {
  const joins = missing(after, before);
  const leaves = missing(before, after);
  return joins.size === 0 && leaves.size === 0 ? null : { joins, leaves };
}

function missing(entries: Entries, from: Entries): PresenceMetas {
  const result = new Map<string, PresenceMeta[]>();
  for (const [key, metas] of entries) {
    const absent = [...metas.values()].filter(({ ref }) => !from.get(key)?.has(ref));
    if (absent.length > 0) result.set(key, absent);
  }
  return result;
}

/** Presences in the form `[key, [[ref, json], ...]]` for each key. They are lists, since a key may be `__proto__`. */
type PlainMetas = readonly (readonly [string, readonly (readonly [string, string])[]])[];

export function toPlain(metas: PresenceMetas): PlainMetas {
  return [...metas].map(([key, list]) => [key, list.map(({ ref, json }) => [ref, json])]);
}

/**
 * Reads presences.
 * @throws TypeError or SyntaxError unless they have the form of `PlainMetas`, each `json` the text of an object
 */
export function fromPlain(plain: unknown): PresenceMetas {
  const result = new Map<string, PresenceMeta[]>();
  for (const [key, list] of plain as PlainMetas)
    result.set(
      text(key),
      list.map(([ref, json]) => ({ ref: text(ref), json: objectText(json) })),
    );
  return result;
}

/**
 * Returns a text.
 * @throws TypeError for anything else
 */
export function text(value: unknown): string {
  if (typeof value !== "string") throw new TypeError("not a text");
  return value;
}

/** Returns the text of an object, since it becomes part of the JSON that clients are sent. */
function objectText(value: unknown): string {
  const json = text(value);
  const parsed: unknown = JSON.parse(json);
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))
    throw new TypeError("not an object");
  return json;
}
