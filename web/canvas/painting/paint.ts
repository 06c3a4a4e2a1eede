/** Paints items into a context, with the same result as Fabric 7 for the same object. */

import type { BoardObject } from "../../../board/drawing.ts";
import { RecentMap } from "../scheduling/recent-map.ts";
import { alignBox, type Box, clipBox, EVERYWHERE, inflate, overlaps } from "../geometry/box.ts";
import { canvasBox, canvasFor } from "./scaled-picture.ts";
import { isVisible, type Item } from "../scene/item.ts";
import { isLayered, withinLayer } from "../scene/layer.ts";
import { isLongPath, type LongPath, makeLongPath } from "./long-path.ts";
import {
  applyMatrixToBox,
  IDENTITY,
  invert,
  type Matrix,
  multiply,
  type Point,
} from "../geometry/matrix.ts";
import { numberOr } from "../geometry/transform.ts";

/**
 * The number of the latest paths that stay in memory; those before them are made again from their data. Each takes
 * about 2 KB, and saves 4 µs of the next repaint. A full repaint uses them in the same order each time, so of three
 * times as many paths none would be found.
 */
const RECENT_PATHS = 12_000;

/**
 * The number of long paths in the largest drawing (10 MB, 8,000 characters each or more). Every tile paints them in
 * the same order, so with one entry too few each tile would make all of them again.
 */
const RECENT_LONG_PATHS = 1400;

/** Matches colours that have an alpha channel, and the word `transparent`. */
const TRANSLUCENT = /\/|,.*,.*,|^#(....){1,2}$|^tr/i;

export class Painter {
  private readonly paths = new RecentMap<string, Path2D>(RECENT_PATHS);
  private readonly longPaths = new RecentMap<string, LongPath | null>(RECENT_LONG_PATHS);

  /** Paints an item into a context whose transform is the viewport's. `matrix` replaces the item's own while it is dragged. */
  paint(context: CanvasRenderingContext2D, item: Item, matrix: Matrix = item.matrix): void {
    const { object } = item;
    if (!isVisible(object)) return;
    if (isStepwise(item)) {
      for (const _step of this.steps(context, item, EVERYWHERE, matrix));
      return;
    }
    context.save();
    applyLook(context, object, matrix);
    const path = this.outline(context, item);
    const isStrokeFirst = object["paintFirst"] === "stroke";
    if (!isStrokeFirst) fillPath(context, object, path);
    strokePath(context, item, path, matrix);
    if (isStrokeFirst) fillPath(context, object, path);
    context.restore();
  }

  /**
   * Paints an item, with a pause after each part when it has many, and yields the work of each part. Anything outside
   * of `region` (canvas pixels) may be left out. The context must not be used for anything else until the last step.
   */
  *steps(
    context: CanvasRenderingContext2D,
    item: Item,
    region: Box,
    matrix: Matrix = item.matrix,
  ): Generator<number> {
    const { object, shape, cost } = item;
    if (!isVisible(object)) return;
    const back = matrix === item.matrix ? null : invert(item.matrix);
    const moved = back ? multiply(matrix, back) : IDENTITY;
    if (isLayered(object)) {
      const within = { ...item, object: withinLayer(object) };
      yield* layerSteps(context, object, applyMatrixToBox(moved, item.box), (layer) =>
        this.steps(layer, within, region, matrix),
      );
    } else if (shape.kind === "fabric") {
      if (!shape.fabric) return;
      context.save();
      context.transform(...moved);
      const work = cost.work / shape.fabric.parts;
      for (const _part of shape.fabric.paint(context, item.plain)) yield work;
      context.restore();
    } else if (shape.kind === "path" && isLongPath(shape.data)) {
      const long = this.longPaths.getOrMake(shape.data, makeLongPath);
      if (!long) return;
      const work = cost.work / (long.pieces.length + 1);
      for (const _part of longPathSteps({ context, item, matrix, region }, long)) yield work;
    } else {
      this.paint(context, item, matrix);
      yield cost.work;
    }
  }

  clear(): void {
    this.paths.clear();
    this.longPaths.clear();
  }

  /** Returns the path to fill and stroke; undefined when it is the context's current path. */
  private outline(context: CanvasRenderingContext2D, item: Item): Path2D | undefined {
    const { object, shape } = item;
    if (shape.kind === "path") {
      return this.paths.getOrMake(shape.data, (data) => new Path2D(data));
    }
    context.beginPath();
    if (shape.kind === "circle") traceCircle(context, object);
    else traceRectangle(context, object);
    return undefined;
  }
}

/** True for an item that `Painter.steps` paints in steps. */
function isStepwise({ object, shape }: Item): boolean {
  return (
    shape.kind === "fabric" ||
    (shape.kind === "path" && isLongPath(shape.data)) ||
    isLayered(object)
  );
}

function applyLook(context: CanvasRenderingContext2D, object: BoardObject, matrix: Matrix): void {
  context.transform(...matrix);
  const blending = object["globalCompositeOperation"];
  if (blending) context.globalCompositeOperation = blending as GlobalCompositeOperation;
  context.globalAlpha = numberOr(object["opacity"], 1);
}

/** Paints in steps with a layer. `box`: around everything that is painted, in the plane of the context. */
function* layerSteps<S>(
  context: CanvasRenderingContext2D,
  object: BoardObject,
  box: Box,
  paint: (layer: CanvasRenderingContext2D) => Iterable<S>,
): Generator<S> {
  const { a, b, c, d, e, f } = context.getTransform();
  const painted = alignBox(applyMatrixToBox([a, b, c, d, e, f], box), 1);
  const part = clipBox(painted, canvasBox(context.canvas));
  const layer = part && canvasFor(part).getContext("2d");
  if (!layer) return;
  layer.setTransform(a, b, c, d, e - part.left, f - part.top);
  yield* paint(layer);
  context.save();
  context.resetTransform();
  applyLook(context, object, IDENTITY);
  context.drawImage(layer.canvas, part.left, part.top);
  context.restore();
  layer.canvas.width = 0;
}

interface LongPathTarget {
  readonly context: CanvasRenderingContext2D;
  readonly item: Item;
  readonly matrix: Matrix;
  readonly region: Box;
}

function* longPathSteps(target: LongPathTarget, path: LongPath): Generator<void> {
  const { context, item, matrix } = target;
  context.save();
  applyLook(context, item.object, matrix);
  const fill = function* (): Generator<void> {
    fillPath(context, item.object, path.coarse);
    yield;
  };
  if (item.object["paintFirst"] !== "stroke") yield* fill();
  yield* strokeLongPath(target, path);
  if (item.object["paintFirst"] === "stroke") yield* fill();
  context.restore();
}

function* strokeLongPath(
  { context, item, matrix, region }: LongPathTarget,
  { pieces, coarse }: LongPath,
): Generator<void> {
  if (!prepareStroke(context, item)) return;
  if (!mayOverlapItself(item)) {
    context.stroke(coarse);
    yield;
    return;
  }
  const { strokeWidth } = item.size;
  const reach = (strokeWidth / 2) * Math.max(1, numberOr(item.object["strokeMiterLimit"], 4));
  for (const { path, box } of pieces) {
    if (!overlaps(applyMatrixToBox(matrix, inflate(box, reach)), region)) continue;
    context.stroke(path);
    yield;
  }
}

/** True for a stroke that looks the same where it is painted twice, as its pieces overlap. */
function mayOverlapItself({ object, dashed }: Item): boolean {
  const { globalCompositeOperation: blending = "source-over", stroke } = object;
  return (
    !dashed &&
    numberOr(object["opacity"], 1) === 1 &&
    blending === "source-over" &&
    object["strokeLineCap"] !== "square" &&
    typeof stroke === "string" &&
    !TRANSLUCENT.test(stroke)
  );
}

function traceCircle(context: CanvasRenderingContext2D, object: BoardObject): void {
  const degree = Math.PI / 180;
  const n = (name: string, otherwise = 0): number => numberOr(object[name], otherwise);
  context.arc(
    0,
    0,
    n("radius"),
    n("startAngle") * degree,
    n("endAngle", 360) * degree,
    object["counterClockwise"] === true,
  );
}

function traceRectangle(context: CanvasRenderingContext2D, object: BoardObject): void {
  const [w, h] = [numberOr(object["width"], 0), numberOr(object["height"], 0)];
  // As in Fabric, one given radius stands for both.
  const rx = Math.min(numberOr(object["rx"], 0) || numberOr(object["ry"], 0), w / 2);
  const ry = Math.min(numberOr(object["ry"], 0) || numberOr(object["rx"], 0), h / 2);
  context.roundRect(-w / 2, -h / 2, w, h, { x: rx, y: ry });
}

function fillPath(
  context: CanvasRenderingContext2D,
  object: BoardObject,
  path: Path2D | undefined,
): void {
  const { fill = "rgb(0,0,0)", fillRule = "nonzero" } = object;
  if (!fill || typeof fill !== "string") return;
  context.fillStyle = fill;
  const rule = fillRule as CanvasFillRule;
  if (path) context.fill(path, rule);
  else context.fill(rule);
}

function strokePath(
  context: CanvasRenderingContext2D,
  item: Item,
  path: Path2D | undefined,
  matrix: Matrix,
): void {
  if (!prepareStroke(context, item)) return;
  if (item.size.strokeUniform) {
    const { x, y } = stretchOf(item, matrix);
    if (!x || !y) return;
    // The path has been traced, so this changes the line alone.
    context.scale(1 / x, 1 / y);
  }
  if (path) context.stroke(path);
  else context.stroke();
}

/**
 * Returns the factors by which an item is stretched, which its line does not follow. `matrix`: that of the item, or
 * that of its drag.
 */
function stretchOf({ object, matrix: own }: Item, matrix: Matrix): Point {
  const along = (scale: unknown, a: number, b: number): number => {
    const before = Math.hypot(own[a] ?? 0, own[b] ?? 0);
    const now = Math.hypot(matrix[a] ?? 0, matrix[b] ?? 0);
    return before === 0 ? 0 : (Math.abs(numberOr(scale, 1)) * now) / before;
  };
  return { x: along(object["scaleX"], 0, 1), y: along(object["scaleY"], 2, 3) };
}

/** Prepares the context for the item's stroke. Returns false when there is nothing to stroke. */
function prepareStroke(context: CanvasRenderingContext2D, { object, dashed }: Item): boolean {
  const stroke = object["stroke"];
  const width = numberOr(object["strokeWidth"], 1);
  if (!stroke || typeof stroke !== "string" || width === 0) return false;
  context.strokeStyle = stroke;
  context.lineWidth = width;
  context.lineCap = (object["strokeLineCap"] as CanvasLineCap | undefined) ?? "butt";
  context.lineJoin = (object["strokeLineJoin"] as CanvasLineJoin | undefined) ?? "miter";
  context.miterLimit = numberOr(object["strokeMiterLimit"], 4);
  if (dashed) {
    context.setLineDash(object["strokeDashArray"] as unknown as number[]);
    context.lineDashOffset = numberOr(object["strokeDashOffset"], 0);
  }
  return true;
}
