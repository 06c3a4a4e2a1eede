/** The drawing of a visitor in these tests: horizontal black strokes, known by their heights. */

import type { Drawing } from "../../board/drawing.ts";
import { EVENTS } from "../../board/messages.ts";
import { parseDrawing } from "../../board/parse.ts";
import { expect } from "../fixtures.ts";
import type { Person } from "../person.ts";
import type { Product } from "../product.ts";
import type { Attacker } from "./attacker.ts";

/** A drawing without an object, as a plain client writes it. */
export const EMPTY = { version: "7.4.0", objects: [], background: "white" };

/** Draws a horizontal stroke at each of the heights. */
export async function drawLines(person: Person, heights: readonly number[]): Promise<void> {
  for (const y of heights) await person.stroke([200, y], [420, y]);
}

/** Waits until a visitor sees the strokes of `drawLines`. */
export async function expectLines(person: Person, heights: readonly number[]): Promise<void> {
  for (const y of heights)
    await expect.poll(() => person.colorAt([300, y]), { timeout: 40_000 }).toBe("#000000");
}

/**
 * Expects that a page that opens the row now reads the strokes of `drawLines` in it, which takes a fraction of a visit:
 * such a page has nothing else, and its board becomes what it reads.
 */
export async function expectReadable(
  product: Product,
  heights: readonly number[],
): Promise<Drawing> {
  const read = parseDrawing((await product.row())?.canvas_json);
  if (!read.ok) throw new Error(`the row cannot be read: ${read.reason}`);
  const stroke = { type: "Path", stroke: "#000000", left: 198.5 };
  const strokes = heights.map(
    (y) => expect.objectContaining({ ...stroke, top: y - 1.5 }) as object,
  );
  expect(read.drawing.objects).toEqual(expect.arrayContaining(strokes));
  return read.drawing;
}

/** Returns the number of objects in the row. */
export async function objectsOf(product: Product): Promise<number> {
  const objects: unknown = (await product.row())?.canvas_json.objects;
  return Array.isArray(objects) ? objects.length : 0;
}

/** Returns the author in the ids of the objects that a visitor has broadcast. */
export async function authorOfVisitor(attacker: Attacker): Promise<string> {
  const find = (): string | undefined => {
    for (const { json } of attacker.received) {
      const id = (json as { objects?: { id?: string }[] } | undefined)?.objects?.[0]?.id;
      if (id !== undefined) return id.split("-")[0];
    }
    return undefined;
  };
  await expect.poll(find, { timeout: 10_000 }).toBeDefined();
  return find() as string;
}

/** Returns a partial drawing in the page's own format: it adds objects, and claims that its sender has observed others. */
export function partialDrawing(objects: readonly object[], observed: object = {}): object {
  return { ...EMPTY, objects, inkpool: { format: 1, seen: observed, partial: true } };
}

/** A pixel of the square of `sendMark`. */
const MARK = [605, 605] as const;

/** Sends a small green square and waits until a visitor sees it: earlier messages have arrived by then. */
export async function sendMark(attacker: Attacker, person: Person): Promise<void> {
  const mark = {
    ...{ type: "Rect", id: "attacker-0", originX: "left", originY: "top", fill: "#00ff00" },
    ...{ left: 600, top: 600, width: 10, height: 10, z: 1_000_000 },
  };
  const json = partialDrawing([mark]);
  await attacker.send(EVENTS.update, { json, clientId: "attacker0000" });
  await expect.poll(() => person.colorAt(MARK), { timeout: 90_000 }).toBe("#00ff00");
}
