import { describe, expect, test } from "vitest";
import { makeAuthor } from "./author.ts";
import { createBoard, hasSpaceFor, type Board } from "./board.ts";
import type { NewObject } from "./drawing.ts";
import { addObjects } from "./edit.ts";
import { toDrawing } from "./encode.ts";
import { parseDrawing } from "./parse.ts";
import { utf8Length, validateBoard, validateForSave, type SaveCheck } from "./validate.ts";

const LIMIT = 10 * 1024 * 1024;

/** Drawing data whose JSON has exactly so many bytes. */
function dataOf(bytes: number, char = "x"): object {
  const shell = JSON.stringify({ objects: [""] }).length;
  const size = new TextEncoder().encode(char).length;
  const rest = (bytes - shell) % size;
  return { objects: [char.repeat((bytes - shell - rest) / size) + "y".repeat(rest)] };
}

describe("before every save", () => {
  test("DAT-1 data that is no object, is too large, or has no objects array is refused, in this order", () => {
    for (const data of [null, undefined, [], [{}], "text", 5, true, () => ({ objects: [] })]) {
      expect(validateForSave(data)).toEqual({ ok: false, reason: "Invalid canvas data structure" });
    }
    for (const data of [{}, { objects: {} }, { objects: null }, { objects: "[]" }]) {
      const reason = "Canvas data missing required objects array";
      expect(validateForSave(data)).toEqual({ ok: false, reason });
    }
    const both = { items: "x".repeat(LIMIT) };
    expect(validateForSave(both)).toMatchObject({ reason: expect.stringContaining("too large") });
    const data = { objects: [], background: "white" };
    const json = '{"objects":[],"background":"white"}';
    expect(validateForSave(data)).toEqual({ ok: true, pieces: [json], bytes: json.length });
  });

  test("DAT-1 the serialized drawing has at most 10 MB of UTF-8; the message gives the size with two decimals", () => {
    expect(validateForSave(dataOf(LIMIT))).toMatchObject({ ok: true, bytes: LIMIT });
    expect(validateForSave(dataOf(LIMIT, "€"))).toMatchObject({ ok: true, bytes: LIMIT });
    const reason = (size: string): object => ({
      ok: false,
      reason: `Canvas data too large (${size}MB). Maximum is 10MB.`,
    });
    expect(validateForSave(dataOf(LIMIT + 1))).toEqual(reason("10.00"));
    expect(validateForSave(dataOf(LIMIT + 1, "🎉"))).toEqual(reason("10.00"));
    expect(validateForSave(dataOf(12_950_000))).toEqual(reason("12.35"));
  });

  test("DAT-1 any other failure has a message of its own", () => {
    const cycle: Record<string, unknown> = { objects: [] };
    cycle["self"] = cycle;
    const broken = { objects: [1n] };
    const vanishing = { objects: [], toJSON: () => undefined };
    const throwing = {
      get objects(): never {
        throw new Error("no");
      },
    };
    for (const data of [cycle, broken, vanishing, throwing]) {
      expect(validateForSave(data)).toEqual({
        ok: false,
        reason: "Failed to validate canvas data",
      });
    }
  });

  test("DAT-6 a board of more than 100,000 objects, those in groups included, is not written", () => {
    const board = createBoard();
    const parts = Array.from({ length: 49_999 }, () => ({ type: "Rect", width: 1, height: 1 }));
    const group = { type: "Group", objects: parts } as unknown as NewObject;
    addObjects(board, makeAuthor(2500, "ann"), [group, group]);
    expect(hasSpaceFor(board, 0)).toBe(true);
    expect(hasSpaceFor(board, 1)).toBe(false);
    expect(parseDrawing(toDrawing(board)).ok).toBe(true);
    addObjects(board, makeAuthor(2500, "ann"), [{ type: "Rect" }]);
    const refused = { ok: false, reason: "Failed to validate canvas data" };
    expect(runToEnd(board, 100).check).toEqual(refused);
    expect(parseDrawing(toDrawing(board)).ok).toBe(false);
    const many = { objects: Array.from({ length: 100_001 }, () => 0) };
    expect(validateForSave(many)).toEqual(refused);
  });

  test("DAT-1 sizes are counted in bytes of UTF-8", () => {
    for (const text of [
      "",
      "abc",
      "é€",
      "🎉",
      "a\ud800b",
      "\udc00",
      "\ud83c",
      "日本語 🐱‍👤 ñ",
      "\u07ff\u0800\uffff",
    ]) {
      expect(utf8Length(text), JSON.stringify(text)).toBe(new TextEncoder().encode(text).length);
    }
  });

  test("DAT-1 a board is checked piece by piece with the same outcome", () => {
    const board = createBoard();
    const text = "🎉".repeat(2500);
    const texts = Array.from({ length: 40 }, () => ({ type: "IText", text }) as const);
    addObjects(board, makeAuthor(2500, "ann"), texts);
    const pauses = runToEnd(board, 10);
    expect(pauses.check).toEqual(validateForSave(toDrawing(board)));
    expect(pauses.count).toBe(3);
    addObjects(board, makeAuthor(2500, "ann"), [
      { type: "Image", src: "data:image/png;base64,iVBO", width: 4, height: 3, alt: "é" },
    ]);
    expect(runToEnd(board, 10).check).toMatchObject({
      bytes: utf8Length(JSON.stringify(toDrawing(board))),
    });
    for (let more = 0; more < 26; more++) addObjects(board, makeAuthor(2500, "bob"), texts);
    expect(runToEnd(board, 100).check).toEqual(validateForSave(toDrawing(board)));
    expect(runToEnd(board, 100).check.ok).toBe(false);
  });
});

function runToEnd(
  board: Board,
  size: number,
): { readonly check: SaveCheck; readonly count: number } {
  const slices = validateBoard(board, size);
  for (let count = 0; ; count++) {
    const step = slices.next();
    if (step.done !== true) continue;
    const { value: check } = step;
    return { check: check.ok ? { ...check, pieces: [check.pieces.join("")] } : check, count };
  }
}
