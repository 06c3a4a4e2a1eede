/** Who is present in one topic. Pure: what was tracked goes in, what the members must be told comes out. */

import type { PresenceChange, PresenceMeta, PresenceMetas } from "../cluster/port.ts";

/** Presence key to metas by ref. A map, since a key may be `__proto__`. */
type Entries = Map<string, Map<string, PresenceMeta>>;

/**
 * Two layers: what the members have been told, and what is waiting to be told. A newcomer is given
 * the first, and hears of the second with everybody else, so that nobody counts anything twice.
 */
export class Presences {
  readonly #told: Entries = new Map();
  #joins: Entries = new Map();
  #leaves: Entries = new Map();

  /** Adds to what is waiting. A ref that is known already is left as it is. */
  add(key: string, meta: PresenceMeta): void {
    if (remove(this.#leaves, key, meta.ref) !== undefined) return;
    if (this.#told.get(key)?.has(meta.ref)) return;
    put(this.#joins, key, meta);
  }

  /** A ref that nobody has been told of is taken back without a word. */
  drop(key: string, ref: string): void {
    if (remove(this.#joins, key, ref) !== undefined) return;
    const meta = this.#told.get(key)?.get(ref);
    if (meta !== undefined) put(this.#leaves, key, meta);
  }

  /** A change that another process reports. */
  apply(change: PresenceChange): void {
    for (const [key, metas] of change.leaves) for (const meta of metas) this.drop(key, meta.ref);
    for (const [key, metas] of change.joins) for (const meta of metas) this.add(key, meta);
  }

  /** What the members must be told now, or null. Afterwards it counts as told. */
  takeDiff(): PresenceChange | null {
    if (this.#joins.size === 0 && this.#leaves.size === 0) return null;
    const change = { joins: lists(this.#joins), leaves: lists(this.#leaves) };
    for (const [key, metas] of this.#leaves)
      for (const ref of metas.keys()) remove(this.#told, key, ref);
    for (const [key, metas] of this.#joins)
      for (const meta of metas.values()) put(this.#told, key, meta);
    this.#joins = new Map();
    this.#leaves = new Map();
    return change;
  }

  /** What the members have been told. */
  told(): PresenceMetas {
    return lists(this.#told);
  }

  /** Whether `key` has a meta, told or waiting. */
  has(key: string): boolean {
    return this.#joins.has(key) || this.#told.has(key);
  }

  /** Keys, those that are waiting included; those that are leaving count until it is told. */
  get keys(): number {
    let count = this.#told.size;
    for (const key of this.#joins.keys()) if (!this.#told.has(key)) count++;
    return count;
  }
}

function put(entries: Entries, key: string, meta: PresenceMeta): void {
  const metas = entries.get(key);
  if (metas === undefined) entries.set(key, new Map([[meta.ref, meta]]));
  else metas.set(meta.ref, meta);
}

function remove(entries: Entries, key: string, ref: string): PresenceMeta | undefined {
  const metas = entries.get(key);
  const meta = metas?.get(ref);
  if (metas === undefined || meta === undefined) return undefined;
  metas.delete(ref);
  if (metas.size === 0) entries.delete(key);
  return meta;
}

function lists(entries: Entries): PresenceMetas {
  return new Map([...entries].map(([key, metas]) => [key, [...metas.values()]]));
}

/** The payload of `presence_state`, and each half of a diff. Written by hand: no object ever has a foreign key. */
export function metasJson(metas: PresenceMetas): string {
  const parts: string[] = [];
  for (const [key, list] of metas)
    parts.push(`${JSON.stringify(key)}:{"metas":[${list.map((meta) => meta.json).join(",")}]}`);
  return `{${parts.join(",")}}`;
}

/** The payload of `presence_diff`. */
export function diffJson(change: PresenceChange): string {
  return `{"joins":${metasJson(change.joins)},"leaves":${metasJson(change.leaves)}}`;
}

/**
 * A meta: the tracked payload (`json`, the text of an object) with its ref. Ours come last, so that a
 * tracked `phx_ref` is overruled.
 */
export function makeMeta(json: string, ref: string, previous: string | null): PresenceMeta {
  const refs =
    `"phx_ref":${JSON.stringify(ref)}` +
    (previous === null ? "" : `,"phx_ref_prev":${JSON.stringify(previous)}`);
  return { ref, json: json === "{}" ? `{${refs}}` : `${json.slice(0, -1)},${refs}}` };
}
