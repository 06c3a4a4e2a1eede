/** Puts objects that come from outside onto the board: pasted or opened. */

import { toast } from "sonner";
import type { NewObject } from "../../board/drawing.ts";
import { numberOr } from "../canvas/transform.ts";
import type { Controller } from "./controller.ts";
import { type DrawingInput, readDrawingText, textAsObject } from "./drawing-input.ts";

/** Pasted objects lie so far beside where they were, in board pixels, when no pointer says where. */
const BESIDE = 20;

const PICTURES = "Pictures can't be added yet.";

/** Takes files that were pasted or dropped: drawings are opened, others refused with a notice. */
export async function takeFiles(controller: Controller, files: readonly File[]): Promise<void> {
  for (const file of files) {
    if (/json$/i.test(file.type) || /\.json$/i.test(file.name)) await openFile(controller, file);
    else toast.error(PICTURES, { id: PICTURES });
  }
}

/** Pastes objects that were copied from a board. */
export async function pasteObjects(controller: Controller, text: string): Promise<void> {
  await insert(controller, readDrawingText(text), controller.canvas?.pointerAt ?? null);
}

/** Pastes a plain text, in the visitor's colour. */
export async function pasteText(controller: Controller, text: string): Promise<void> {
  const object = textAsObject(text, controller.color.get());
  const at = controller.canvas?.pointerAt ?? controller.canvas?.middle ?? null;
  const objects = object ? [object] : [];
  await insert(controller, { ok: true, objects, reasons: [], leftOut: 0 }, at);
}

/** Adds the drawing of a file, in the middle of the view. A notice says what came and what did not. */
export async function openFile(controller: Controller, file: File): Promise<void> {
  const input = readDrawingText(await file.text());
  const added = await insert(controller, input, controller.canvas?.middle ?? null);
  if (!added || !input.ok) return;
  const left =
    input.leftOut > 0 ? ` ${input.leftOut} could not be read: ${listed(input.reasons)}.` : "";
  toast.success(`${count(input.objects.length)} added from ${file.name}.${left}`, { id: "opened" });
}

/** `at`: where the middle of the objects comes; null: beside where they were. False when nothing was added, as on a full board. */
async function insert(
  controller: Controller,
  input: DrawingInput,
  at: { readonly x: number; readonly y: number } | null,
): Promise<boolean> {
  if (!input.ok) {
    toast.error(`This cannot be added: ${input.reason}.`, { id: "input" });
    return false;
  }
  if (input.objects.length === 0) {
    if (input.leftOut > 0)
      toast.error(`Nothing of this could be read: ${listed(input.reasons)}.`, { id: "input" });
    return false;
  }
  const { boxOfObjects } = await import("../canvas/picture.ts");
  const box = at && (await boxOfObjects(input.objects));
  const dx = at && box ? at.x - (box.left + box.right) / 2 : BESIDE;
  const dy = at && box ? at.y - (box.top + box.bottom) / 2 : BESIDE;
  const before = controller.objects().length;
  controller.addObjects(input.objects.map((object) => moved(object, dx, dy)));
  return controller.objects().length > before;
}

function moved(object: NewObject, dx: number, dy: number): NewObject {
  const left = numberOr(object["left"], 0) + dx;
  const top = numberOr(object["top"], 0) + dy;
  return { ...object, left: Math.round(left * 10) / 10, top: Math.round(top * 10) / 10 };
}

function count(objects: number): string {
  return objects === 1 ? "1 object" : `${objects} objects`;
}

function listed(reasons: readonly string[]): string {
  return reasons.slice(0, 3).join(", ");
}
