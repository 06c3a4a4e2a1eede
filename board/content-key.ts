/** Recognises an object by its content, for drawings of clients that keep none of our fields. */

import type { BoardObject, Json, NewObject } from "./drawing.ts";
import { propsOf } from "./groups.ts";
import { hash53, hashIntegers } from "./hash.ts";
import { canonicalJson } from "./json.ts";
import { parsePath } from "./path.ts";

const known = new WeakMap<object, string>();

/**
 * Returns a key that is equal for objects with the same type and properties, our own fields aside. Paths are compared
 * by their points, rounded to 0.1 px, since a client that reads and writes a path may spell it differently. At most
 * 11 characters of [0-9a-z].
 */
export function contentKey(object: BoardObject | NewObject): string {
  const cached = known.get(object);
  if (cached !== undefined) return cached;
  const { z: _z, eraser: _eraser, alt: _alt, path, ...props } = propsOf(object as BoardObject);
  const content: Record<string, Json | undefined> = { ...props, type: object.type };
  if (path !== undefined) content["path"] = pathContent(path);
  const key = hash53(canonicalJson(content as Json)).toString(36);
  known.set(object, key);
  return key;
}

/** Copies the cached key of an object to one with the same content, so that it is not computed again. */
export function copyContentKey(object: BoardObject | NewObject, copy: BoardObject): void {
  const key = known.get(object);
  if (key !== undefined) known.set(copy, key);
}

function pathContent(path: Json): Json {
  const data = typeof path === "string" ? parsePath(path) : null;
  if (data === null) return path;
  // In tenths they fit into 32 bits, unless relative steps lead beyond 200,000,000 px: those wrap around.
  const tenths = new Int32Array(data.coords.length);
  for (const [index, value] of data.coords.entries()) tenths[index] = Math.round(value * 10);
  return [data.commands, hashIntegers(tenths)];
}
