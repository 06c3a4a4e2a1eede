/** Makes the boards: strokes of 40 points like handwriting, the same for a seed. */

import type { BoardObject, ObjectId } from "../../../board/drawing.ts";
import { strokeObject } from "../../../web/canvas/pen.ts";
import { HEIGHT, WIDTH } from "./subject.ts";

declare global {
  interface Window {
    makeBoard: (count: number) => string;
  }
}

const COLORS = ["#000000", "#ff0000", "#4ecdc4", "#45b7d1", "#9b59b6", "#2ecc71"];

function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

window.makeBoard = (count) => {
  const random = dice(7);
  const objects: BoardObject[] = [];
  while (objects.length < count) {
    const points: number[] = [];
    let x = 60 + random() * (WIDTH - 120);
    let y = 60 + random() * (HEIGHT - 120);
    let direction = random() * 2 * Math.PI;
    for (let i = 0; i < 40; i++) {
      points.push(x, y);
      direction += (random() - 0.5) * 1.4;
      x += 4 * Math.cos(direction);
      y += 4 * Math.sin(direction);
    }
    const color = COLORS[Math.floor(random() * COLORS.length)] as string;
    const object = strokeObject(points, { color, width: 3, eraser: false });
    if (!object) continue;
    const z = objects.length + 1;
    objects.push({ ...object, id: `aaabench-${z}` as ObjectId, z } as BoardObject);
  }
  return JSON.stringify({ version: "7.4.0", objects, background: "white" });
};
