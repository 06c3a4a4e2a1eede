/** The product's board as a subject of the comparison, and the strokes that all subjects get. */

import { createBoard, digest, getObject, stackedObjects, type Board } from "../../board/board.ts";
import type { Author, BoardObject, NewObject, ObjectId } from "../../board/drawing.ts";
import { addObjects, removeObjects } from "../../board/edit.ts";
import { compactContext } from "../../board/compact-context.ts";
import { toDrawing, toPartial } from "../../board/encode.ts";
import { mergeInto } from "../../board/merge.ts";
import { parseUpdate } from "../../board/messages.ts";
import { parseDrawing } from "../../board/parse.ts";
import { encodePath, thinStroke } from "../../board/path.ts";

export interface Stroke {
  /** The fields that the product stores of it, without its id. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The same path as flat numbers: x0, y0, x1, y1 ... */
  readonly points: readonly number[];
}

const COLORS = ["#000000", "#ff0000", "#4ecdc4", "#45b7d1", "#9b59b6", "#2ecc71"];
const POINTS = 40;
const WIDTH = 3;
/** The same tolerance as in web/canvas/input/stroke-object.ts. */
const TOLERANCE = 0.25;
/** A client id as long as the page's. */
const CLIENT_ID = "0f8fad5b-d9cd-469f-a165-70867728950e";

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Makes strokes of 40 points like handwriting, the same for a seed. */
export function makeStrokes(count: number, seed: number): Stroke[] {
  const random = seeded(seed);
  const board = createBoard();
  return Array.from({ length: count }, () => {
    const points: number[] = [];
    let x = 60 + random() * 1800;
    let y = 60 + random() * 900;
    let direction = random() * 2 * Math.PI;
    for (let index = 0; index < POINTS; index++) {
      points.push(tenths(x), tenths(y));
      direction += (random() - 0.5) * 1.4;
      x += 4 * Math.cos(direction);
      y += 4 * Math.sin(direction);
    }
    const color = COLORS[Math.floor(random() * COLORS.length)] as string;
    const thin = thinStroke(points, TOLERANCE);
    const [added] = addObjects(board, "aaabench" as Author, [toObject(thin, color)]).added;
    const { id: _, ...fields } = added as BoardObject;
    return { fields, points: thin };
  });
}

/** Makes the object that `strokeObject` of the page would; its corner is that of the points. */
function toObject(points: readonly number[], color: string): NewObject {
  const even = points.filter((_, index) => index % 2 === 0);
  const odd = points.filter((_, index) => index % 2 === 1);
  return {
    type: "Path",
    path: encodePath(points),
    left: tenths(Math.min(...even) - WIDTH / 2),
    top: tenths(Math.min(...odd) - WIDTH / 2),
    originX: "left",
    originY: "top",
    fill: null,
    stroke: color,
    strokeWidth: WIDTH,
    strokeLineCap: "round",
    strokeLineJoin: "round",
  };
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}

interface State {
  readonly board: Board;
  readonly author: Author;
  /** The number of sent updates. */
  count: number;
}

function take(board: Board, json: unknown): void {
  const parsed = parseDrawing(json);
  if (!parsed.ok) throw new Error(parsed.reason);
  mergeInto(board, parsed.drawing);
}

/** The board in Fabric JSON; its messages and rows are JSON text. */
export const ours = {
  open(saved: string | null, author: string): State {
    const board = createBoard();
    if (saved !== null) take(board, saved);
    return { board, author: author as Author, count: 0 };
  },
  add(state: State, { fields }: Stroke) {
    const { board, author } = state;
    const { z: _, ...object } = fields;
    const [added] = addObjects(board, author, [object as NewObject]).added;
    const { id } = added as BoardObject;
    const message = JSON.stringify({
      json: toPartial(board, [id]),
      clientId: CLIENT_ID,
      digest: digest(board),
      n: ++state.count,
    });
    return { id, message };
  },
  remove(state: State, id: ObjectId) {
    removeObjects(state.board, [id]);
  },
  receive({ board }: State, message: string) {
    const update = parseUpdate(JSON.parse(message));
    if (!update.ok) throw new Error(update.reason);
    take(board, update.value.json);
  },
  read: ({ board }: State, id: ObjectId) => getObject(board, id),
  readAll: ({ board }: State) => stackedObjects(board),
  save({ board }: State) {
    compactContext(board);
    return JSON.stringify(toDrawing(board));
  },
};
