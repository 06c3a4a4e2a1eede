/** Claims of what a participant's page was seen to draw, and whether the row contains it. */

import { authorOf, sequenceOf } from "../../board/author.ts";
import { decodeContext, knownIncarnation } from "../../board/causal-context.ts";
import type { Author, BoardObject, Drawing, Group, ObjectId } from "../../board/drawing.ts";
import { parseDrawing } from "../../board/parse.ts";
import { BrokenPromise } from "./honest-strokes.ts";
import type { TestBed } from "./test-bed.ts";

/** An object that a participant's page was seen to draw, which the saved row has to contain in the end. */
export interface Claim {
  readonly id: ObjectId;
  readonly incarnation: number;
  readonly stamps: BoardObject["stamps"];
}

/** The text of a row that was read last, and its drawing: rows are read more often than they change. */
let last: { readonly text: string; readonly drawing: Drawing } | null = null;

/** Returns the drawing of the row. */
export function readRow({ backend }: TestBed): Drawing | null {
  if (!backend.row) return null;
  const { text } = backend.row;
  if (last?.text === text) return last.drawing;
  const parsed = parseDrawing(text);
  if (!parsed.ok) throw new BrokenPromise(parsed.reason);
  last = { text, drawing: parsed.drawing };
  return parsed.drawing;
}

/** Whether the row contains the object with these versions or greater ones, or knows of its removal. */
export function isIn(row: Drawing | null, { id, incarnation, stamps }: Claim): boolean {
  if (!row) return false;
  const object = row.objects.find((candidate) => candidate.id === id);
  if (!object) {
    const context = decodeContext(row.inkpool.seen);
    return knownIncarnation(context, authorOf(id), sequenceOf(id)) >= incarnation;
  }
  if ((object.life ?? 0) !== incarnation) return (object.life ?? 0) > incarnation;
  const groups = Object.keys(stamps ?? {}) as Group[];
  return groups.every((group) => {
    const [version, author] = object.stamps?.[group] ?? [0, "" as Author];
    const [claimed, claimer] = stamps?.[group] ?? [0, "" as Author];
    return version > claimed || (version === claimed && author >= claimer);
  });
}
