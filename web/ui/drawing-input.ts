/** Reads what comes into the page from outside: a pasted or opened text, through the parser of all drawings. */

import { LIMITS, TEXT_FONT } from "../../board/constants.ts";
import type { NewObject } from "../../board/drawing.ts";
import { parseDrawing } from "../../board/parse.ts";
import { withoutOwnFields } from "./fabric-json.ts";

/** Lines between two texts. */
const MAX_LINES = 500;

export type DrawingInput =
  | {
      readonly ok: true;
      readonly objects: readonly NewObject[];
      /** Why objects were left out, each reason once. */
      readonly reasons: readonly string[];
      /** How many were left out. */
      readonly leftOut: number;
    }
  | { readonly ok: false; readonly reason: string };

/** The objects of a drawing in Fabric's JSON, ours or another program's. Never throws. */
export function readDrawingText(text: string): DrawingInput {
  if (new TextEncoder().encode(text).length > LIMITS.canvasBytes)
    return { ok: false, reason: "it is larger than 10 MB" };
  const parsed = parseDrawing(text);
  if (!parsed.ok) return { ok: false, reason: `it is no drawing: ${parsed.reason}` };
  return {
    ok: true,
    objects: parsed.drawing.objects.map(withoutOwnFields),
    reasons: [
      ...new Set(parsed.faults.filter(({ index }) => index >= 0).map(({ reason }) => reason)),
    ],
    leftOut: parsed.leftOut,
  };
}

/** A plain text as an object of the board, in a colour (CSS); null for one without words. */
export function textAsObject(text: string, color: string): NewObject | null {
  const words = text.replaceAll(/\r\n?/g, "\n").split("\n").slice(0, MAX_LINES).join("\n").trim();
  if (words === "") return null;
  return {
    type: "IText",
    text: words,
    left: 0,
    top: 0,
    originX: "left",
    originY: "top",
    fontSize: LIMITS.textSize,
    fontFamily: TEXT_FONT,
    fill: color,
  };
}
