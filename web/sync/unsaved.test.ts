import { describe, expect, test } from "vitest";
import type { ObjectId } from "../../board/drawing.ts";
import { createUnsaved } from "./unsaved.ts";

const [A, B, C] = ["a-0", "a-1", "b-0"] as ObjectId[] as [ObjectId, ObjectId, ObjectId];

describe("what is not saved", () => {
  test("SAV-6 the count is the number of this page's edits that the row does not hold", () => {
    const unsaved = createUnsaved();
    unsaved.edited([A]);
    unsaved.edited([A, B]);
    unsaved.heard("somebody", 1, [C]);
    expect(unsaved.changes).toBe(2);
    const { moment } = unsaved;
    unsaved.edited([B]);
    unsaved.savedUpTo(moment);
    expect(unsaved.changes).toBe(1);
    expect([...unsaved.own()]).toEqual([B]);
  });

  test("an edit counts as saved when the row holds all its objects", () => {
    const unsaved = createUnsaved();
    unsaved.edited([A, B]);
    const edit = unsaved.moment;
    unsaved.settle((id) => id === A);
    expect(unsaved.isPending(edit)).toBe(true);
    unsaved.settle((id) => id === B);
    expect(unsaved.isPending(edit)).toBe(false);
    expect(unsaved.changes).toBe(0);
  });

  test("what others left behind is known until somebody saved it", () => {
    const unsaved = createUnsaved();
    unsaved.heard("gone", 1, [A]);
    unsaved.heard("gone", 2, [B]);
    expect(unsaved.orphaned(() => true)).toBe(false);
    expect(unsaved.orphaned((id) => id !== "gone")).toBe(true);
    unsaved.savedBy("gone", 1);
    expect(unsaved.all()).toEqual(new Set([B]));
    unsaved.savedBy("gone", 2);
    expect(unsaved.orphaned(() => false)).toBe(false);
    expect(unsaved.changes).toBe(0);
  });
});
