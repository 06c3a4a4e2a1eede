/** Paints items into a context, with the same picture as Fabric 7 gives the same object. */

import type { BoardObject } from "../../board/drawing.ts";
import { RecentMap } from "./cache.ts";
import type { Item } from "./item.ts";
import { isVisible } from "./item.ts";
import { invert, type Matrix, multiply } from "./matrix.ts";
import { numberOr } from "./place.ts";

/** Paths are made again from their data when they were not used lately: 10,000 of them would be most of the page's memory. */
const MOST_PATHS = 2000;

/** A quarter of a circle as a cubic, as Fabric rounds the corners of a rectangle. */
const KAPPA = 1 - 0.5522847498;

export class Painter {
  private readonly paths = new RecentMap<string, Path2D>(MOST_PATHS);

  /** Paints an item into a context whose transform is the viewport's. `matrix` is where it is, if not at its own place. */
  paint(context: CanvasRenderingContext2D, item: Item, matrix: Matrix = item.matrix): void {
    const { object, shape } = item;
    if (!isVisible(object)) return;
    context.save();
    if (shape.kind === "guest") {
      if (matrix !== item.matrix) {
        const back = invert(item.matrix);
        if (back) context.transform(...multiply(matrix, back));
      }
      shape.guest?.paint(context);
      context.restore();
      return;
    }
    context.transform(...matrix);
    const composite = object["globalCompositeOperation"];
    if (typeof composite === "string")
      context.globalCompositeOperation = composite as GlobalCompositeOperation;
    context.globalAlpha = numberOr(object["opacity"], 1);
    const path = this.outline(context, item);
    if (object["paintFirst"] === "stroke") {
      strokePath(context, object, path);
      fillPath(context, object, path);
    } else {
      fillPath(context, object, path);
      strokePath(context, object, path);
    }
    context.restore();
  }

  clear(): void {
    this.paths.clear();
  }

  /** The path to fill and stroke; undefined when it is the context's own. */
  private outline(context: CanvasRenderingContext2D, item: Item): Path2D | undefined {
    const { object, shape } = item;
    if (shape.kind === "path") {
      const known = this.paths.get(shape.data);
      if (known) return known;
      const made = new Path2D(shape.data);
      this.paths.set(shape.data, made);
      return made;
    }
    context.beginPath();
    if (shape.kind === "circle") traceCircle(context, object);
    else traceRectangle(context, object);
    return undefined;
  }
}

function traceCircle(context: CanvasRenderingContext2D, object: BoardObject): void {
  const turn = Math.PI / 180;
  context.arc(
    0,
    0,
    numberOr(object["radius"], 0),
    numberOr(object["startAngle"], 0) * turn,
    numberOr(object["endAngle"], 360) * turn,
    object["counterClockwise"] === true,
  );
}

function traceRectangle(context: CanvasRenderingContext2D, object: BoardObject): void {
  const w = numberOr(object["width"], 0);
  const h = numberOr(object["height"], 0);
  const x = -w / 2;
  const y = -h / 2;
  // Fabric: one radius given stands for both.
  const rx = Math.min(numberOr(object["rx"], 0) || numberOr(object["ry"], 0), w / 2);
  const ry = Math.min(numberOr(object["ry"], 0) || numberOr(object["rx"], 0), h / 2);
  if (rx === 0 && ry === 0) {
    context.rect(x, y, w, h);
    return;
  }
  const kx = KAPPA * rx;
  const ky = KAPPA * ry;
  context.moveTo(x + rx, y);
  context.lineTo(x + w - rx, y);
  context.bezierCurveTo(x + w - kx, y, x + w, y + ky, x + w, y + ry);
  context.lineTo(x + w, y + h - ry);
  context.bezierCurveTo(x + w, y + h - ky, x + w - kx, y + h, x + w - rx, y + h);
  context.lineTo(x + rx, y + h);
  context.bezierCurveTo(x + kx, y + h, x, y + h - ky, x, y + h - ry);
  context.lineTo(x, y + ry);
  context.bezierCurveTo(x, y + ky, x + kx, y, x + rx, y);
  context.closePath();
}

function fillPath(
  context: CanvasRenderingContext2D,
  object: BoardObject,
  path: Path2D | undefined,
): void {
  const fill = object["fill"] === undefined ? "rgb(0,0,0)" : object["fill"];
  if (typeof fill !== "string" || fill === "") return;
  context.fillStyle = fill;
  const rule = object["fillRule"] === "evenodd" ? "evenodd" : "nonzero";
  if (path) context.fill(path, rule);
  else context.fill(rule);
}

function strokePath(
  context: CanvasRenderingContext2D,
  object: BoardObject,
  path: Path2D | undefined,
): void {
  const stroke = object["stroke"];
  const width = numberOr(object["strokeWidth"], 1);
  if (typeof stroke !== "string" || stroke === "" || width === 0) return;
  context.strokeStyle = stroke;
  context.lineWidth = width;
  context.lineCap = (object["strokeLineCap"] as CanvasLineCap | undefined) ?? "butt";
  context.lineJoin = (object["strokeLineJoin"] as CanvasLineJoin | undefined) ?? "miter";
  context.miterLimit = numberOr(object["strokeMiterLimit"], 4);
  const dashes = object["strokeDashArray"];
  if (Array.isArray(dashes) && dashes.length > 0) {
    context.setLineDash(dashes as number[]);
    context.lineDashOffset = numberOr(object["strokeDashOffset"], 0);
  }
  if (path) context.stroke(path);
  else context.stroke();
}
