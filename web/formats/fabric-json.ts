/** Writes objects for other programs: as Fabric's JSON, or as plain text. */

import type { BoardObject, Drawing, NewObject } from "../../board/drawing.ts";
import { propsOf } from "../../board/groups.ts";
import { FABRIC_VERSION } from "../../board/schema.ts";

/** The type under which objects are on the clipboard. */
export const CLIPBOARD_TYPE = "application/x-inkpool-objects+json";

/** Returns Fabric's own JSON of a drawing, without the fields that only our board needs. Any Fabric 7 opens it. */
export function toFabricJson({
  objects,
  background,
}: Pick<Drawing, "objects" | "background">): string {
  return JSON.stringify({
    version: FABRIC_VERSION,
    objects: objects.map(withoutOwnFields),
    background,
  });
}

/** Yields Fabric's own JSON of a drawing as texts that follow each other, with a pause after each object. */
export function* fabricJsonParts({
  objects,
  background,
}: Pick<Drawing, "objects" | "background">): Generator<void, string[]> {
  const [before = "", after = ""] = toFabricJson({ objects: [], background }).split("[]");
  const parts: string[] = [];
  for (const object of objects) {
    parts.push((parts.length > 0 ? "," : "") + JSON.stringify(withoutOwnFields(object)));
    yield;
  }
  return [`${before}[`, ...parts, `]${after}`];
}

/** Returns the clipboard's text for other programs: the words of texts, or else the objects as JSON. */
export function toPlainText(objects: readonly BoardObject[], background: string): string {
  const words = objects.map(({ text }) => text).filter((text) => typeof text === "string");
  return words.length > 0 ? words.join("\n") : toFabricJson({ objects, background });
}

/** Returns the object without the fields of the board. */
function withoutOwnFields(object: BoardObject): NewObject {
  const { z: _z, ...props } = propsOf(object);
  return { type: object.type, ...props };
}
