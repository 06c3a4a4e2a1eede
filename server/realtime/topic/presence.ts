/** The presences of one topic. Pure: tracked presences go in, and messages for the members come out. */

import type { PresenceChange, PresenceMeta, PresenceMetas } from "../../cluster/port.ts";

/** Metas by presence key and ref. It is a map, since a key may be `__proto__`. */
export type Entries = ReadonlyMap<string, ReadonlyMap<string, PresenceMeta>>;
type OwnEntries = Map<string, Map<string, PresenceMeta>>;

/**
 * The presences in two layers: those announced to the members, and the joins and leaves that wait to be announced. A
 * new member is sent the first layer, and receives the second with all others, so that no member counts anything
 * twice.
 */
export class Presences {
  readonly #announced: OwnEntries = new Map();
  #joins: OwnEntries = new Map();
  #leaves: OwnEntries = new Map();
  /** The present entries: announced or joining, and not leaving. */
  readonly #present: OwnEntries = new Map();

  /** Adds to the waiting changes. A known ref is left unchanged. */
  add(key: string, meta: PresenceMeta): void {
    put(this.#present, key, meta);
    if (remove(this.#leaves, key, meta.ref) !== undefined) return;
    if (this.#announced.get(key)?.has(meta.ref)) return;
    put(this.#joins, key, meta);
  }

  /** Drops a presence. A ref that was not announced yet is removed from the waiting changes, and nothing is sent. */
  drop(key: string, ref: string): void {
    remove(this.#present, key, ref);
    if (remove(this.#joins, key, ref) !== undefined) return;
    const meta = this.#announced.get(key)?.get(ref);
    if (meta !== undefined) put(this.#leaves, key, meta);
  }

  /** Applies a change that another process reports. */
  apply(change: PresenceChange): void {
    for (const [key, metas] of change.leaves) for (const meta of metas) this.drop(key, meta.ref);
    for (const [key, metas] of change.joins) for (const meta of metas) this.add(key, meta);
  }

  /** Returns the changes to announce now, or null. Afterwards they count as announced. */
  takeDiff(): PresenceChange | null {
    if (this.#joins.size === 0 && this.#leaves.size === 0) return null;
    const change = { joins: lists(this.#joins), leaves: lists(this.#leaves) };
    for (const [key, metas] of this.#leaves)
      for (const ref of metas.keys()) remove(this.#announced, key, ref);
    for (const [key, metas] of this.#joins)
      for (const meta of metas.values()) put(this.#announced, key, meta);
    this.#joins = new Map();
    this.#leaves = new Map();
    return change;
  }

  /** Returns the presences that were announced to the members. */
  announced(): PresenceMetas {
    return lists(this.#announced);
  }

  /** The present entries, announced or not, in the order of arrival. */
  get present(): Entries {
    return this.#present;
  }
}

function put(entries: OwnEntries, key: string, meta: PresenceMeta): void {
  const metas = entries.get(key);
  if (metas === undefined) entries.set(key, new Map([[meta.ref, meta]]));
  else metas.set(meta.ref, meta);
}

function remove(entries: OwnEntries, key: string, ref: string): PresenceMeta | undefined {
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

/**
 * Returns the payload of `presence_state`, and each half of a diff. It is written by hand, so that no object ever has
 * a key that a client chose.
 */
export function metasJson(metas: PresenceMetas): string {
  const parts: string[] = [];
  for (const [key, list] of metas)
    parts.push(`${JSON.stringify(key)}:{"metas":[${list.map((meta) => meta.json).join(",")}]}`);
  return `{${parts.join(",")}}`;
}

/** Returns the payload of `presence_diff`. */
export function diffJson(change: PresenceChange): string {
  return `{"joins":${metasJson(change.joins)},"leaves":${metasJson(change.leaves)}}`;
}

/**
 * Makes a meta: the tracked payload (`json`, the text of an object) with its ref. Ours is last, so that it overrules
 * a tracked `phx_ref`.
 */
export function makeMeta(json: string, ref: string, previous: string | null): PresenceMeta {
  const refs =
    `"phx_ref":${JSON.stringify(ref)}` +
    (previous === null ? "" : `,"phx_ref_prev":${JSON.stringify(previous)}`);
  return { ref, json: json === "{}" ? `{${refs}}` : `${json.slice(0, -1)},${refs}}` };
}
