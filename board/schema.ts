/**
 * Fabric 7's properties, type by type: the kind of value, the default, and the property group. The parser, the
 * compact form and the merge share the table. Defaults are those of Fabric 7.4 (`src/shapes/Object/defaultValues.ts`,
 * the classes' `ownDefaults`, `src/shapes/Text/constants.ts`).
 */

import type { Group, Json, ObjectType } from "./drawing.ts";
import { MAX_COORDINATE, MAX_PICTURE_SIDE, MAX_SIZE, MAX_TEXT } from "./limits.ts";

export const FABRIC_VERSION = "7.4.0";

/** The kind of value that a property may have. */
export type Kind =
  | {
      readonly kind: "number";
      readonly min: number;
      readonly max: number;
      /** Decimals to which the number is rounded. */
      readonly digits: number;
      /** Set for lengths: further decimals are kept where the object, or its surroundings, are scaled up. */
      readonly length?: "own" | "parent";
    }
  | { readonly kind: "flag" }
  | {
      readonly kind: "choice";
      readonly of: readonly string[];
      /** Set for origins: a number is a part of the size, from the left or the top. */
      readonly orNumber?: true;
    }
  /** A colour, null, or a gradient. */
  | { readonly kind: "paint" }
  /** A colour, the empty text, or null. */
  | { readonly kind: "color" }
  | { readonly kind: "text"; readonly max: number }
  | { readonly kind: "font" }
  | { readonly kind: "weight" }
  | { readonly kind: "dashes" }
  | { readonly kind: "shadow" }
  | { readonly kind: "styles" }
  /** SVG path data; an array of commands is turned into text. */
  | { readonly kind: "path" }
  | { readonly kind: "points" }
  /** A picture as a data URL. */
  | { readonly kind: "source" }
  /** One object, or a list of them, without ids. */
  | { readonly kind: "object" }
  | { readonly kind: "objects" };

export interface Property {
  readonly of: Kind;
  readonly group: Exclude<Group, "order">;
  /** The default; undefined when the property is required, or has no default that may be left out. */
  readonly default: Json | undefined;
  readonly required?: true;
}

type Table = Readonly<Record<string, Property>>;

function transform(of: Kind, value: Json): Property {
  return { of, group: "place", default: value };
}

function look(of: Kind, value: Json): Property {
  return { of, group: "look", default: value };
}

function content(of: Kind, value?: Json): Property {
  return { of, group: "content", default: value };
}

function required(of: Kind): Property {
  return { of, group: "content", default: undefined, required: true };
}

function number(min: number, max: number, digits: number): Kind {
  return { kind: "number", min, max, digits };
}

function choice(...of: string[]): Kind {
  return { kind: "choice", of };
}

const flag: Kind = { kind: "flag" };
const coordinate: Kind = {
  kind: "number",
  min: -MAX_COORDINATE,
  max: MAX_COORDINATE,
  digits: 1,
  length: "own",
};
const position: Kind = { ...coordinate, length: "parent" };
const size: Kind = { kind: "number", min: 0, max: MAX_SIZE, digits: 1, length: "own" };
const factor = number(-10_000, 10_000, 4);
const degrees = number(-1e6, 1e6, 2);
const slant = number(-89.99, 89.99, 2);
const originX: Kind = { kind: "choice", of: ["left", "center", "right"], orNumber: true };
const originY: Kind = { kind: "choice", of: ["top", "center", "bottom"], orNumber: true };

/** The modes that CSS has as well, for `mix-blend-mode`. */
export const BLENDING = [
  "multiply",
  "screen",
  "overlay",
  "darken",
  "lighten",
  "color-dodge",
  "color-burn",
  "hard-light",
  "soft-light",
  "difference",
  "exclusion",
  "hue",
  "saturation",
  "color",
  "luminosity",
];

const COMPOSITIONS = [
  "source-over",
  "source-in",
  "source-out",
  "source-atop",
  "destination-over",
  "destination-in",
  "destination-out",
  "destination-atop",
  "lighter",
  "copy",
  "xor",
  ...BLENDING,
];

const COMMON: Table = {
  left: transform(position, 0),
  top: transform(position, 0),
  originX: transform(originX, "center"),
  originY: transform(originY, "center"),
  scaleX: transform(factor, 1),
  scaleY: transform(factor, 1),
  angle: transform(degrees, 0),
  skewX: transform(slant, 0),
  skewY: transform(slant, 0),
  flipX: transform(flag, false),
  flipY: transform(flag, false),
  fill: look({ kind: "paint" }, "rgb(0,0,0)"),
  stroke: look({ kind: "paint" }, null),
  strokeWidth: look(number(0, 10_000, 2), 1),
  strokeDashArray: look({ kind: "dashes" }, null),
  strokeDashOffset: look(number(-MAX_SIZE, MAX_SIZE, 1), 0),
  strokeLineCap: look(choice("butt", "round", "square"), "butt"),
  strokeLineJoin: look(choice("miter", "round", "bevel"), "miter"),
  strokeMiterLimit: look(number(0, 10_000, 2), 4),
  strokeUniform: look(flag, false),
  opacity: look(number(0, 1, 3), 1),
  shadow: look({ kind: "shadow" }, null),
  visible: look(flag, true),
  backgroundColor: look({ kind: "color" }, ""),
  fillRule: look(choice("nonzero", "evenodd"), "nonzero"),
  paintFirst: look(choice("fill", "stroke"), "fill"),
  globalCompositeOperation: look({ kind: "choice", of: COMPOSITIONS }, "source-over"),
  clipPath: content({ kind: "object" }, null),
  inverted: content(flag, false),
  absolutePositioned: content(flag, false),
};

/** The style of some characters of a text. */
export const STYLE: Table = {
  fill: look({ kind: "paint" }, null),
  stroke: look({ kind: "paint" }, null),
  strokeWidth: look(number(0, 10_000, 2), 0),
  fontSize: look(number(0, 10_000, 2), 0),
  fontFamily: look({ kind: "font" }, ""),
  fontWeight: look({ kind: "weight" }, ""),
  fontStyle: look(choice("normal", "italic", "oblique", ""), ""),
  underline: look(flag, false),
  overline: look(flag, false),
  linethrough: look(flag, false),
  deltaY: look(number(-10_000, 10_000, 2), 0),
  textBackgroundColor: look({ kind: "color" }, ""),
  textDecorationThickness: look(number(0, 10_000, 3), 0),
  textDecorationColor: look({ kind: "color" }, ""),
};

const TEXT: Table = {
  text: required({ kind: "text", max: MAX_TEXT }),
  width: content(size, 0),
  height: content(size, 0),
  fontSize: look(number(0, 10_000, 2), 40),
  fontFamily: look({ kind: "font" }, "Times New Roman"),
  fontWeight: look({ kind: "weight" }, "normal"),
  fontStyle: look(choice("normal", "italic", "oblique", ""), "normal"),
  lineHeight: look(number(0, 100, 3), 1.16),
  charSpacing: look(number(-10_000, 10_000, 1), 0),
  textAlign: look(
    choice("left", "center", "right", "justify", "justify-left", "justify-center", "justify-right"),
    "left",
  ),
  direction: look(choice("ltr", "rtl"), "ltr"),
  underline: look(flag, false),
  overline: look(flag, false),
  linethrough: look(flag, false),
  textBackgroundColor: look({ kind: "color" }, ""),
  textDecorationThickness: look(number(0, 10_000, 3), 66.667),
  textDecorationColor: look({ kind: "color" }, null),
  styles: content({ kind: "styles" }, []),
  path: content({ kind: "object" }, null),
  pathStartOffset: content(number(-MAX_SIZE, MAX_SIZE, 1), 0),
  pathSide: content(choice("left", "right"), "left"),
  pathAlign: content(choice("baseline", "center", "ascender", "descender"), "baseline"),
};

const side = number(0, MAX_PICTURE_SIDE, 1);

const POINTS: Table = { points: required({ kind: "points" }) };

/**
 * The properties of each type beside the shared ones. Widths and heights that Fabric computes when it reads an object
 * are not in the table.
 */
const OWN: Readonly<Record<ObjectType, Table>> = {
  // eraser: our own property, on the white strokes of the eraser, which nobody can select.
  Path: { path: required({ kind: "path" }), eraser: content(flag, false) },
  Rect: {
    width: content(size, 0),
    height: content(size, 0),
    rx: content(size, 0),
    ry: content(size, 0),
  },
  Circle: {
    radius: content(size, 0),
    startAngle: content(degrees, 0),
    endAngle: content(degrees, 360),
    counterClockwise: content(flag, false),
  },
  Ellipse: { rx: content(size, 0), ry: content(size, 0) },
  Triangle: { width: content(size, 100), height: content(size, 100) },
  Line: {
    x1: required(coordinate),
    y1: required(coordinate),
    x2: required(coordinate),
    y2: required(coordinate),
  },
  Polyline: POINTS,
  Polygon: POINTS,
  IText: TEXT,
  Text: TEXT,
  Textbox: {
    ...TEXT,
    // This is as exact as Fabric writes it: a line that just fits must not be wrapped differently.
    width: content(number(0, MAX_SIZE, 4), 0),
    minWidth: content(size, 20),
    splitByGrapheme: content(flag, false),
  },
  Image: {
    src: required({ kind: "source" }),
    width: required(side),
    height: required(side),
    cropX: content(side, 0),
    cropY: content(side, 0),
    strokeWidth: look(number(0, 10_000, 2), 0),
    // Our own property: the picture's description.
    alt: content({ kind: "text", max: 100 }, ""),
  },
  Group: {
    objects: required({ kind: "objects" }),
    width: content(size, 0),
    height: content(size, 0),
    strokeWidth: look(number(0, 10_000, 2), 0),
  },
};

/** The type names of Fabric 5 and older, in lower case with dashes; Fabric 6 and 7 write class names. */
const OLD_NAMES: ReadonlyMap<string, ObjectType> = new Map([
  ["i-text", "IText"],
  ...Object.keys(OWN).map((type) => [type.toLowerCase(), type as ObjectType] as const),
]);

const TYPES: ReadonlyMap<string, ReadonlyMap<string, Property>> = new Map(
  Object.entries(OWN).map(([type, own]) => [type, new Map(Object.entries({ ...COMMON, ...own }))]),
);

const GROUP_OF: ReadonlyMap<string, Group> = new Map(
  [COMMON, ...Object.values(OWN)].flatMap((table) =>
    Object.entries(table).map(([name, property]) => [name, property.group] as const),
  ),
);

/** The properties of a type, by name. */
export function propertiesOf(type: ObjectType): ReadonlyMap<string, Property> {
  return TYPES.get(type) ?? new Map();
}

/** The group of a property; one that is in no table counts as look. */
export function groupOfProperty(name: string): Group {
  return GROUP_OF.get(name) ?? "look";
}

/** Finds a type by the name that any Fabric from 4 to 7 gives it; undefined for one that a board cannot contain. */
export function typeByName(name: unknown): ObjectType | undefined {
  if (typeof name !== "string") return undefined;
  return TYPES.has(name) ? (name as ObjectType) : OLD_NAMES.get(name);
}
