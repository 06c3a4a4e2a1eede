/** Checks a drawing before every save. */

import { hasSpaceFor, type Board } from "./board.ts";
import { MAX_OBJECTS } from "./limits.ts";
import { drawingChunks, isSource } from "./encode.ts";
import { LIMITS, TEXTS } from "./constants.ts";
import { isRecord } from "./json.ts";

/** `pieces`: the JSON text in parts; `bytes`: its length in UTF-8. */
export type SaveCheck =
  | { readonly ok: true; readonly pieces: readonly string[]; readonly bytes: number }
  | { readonly ok: false; readonly reason: string };

/**
 * Checks in this order that drawing data is an object, that its serialized size is within the limit, and that it has
 * an objects array. `reason` is the text for the person. Never throws.
 */
export function validateForSave(data: unknown): SaveCheck {
  try {
    if (!isRecord(data)) return { ok: false, reason: TEXTS.invalidStructure };
    const json = JSON.stringify(data);
    const bytes = utf8Length(json);
    if (bytes > LIMITS.canvasBytes) return tooLarge(bytes);
    const { objects } = data;
    if (!Array.isArray(objects)) return { ok: false, reason: TEXTS.missingObjects };
    if (objects.length > MAX_OBJECTS) return { ok: false, reason: TEXTS.validationFailed };
    return { ok: true, pieces: [json], bytes };
  } catch {
    return { ok: false, reason: TEXTS.validationFailed };
  }
}

/** Checks a board as `validateForSave` does, with a pause after every `size` objects: the board as it was at the start. */
export function* validateBoard(board: Board, size: number): Generator<void, SaveCheck> {
  if (!hasSpaceFor(board, 0)) return { ok: false, reason: TEXTS.validationFailed };
  const pieces: string[] = [];
  let bytes = 0;
  for (const some of drawingChunks(board, size)) {
    if (pieces.length > 0) yield;
    for (const piece of some) {
      pieces.push(piece);
      bytes += isSource(piece) ? piece.length : utf8Length(piece);
    }
  }
  if (bytes > LIMITS.canvasBytes) return tooLarge(bytes);
  return { ok: true, pieces, bytes };
}

/** The number of bytes of a text in UTF-8. A lone surrogate counts as its replacement character: 3. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  const first = text.search(/[\u0080-\uffff]/);
  if (first < 0) return bytes;
  for (let index = first; index < text.length; index++) {
    const code = text.codePointAt(index) as number;
    if (code >= 0x80) bytes += code < 0x800 ? 1 : 2;
    // A pair has two code units and four bytes.
    if (code > 0xffff) index += 1;
  }
  return bytes;
}

function tooLarge(bytes: number): SaveCheck {
  return { ok: false, reason: TEXTS.dataTooLarge((bytes / 1_048_576).toFixed(2)) };
}
