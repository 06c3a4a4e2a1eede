/**
 * Fabric objects for the shapes that Fabric paints: texts, polygons, groups, gradients, shadows. Each is made once
 * and stored with its item.
 */

import {
  Circle,
  Ellipse,
  Group,
  IText,
  Line,
  Path,
  Polygon,
  Polyline,
  Rect,
  Text,
  Textbox,
  Triangle,
  type FabricObject,
} from "fabric";
import type { BoardObject, NewObject, ObjectType } from "../../../board/drawing.ts";

type Reviver = (json: Record<string, unknown>) => Promise<FabricObject>;

/** Fabric's classes by the name that the drawing uses. */
const CLASSES: Readonly<
  Record<Exclude<ObjectType, "Image">, { fromObject: (json: never) => Promise<unknown> }>
> = {
  Path,
  Rect,
  Circle,
  Ellipse,
  Triangle,
  Line,
  Polyline,
  Polygon,
  IText,
  Text,
  Textbox,
  Group,
};

type TextMaker = (text: string, props: Record<string, unknown>) => unknown;

const TEXTS: Readonly<Record<"IText" | "Text" | "Textbox", TextMaker>> = {
  IText: (text, props) => new IText(text, props),
  Text: (text, props) => new Text(text, props),
  Textbox: (text, props) => new Textbox(text, props),
};

/** The fields of our own, which Fabric must not get. */
const OWN_FIELDS: ReadonlySet<string> = new Set(["type", "id", "z", "life", "stamps", "eraser"]);

type TextType = keyof typeof TEXTS;

function isTextType(type: ObjectType): type is TextType {
  return Object.hasOwn(TEXTS, type);
}

type AnyObject = BoardObject | NewObject;

function fabricProps(object: AnyObject): Record<string, unknown> {
  const props: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(object))
    if (!OWN_FIELDS.has(name) && value !== undefined && value !== null) props[name] = value;
  // For these, null is a value of its own: nothing is painted.
  for (const name of ["fill", "stroke"]) if (object[name] === null) props[name] = null;
  return props;
}

/** The greatest number of letters of a text that is made without waiting; measuring a longer one takes a while. */
const MAX_SHORT_TEXT = 500;

/** Makes a short text whose properties are plain values, without waiting. Returns undefined for any other object. */
export function makeText(object: AnyObject): FabricObject | undefined {
  if (!isTextType(object.type)) return undefined;
  const { text, ...props } = fabricProps(object);
  const styles = props["styles"];
  if (Array.isArray(styles) && styles.length === 0) delete props["styles"];
  if (typeof text !== "string" || text.length > MAX_SHORT_TEXT) return undefined;
  if (Object.values(props).some((value) => typeof value === "object" && value !== null))
    return undefined;
  const made = TEXTS[object.type](text, props) as FabricObject;
  made.objectCaching = false;
  return made;
}

/** Makes the Fabric object of any board object but a picture. Rejects when Fabric refuses it. */
export async function reviveObject(object: BoardObject): Promise<FabricObject> {
  if (object.type === "Image") throw new TypeError("Fabric would load a picture by itself");
  const revive = CLASSES[object.type].fromObject as unknown as Reviver;
  const made = await revive.call(CLASSES[object.type], {
    ...fabricProps(object),
    type: object.type,
  });
  withoutCache(made);
  return made;
}

/** Switches off the cache canvas of each object, which would need more memory than all the rest of the board. */
function withoutCache(object: FabricObject): void {
  object.objectCaching = false;
  if (object instanceof Group) for (const child of object.getObjects()) withoutCache(child);
}
