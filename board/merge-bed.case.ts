import { makeAuthor } from "./author.ts";
import type { Board } from "./board.ts";
import type { Author, Drawing, ObjectId } from "./drawing.ts";
import { addObjects } from "./edit.ts";
import { parseDrawing } from "./parse.ts";

export const ann = makeAuthor(2500, "ann");

export const rect = {
  type: "Rect",
  originX: "left",
  originY: "top",
  width: 10,
  height: 10,
} as const;

/** Adds rectangles; returns their ids. */
export function add(board: Board, author: Author, count = 1): ObjectId[] {
  const objects = Array.from({ length: count }, () => rect);
  return addObjects(board, author, objects).added.map(({ id }) => id);
}

export function first(board: Board, author: Author): ObjectId {
  return add(board, author)[0] as ObjectId;
}

export function parsed(input: unknown): Drawing {
  const result = parseDrawing(input);
  if (!result.ok) throw new Error(result.reason);
  return result.drawing;
}

/** Returns a drawing as it arrives on the wire. */
export function ours(objects: readonly object[], context: object = {}): object {
  return { version: "7.4.0", objects, background: "white", inkpool: { format: 1, seen: context } };
}
