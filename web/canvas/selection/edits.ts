/** The changes of the board that the selection's toolbar makes. */

import type {
  BoardEditor,
  BoardObject,
  Json,
  NewObject,
  ObjectChange,
  ObjectId,
} from "../../../board/drawing.ts";
import { propsOf } from "../../../board/groups.ts";
import { exceededLimit, type SpaceLimit } from "../../../board/space.ts";
import { STICKERS } from "../../../board/stickers.ts";
import { isTransparent } from "../../../board/unpainted.ts";
import { numberOr } from "../geometry/transform.ts";
import { BLACK, isFilled } from "../scene/fill.ts";
import type { Item } from "../scene/item.ts";

/** An edit of all selected objects, each as one undo step. */
export type SelectionEdit =
  | "duplicate"
  | Restacking
  /** Paints them in a CSS colour. */
  | { readonly color: string }
  /** Makes rectangles and circles outlines, or fills them. */
  | { readonly outlined: boolean }
  /** Sets the size of texts, in canvas pixels. */
  | { readonly textSize: number };

/** A move in the stack: to its edge, or past one object. */
export type Restacking = "front" | "back" | "forward" | "backward";

/** Canvas pixels by which a copy lies to the right of and below its original. */
const OFFSET = 20;

type Props = Readonly<Record<string, unknown>>;

/**
 * Returns the properties of an object in another colour (CSS): of its fill, or of its outline when it has no fill; in
 * a group those of all parts.
 */
export function colored(object: Props, color: string): ObjectChange["props"] {
  const { objects } = object;
  if (Array.isArray(objects)) {
    const parts = objects as readonly Props[];
    return { objects: parts.map((part) => ({ ...part, ...colored(part, color) })) as Json };
  }
  // A picture has the colours of its pixels.
  if (object["type"] === "Image") return {};
  const paint = isFilled(object) ? "fill" : "stroke";
  return { [paint]: color, ...stylesWithout(object, paint) };
}

interface LetterStyle {
  readonly style: { readonly [property: string]: Json };
}

/**
 * Returns the styles of single letters of a text without a property, which would hide that of the whole text; nothing
 * for an object without such styles.
 */
function stylesWithout({ styles }: Props, property: string): ObjectChange["props"] {
  if (!Array.isArray(styles)) return {};
  const remaining = (styles as readonly LetterStyle[]).map(({ style, ...range }) => {
    const { [property]: _hiding, ...rest } = style;
    return { ...range, style: rest };
  });
  return { styles: remaining.filter(({ style }) => Object.keys(style).length > 0) };
}

/** The line width of an outlined shape, in canvas pixels, whatever its scale. */
export const OUTLINE_WIDTH = 3;

/** True for a shape that can be filled or outlined. */
export function isShape({ type }: Props): boolean {
  return type === "Rect" || type === "Circle";
}

/** True for a shape that is an outline without a fill. */
export function isOutlined(object: Props): boolean {
  return isShape(object) && !isFilled(object) && !isTransparent(object["stroke"] ?? null);
}

/**
 * Returns the properties that make a shape an outline in its colour, or fill it; null when nothing changes, or when
 * the object is no shape.
 */
export function outlineChange(object: Props, outlined: boolean): ObjectChange["props"] | null {
  if (!isShape(object) || isOutlined(object) === outlined) return null;
  if (outlined) {
    const { fill = BLACK } = object;
    const stroke = isFilled(object) ? (fill as Json) : BLACK;
    return { fill: null, stroke, strokeWidth: OUTLINE_WIDTH, strokeUniform: true };
  }
  const fill = object["stroke"] as Json;
  return { fill, stroke: null, strokeWidth: 0, strokeUniform: false };
}

/** True for an object that contains words; a sticker does not count. */
export function isText({ type, text }: Props): boolean {
  if (type !== "IText" && type !== "Textbox" && type !== "Text") return false;
  return !STICKERS.some(({ emoji }) => emoji === text);
}

/** Returns the size in which the letters of a text are shown, in canvas pixels. */
export function textSizeOf(text: Props): number {
  return numberOr(text["fontSize"], 40) * Math.abs(numberOr(text["scaleY"], 1));
}

/** Returns the properties that give the letters of a text another size; the width at which it wraps stays the same. */
export function resizedText(text: Props, size: number): ObjectChange["props"] {
  const { type, width } = text;
  const across = Math.abs(numberOr(text["scaleX"], 1));
  const props = { fontSize: size, scaleX: 1, scaleY: 1, ...stylesWithout(text, "fontSize") };
  if (type !== "Textbox" || across === 1) return props;
  return { ...props, width: numberOr(width, 0) * across };
}

/** An edit that changes each selected object by itself. */
type PropertyEdit = Exclude<SelectionEdit, string>;

/** Returns the changes that an edit makes to objects; unchanged objects have none. */
export function changesOf(objects: readonly BoardObject[], edit: PropertyEdit): ObjectChange[] {
  const changes: ObjectChange[] = [];
  for (const object of objects) {
    const props = changedBy(object, edit);
    if (props) changes.push({ id: object.id, props });
  }
  return changes;
}

function changedBy(object: BoardObject, edit: PropertyEdit): ObjectChange["props"] | null {
  if ("color" in edit) return colored(object, edit.color);
  if ("outlined" in edit) return outlineChange(object, edit.outlined);
  return isText(object) ? resizedText(object, edit.textSize) : null;
}

/** Returns an object without the fields of the board, so that it can be added as a new one. */
export function asNew(object: BoardObject): NewObject {
  const { z: _z, ...props } = propsOf(object);
  return { ...props, type: object.type };
}

/** Returns copies of objects, in their order, for adding to the board. */
export function copiesOf(objects: readonly BoardObject[]): NewObject[] {
  return objects.map((object) => {
    const left = numberOr(object.left, 0) + OFFSET;
    const top = numberOr(object.top, 0) + OFFSET;
    return { ...asNew(object), left, top };
  });
}

/** Function that adds copies to the board and returns their ids; none when the board has no space for all of them. */
export type AddCopies = (copies: readonly NewObject[]) => readonly ObjectId[];

/** The board to which copies are added. */
export interface CopyTarget {
  readonly scene: { readonly all: () => Iterable<Item> };
  readonly editor: Pick<BoardEditor, "accepts" | "add">;
  /** Called when the board has no space for the copies, with the limit that they would exceed. */
  readonly refused: (limit: SpaceLimit) => void;
}

/** Adds copies to the board and returns their ids; none when the board has no space for all of them. */
export function addCopies(target: CopyTarget, copies: readonly NewObject[]): ObjectId[] {
  const { editor, refused, scene } = target;
  if (!editor.accepts(copies.length)) return [];
  const check = exceededLimit(objectsOf(scene.all()), copies);
  let step = check.next();
  while (!step.done) step = check.next();
  if (step.value === null) return editor.add(copies).map(({ id }) => id);
  refused(step.value);
  return [];
}

function* objectsOf(items: Iterable<Item>): Generator<BoardObject> {
  for (const { object } of items) yield object;
}

/**
 * Returns the changes that move objects above or below all others, or past the one object next to them, in their
 * order; none when they are already there. `all`: the objects of the board, bottom first.
 */
export function restacked(
  all: readonly BoardObject[],
  chosen: ReadonlySet<BoardObject>,
  to: Restacking,
): ObjectChange[] {
  if (to === "forward" || to === "backward") return stepped(all, chosen, to);
  return toEdge(all, chosen, to);
}

/** The smallest distance that remains between two objects of the stack; in a narrower gap the objects next to it make space. */
const MIN_GAP = 1e-6;

/** Moves objects, together, past the next object above the highest of them, or below the lowest. */
function stepped(
  all: readonly BoardObject[],
  chosen: ReadonlySet<BoardObject>,
  to: "forward" | "backward",
): ObjectChange[] {
  const isForward = to === "forward";
  const ahead = isForward ? all : all.toReversed();
  const last = ahead.findLastIndex((object) => chosen.has(object));
  const [next, ...beyond] = ahead.slice(last + 1);
  if (!next) return toEdge(all, chosen, isForward ? "front" : "back");
  const way = isForward ? 1 : -1;
  const moved = ahead.filter((object) => chosen.has(object));
  let shifted = 0;
  const step = (): number => {
    const end = beyond[shifted];
    return end ? (end.z - next.z) / (moved.length + shifted + 1) : way;
  };
  while (Math.abs(step()) < MIN_GAP) shifted++;
  return [...moved, ...beyond.slice(0, shifted)].map(({ id }, index) => ({
    id,
    props: { z: next.z + step() * (index + 1) },
  }));
}

function toEdge(
  all: readonly BoardObject[],
  chosen: ReadonlySet<BoardObject>,
  edge: "front" | "back",
): ObjectChange[] {
  const moved = all.filter((object) => chosen.has(object));
  const rest = all.filter((object) => !chosen.has(object));
  const end = edge === "front" ? rest.at(-1) : rest[0];
  if (!end) return [];
  const there = edge === "front" ? all.slice(rest.length) : all.slice(0, moved.length);
  if (there.every((object) => chosen.has(object))) return [];
  const first = edge === "front" ? Math.floor(end.z) + 1 : Math.ceil(end.z) - moved.length;
  return moved.map(({ id }, index) => ({ id, props: { z: first + index } }));
}
