/**
 * Makes the boards: strokes like handwriting, the same for a seed, both as the product's drawing and as bare points
 * for the pages that have a format of their own.
 */

import type { BoardObject, ObjectId } from "../../../board/drawing.ts";
import { strokeObject } from "../../../web/canvas/input/stroke-object.ts";
import { HEIGHT, WIDTH } from "./subject.ts";

declare global {
  interface Window {
    /** Makes `count` strokes of so many points. */
    makeBoard: (count: number, length: number) => { drawing: string; strokes: string };
  }
}

const COLORS = ["#000000", "#ff0000", "#4ecdc4", "#45b7d1", "#9b59b6", "#2ecc71"];

function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

window.makeBoard = (count, length) => {
  const random = seededRandom(7);
  const objects: BoardObject[] = [];
  const strokes: object[] = [];
  while (objects.length < count) {
    const points: number[] = [];
    let x = 60 + random() * (WIDTH - 120);
    let y = 60 + random() * (HEIGHT - 120);
    let direction = random() * 2 * Math.PI;
    for (let i = 0; i < length; i++) {
      points.push(x, y);
      direction += (random() - 0.5) * 1.4;
      x += 4 * Math.cos(direction);
      y += 4 * Math.sin(direction);
    }
    const color = COLORS[Math.floor(random() * COLORS.length)] as string;
    const object = strokeObject(points, { color, width: 3, eraser: false });
    if (!object) continue;
    const z = objects.length + 1;
    const id = `aaabench-${z}` as ObjectId;
    objects.push({ ...object, id, z } as BoardObject);
    strokes.push({ id, color, points });
  }
  return {
    drawing: JSON.stringify({ version: "7.4.0", objects, background: "white" }),
    strokes: JSON.stringify(strokes),
  };
};
