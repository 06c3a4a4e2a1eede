/** Objects that Fabric paints for us: texts, polygons, groups, gradients, shadows. Made once, kept with the item. */

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
import type { BoardObject, ObjectType } from "../../board/drawing.ts";
import type { Guest } from "./item.ts";
import { numberOr, PLACE_KEYS } from "./place.ts";

type Reviver = (json: Record<string, unknown>) => Promise<FabricObject>;

/** Fabric's classes by the name that the drawing uses. */
const CLASSES: Readonly<Record<ObjectType, { fromObject: (json: never) => Promise<unknown> }>> = {
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

/** What is ours and not Fabric's. */
const OURS: ReadonlySet<string> = new Set(["type", "id", "z", "life", "stamps", "eraser"]);

export type TextType = keyof typeof TEXTS;

export function isTextType(type: ObjectType): type is TextType {
  return Object.hasOwn(TEXTS, type);
}

function fabricProps(object: BoardObject): Record<string, unknown> {
  const props: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(object))
    if (!OURS.has(name) && value !== undefined && value !== null) props[name] = value;
  // Null is a value of its own for these: nothing is painted.
  for (const name of ["fill", "stroke"]) if (object[name] === null) props[name] = null;
  return props;
}

/** A text whose properties are plain values, at once. Undefined for any other object. */
export function makeText(object: BoardObject): FabricObject | undefined {
  if (!isTextType(object.type)) return undefined;
  const { text, ...props } = fabricProps(object);
  const styles = props["styles"];
  if (Array.isArray(styles) && styles.length === 0) delete props["styles"];
  if (typeof text !== "string") return undefined;
  if (Object.values(props).some((value) => typeof value === "object" && value !== null))
    return undefined;
  const made = TEXTS[object.type](text, props) as FabricObject;
  made.objectCaching = false;
  return made;
}

/** Any object. Rejects for one that Fabric refuses. */
export async function reviveObject(object: BoardObject): Promise<FabricObject> {
  const revive = CLASSES[object.type].fromObject as unknown as Reviver;
  const made = await revive.call(CLASSES[object.type], {
    ...fabricProps(object),
    type: object.type,
  });
  withoutCache(made);
  return made;
}

/** A cache canvas for each object would cost more memory than all the rest of the board. */
function withoutCache(object: FabricObject): void {
  object.objectCaching = false;
  if (object instanceof Group) for (const child of object.getObjects()) withoutCache(child);
}

export function guestOf(object: FabricObject): Guest {
  return {
    size: {
      width: object.width,
      height: object.height,
      strokeWidth: object.strokeWidth,
      strokeUniform: object.strokeUniform,
    },
    overhang: overhangOf(object),
    paint: (context) => object.render(context),
    move(place: BoardObject): void {
      const props: Record<string, unknown> = {};
      for (const key of [...PLACE_KEYS, "originX", "originY"]) props[key] = place[key];
      for (const key of ["left", "top", "angle", "skewX", "skewY"]) props[key] ??= 0;
      for (const key of ["scaleX", "scaleY"]) props[key] ??= 1;
      for (const key of ["flipX", "flipY"]) props[key] ??= false;
      for (const key of ["originX", "originY"]) props[key] ??= "center";
      object.set(props);
      object.setCoords();
    },
  };
}

/** Shadows, and what letters paint outside their line box. */
function overhangOf(object: FabricObject): number {
  let most = object.strokeWidth * Math.max(1, object.strokeMiterLimit);
  if (object instanceof Text) most += 0.5 * object.fontSize;
  if (object.shadow) {
    const { offsetX, offsetY, blur } = object.shadow;
    most += Math.max(Math.abs(offsetX), Math.abs(offsetY)) + 2 * numberOr(blur, 0);
  }
  if (object instanceof Group)
    for (const child of object.getObjects())
      most = Math.max(most, overhangOf(child) * Math.max(child.scaleX, child.scaleY));
  return most;
}
