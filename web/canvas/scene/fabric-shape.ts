/**
 * A Fabric object as a shape of the scene. Its painting is bounded: it runs in steps, and with or without its effects
 * (shadows, clip paths, gradients that Fabric turns into pictures).
 */

import { type FabricObject, Gradient, Group, type Shadow, Text } from "fabric";
import type { BoardObject } from "../../../board/drawing.ts";
import { MAX_BLUR } from "../../../board/limits.ts";
import { decodedPictures } from "../pictures/decoded-pictures.ts";
import { PictureShape } from "../pictures/shape.ts";
import { boundedPart, firstColor } from "./bounded-part.ts";
import type { Part } from "./cost.ts";
import { makeText, reviveObject } from "./fabric-objects.ts";
import { type FabricShape, type Item, makeFabricItem } from "./item.ts";
import { withinLayer } from "./layer.ts";
import { scaleOf } from "../geometry/matrix.ts";
import { numberOr, type Size, stretchOf, TRANSFORM_KEYS } from "../geometry/transform.ts";

/** The largest picture that Fabric may make of a gradient, in pixels; a larger one is painted in its first colour. */
const MAX_PICTURE = 2 ** 21;

/** The canvas on which a picture is shown. */
interface PictureCanvas {
  readonly isCurrent: (object: BoardObject) => boolean;
  readonly replace: (item: Item) => void;
}

/** An effect of a Fabric object, which can be removed and restored. */
interface Effect {
  readonly show: () => void;
  readonly hide: () => void;
}

/** Makes the shape of a short text without waiting. Returns undefined for any other object. */
export function makeTextShape(object: BoardObject): FabricShape | undefined {
  const text = makeText(withinLayer(object));
  return text && new FabricObjectShape(text);
}

/**
 * Makes the shape of any board object. Rejects with the error of Fabric or the browser when the object cannot be made
 * or painted, for example because of an invalid colour. `canvas` is painted again when more of a picture can be seen;
 * without it, a picture is painted only after `prepare`.
 */
export async function makeShape(object: BoardObject, canvas?: PictureCanvas): Promise<FabricShape> {
  if (object.type === "Image")
    return canvas ? shownPicture(object, canvas) : new PictureShape(object);
  return new FabricObjectShape(await reviveObject(boundedPart(withinLayer(object))));
}

function shownPicture(object: BoardObject, canvas: PictureCanvas): FabricShape {
  const shape: PictureShape = new PictureShape(object, decodedPictures, {
    isShown: () => canvas.isCurrent(shape.object),
    changed: () => {
      if (canvas.isCurrent(shape.object)) canvas.replace(makeFabricItem(shape.object, shape));
    },
  });
  return shape;
}

class FabricObjectShape implements FabricShape {
  readonly size: Size;
  readonly parts: number;
  private readonly object: FabricObject;
  private readonly shadows: ReadonlyMap<FabricObject, Shadow>;
  private readonly effects: readonly Effect[];
  private shown = true;
  /** True when the object can be painted with its effects; undefined until that has been tried. */
  private works: boolean | undefined;

  constructor(object: FabricObject) {
    const { width, height, strokeWidth, strokeUniform } = object;
    this.size = { width, height, strokeWidth, strokeUniform };
    this.object = object;
    const parts = partsOf(object);
    this.parts = parts.length;
    this.shadows = shadowsOf(parts);
    this.effects = parts.flatMap(effectsOf);
    this.show(false);
    const fault = tryPainting(object);
    if (fault !== undefined) throw fault;
  }

  get overhang(): number {
    return overhangOf(this.object, this.shadows);
  }

  *paint(context: CanvasRenderingContext2D, plain: boolean): Generator<void> {
    this.show(!plain && this.canShowEffects());
    yield* paintSteps(context, this.object);
  }

  setTransform(from: BoardObject): void {
    const props: Record<string, unknown> = {};
    for (const key of [...TRANSFORM_KEYS, "originX", "originY"]) props[key] = from[key];
    for (const key of ["left", "top", "angle", "skewX", "skewY"]) props[key] ??= 0;
    for (const key of ["scaleX", "scaleY"]) props[key] ??= 1;
    for (const key of ["flipX", "flipY"]) props[key] ??= false;
    for (const key of ["originX", "originY"]) props[key] ??= "center";
    this.object.set(props);
    this.object.setCoords();
    // The effects depend on the scale.
    this.show(false);
    this.works = undefined;
  }

  private show(shown: boolean): void {
    if (shown === this.shown) return;
    this.shown = shown;
    for (const effect of this.effects) (shown ? effect.show : effect.hide)();
  }

  private canShowEffects(): boolean {
    if (this.works === undefined && this.effects.length > 0) {
      this.show(true);
      this.works = tryPainting(this.object) === undefined;
    }
    return this.works ?? true;
  }
}

/** Returns the object and everything that Fabric paints inside it. */
function partsOf(object: FabricObject): FabricObject[] {
  const parts = [object];
  if (object instanceof Group) parts.push(...object.getObjects().flatMap(partsOf));
  if (object instanceof Text && object.path) parts.push(object.path);
  if (object.clipPath) parts.push(...partsOf(object.clipPath as FabricObject));
  return parts;
}

/** Returns the shadows that objects have by now. */
function shadowsOf(parts: readonly FabricObject[]): ReadonlyMap<FabricObject, Shadow> {
  return new Map(parts.flatMap((part) => (part.shadow ? [[part, part.shadow]] : [])));
}

function effectsOf(object: FabricObject): Effect[] {
  const effects: Effect[] = [];
  const { shadow, clipPath } = object;
  if (shadow) {
    scaleByContext(object);
    const { blur } = shadow;
    const show = (): void => {
      shadow.blur = Math.min(blur, MAX_BLUR / shadowScale(object, shadow));
      object.shadow = shadow;
    };
    effects.push({ show, hide: () => (object.shadow = null) });
  }
  if (clipPath) {
    const show = (): void => {
      object.clipPath = clipPath;
      object.dirty = true;
    };
    const hide = (): void => {
      delete object.clipPath;
      dropPicture(object);
    };
    effects.push({ show, hide });
  }
  return [...effects, ...gradientsOf(object)];
}

/** Returns the paints of an object that Fabric turns into pictures; none of them is shown while it would be too large. */
export function gradientsOf(object: FabricObject): Effect[] {
  const effects: Effect[] = [];
  for (const name of ["fill", "stroke"] as const) {
    const paint = object[name];
    if (!(paint instanceof Gradient) || !isPicture(object, name, paint)) continue;
    const color = firstColor(paint as unknown as Part);
    const small = (): boolean =>
      (object.width + object.strokeWidth) * (object.height + object.strokeWidth) <= MAX_PICTURE;
    effects.push({
      show(): void {
        object[name] = small() ? paint : color;
        object.objectCaching = true;
        object.dirty = true;
      },
      hide(): void {
        object[name] = color;
        object.objectCaching = false;
      },
    });
  }
  return effects;
}

/** True for a gradient that Fabric paints on a canvas of its own, as large as the object, before each use. */
function isPicture(
  object: FabricObject,
  name: "fill" | "stroke",
  gradient: Gradient<"linear" | "radial">,
): boolean {
  if (name === "fill" && !(object instanceof Text)) return false;
  return gradient.gradientUnits === "percentage" || Boolean(gradient.gradientTransform);
}

/** Returns the factor by which Fabric scales the blur of a shadow. */
function shadowScale(object: FabricObject, shadow: Shadow): number {
  if (shadow.nonScaling) return 1;
  const { x, y } = object.getObjectScaling();
  return (x + y) / 2;
}

/**
 * Has the shadow of an object grow with the view. Fabric scales it by the view of the object's canvas, and this object
 * has none.
 */
function scaleByContext(object: FabricObject): void {
  const set = object._setShadow.bind(object);
  object._setShadow = (context) => {
    set(context);
    // Without one it has that of its group, which is scaled.
    if (!object.shadow) return;
    const { a, b, c, d } = context.getTransform();
    const zoom = scaleOf([a, b, c, d, 0, 0]) / scaleOf(object.calcTransformMatrix());
    context.shadowBlur = Math.min(context.shadowBlur * zoom, MAX_BLUR);
    context.shadowOffsetX *= zoom;
    context.shadowOffsetY *= zoom;
  };
}

/** Paints the object; each step paints one part of a group. */
function* paintSteps(context: CanvasRenderingContext2D, object: FabricObject): Generator<void> {
  if (!(object instanceof Group) || object.isNotVisible() || object.shouldCache()) {
    inGroups(object, () => object.render(context));
    // Fabric reuses one of its two canvases for a clip path; the other is as large.
    if (object.clipPath) dropPicture(object.clipPath as FabricObject);
    yield;
    return;
  }
  // This repeats what Fabric's `render` does with a group that has no canvas of its own.
  context.save();
  inGroups(object, () => {
    object._setupCompositeOperation(context);
    object.transform(context);
    object._setOpacity(context);
    object._setShadow(context);
    object._renderBackground(context);
  });
  for (const part of object.getObjects()) yield* paintSteps(context, part);
  context.restore();
}

/** Runs `work` while Fabric knows that the transforms of the groups around the object are those of the context. */
function inGroups(object: FabricObject, work: () => void): void {
  for (let group = object.group; group; group = group.group) group._transformDone = true;
  work();
  for (let group = object.group; group; group = group.group) group._transformDone = false;
}

/** Frees the memory of the object's own canvas immediately. */
function dropPicture(object: FabricObject): void {
  const canvas = object._cacheCanvas;
  if (canvas) canvas.width = canvas.height = 0;
  object._removeCacheCanvas();
}

/** Paints the object where nobody sees it. Returns the error that was thrown, if any. */
function tryPainting(object: FabricObject): unknown {
  const context = document.createElement("canvas").getContext("2d");
  if (!context) return undefined;
  context.canvas.width = context.canvas.height = 1;
  try {
    for (const _step of paintSteps(context, object));
    return undefined;
  } catch (fault) {
    return fault ?? new Error("Fabric could not paint it");
  }
}

/**
 * Returns how far an object paints beyond its box, in its own plane: shadows, letters that extend beyond their line box,
 * and parts of a group that another program left outside of it.
 */
export function overhangOf(
  object: FabricObject,
  shadows: ReadonlyMap<FabricObject, Shadow> = shadowsOf(partsOf(object)),
): number {
  const { x, y } = object.getObjectScaling();
  // A length that no scale applies to is so much longer in the object's own plane.
  const unscaled = 1 / (Math.min(x, y) || 1);
  // Other shapes have some space for the far ends of a blur.
  let overhang =
    object.stroke || !(object instanceof Text)
      ? object.strokeWidth *
        Math.max(1, object.strokeMiterLimit) *
        (object.strokeUniform ? unscaled : 1)
      : 0;
  if (object instanceof Text) overhang += 0.5 * object.fontSize;
  const shadow = shadows.get(object);
  if (shadow) {
    const blur = Math.min(numberOr(shadow.blur, 0), MAX_BLUR / shadowScale(object, shadow));
    const reach = Math.max(Math.abs(shadow.offsetX), Math.abs(shadow.offsetY)) + 2 * blur;
    overhang += reach * (shadow.nonScaling ? unscaled : 1);
  }
  if (object instanceof Group)
    for (const part of object.getObjects())
      overhang = Math.max(
        overhang,
        outsideOf(object, part) + overhangOf(part, shadows) * stretchOf(part),
      );
  return overhang;
}

/** Returns how far the box of a part extends beyond that of its group; 0 where it is inside. */
function outsideOf({ width, height }: Group, part: FabricObject): number {
  const corners = Object.values(part.calcACoords());
  return Math.max(
    0,
    ...corners.flatMap(({ x, y }) => [Math.abs(x) - width / 2, Math.abs(y) - height / 2]),
  );
}
