import { describe, expect, test } from "vitest";
import { parseDrawing } from "./parse.ts";

const rect = { type: "Rect", width: 10, height: 10 } as const;

describe("a drawing's claims about other objects", () => {
  test("MRG-15 a malformed causal context, or one of more than 100,000 runs, removes nothing", () => {
    const object = { ...rect, id: "abc-7", z: 1 };
    for (const inkpool of [
      null,
      5,
      { format: 2, seen: { abc: 9 } },
      { format: 1 },
      { format: 1, seen: { abc: -1 } },
    ]) {
      const parsed = parseDrawing({ objects: [object], inkpool });
      expect(parsed).toMatchObject({ ok: true, foreign: false, faults: [{ index: -1 }] });
      expect(parsed.ok && parsed.drawing.inkpool.seen).toEqual({});
      expect(parsed.ok && parsed.drawing.objects).toEqual([object]);
    }
    const context = { abc: Array.from({ length: 200_002 }, (_, at) => at * 2) };
    const flood = parseDrawing({ objects: [object], inkpool: { format: 1, seen: context } });
    expect(flood).toMatchObject({
      ok: true,
      drawing: { objects: [object], inkpool: { format: 1, seen: {} } },
      faults: [{ index: -1, reason: "too many runs in seen" }],
    });
    const authors = Object.fromEntries(Array.from({ length: 20_001 }, (_, at) => [`a${at}`, 1]));
    expect(parseDrawing({ objects: [], inkpool: { format: 1, seen: authors } }).ok).toBe(true);
  });

  test("DAT-27 an object left out is unknown: the drawing makes no claim about it, and it can be written back", () => {
    const bad = { ...rect, id: "abc-4", left: "x" };
    const newer = { type: "Arrow", id: "abd-0", life: 2 };
    const parsed = parseDrawing({
      objects: [{ ...rect, id: "abc-1" }, bad, newer, null],
      inkpool: { format: 1, seen: { abc: 9, abd: [[0, 0, 2]] } },
    });
    expect(parsed).toMatchObject({ ok: true, leftOut: 3, unreadable: [bad, newer] });
    expect(parsed.ok && parsed.drawing.inkpool.seen).toEqual({ abc: [0, 3, 5, 9] });
  });
});
