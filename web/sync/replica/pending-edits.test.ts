import { describe, expect, test } from "vitest";
import type { ObjectId } from "../../../board/drawing.ts";
import { createPendingEdits } from "./pending-edits.ts";

const [A, B, C] = ["a-0", "a-1", "b-0"] as ObjectId[] as [ObjectId, ObjectId, ObjectId];

describe("pending edits", () => {
  test("SAV-21 the count is the number of this page's edits that the row does not contain", () => {
    const pending = createPendingEdits();
    pending.addEdit([A]);
    pending.addEdit([A, B]);
    pending.addPeerUpdate("peer", [C]);
    expect(pending.count).toBe(2);
    const { revision } = pending;
    pending.addEdit([B]);
    pending.savedUpTo(revision);
    expect(pending.count).toBe(1);
    expect([...pending.ownIds()]).toEqual([B]);
  });

  test("an edit counts as saved when the row contains all its objects", () => {
    const pending = createPendingEdits();
    pending.addEdit([A, B]);
    const edit = pending.revision;
    expect([...pending.ownIds()]).toEqual([A, B]);
    pending.settle((id) => id === A);
    expect([...pending.ownIds()]).toEqual([B]);
    expect(pending.isPending(edit)).toBe(true);
    pending.settle((id) => id === B);
    expect(pending.isPending(edit)).toBe(false);
    expect(pending.count).toBe(0);
  });

  test("SAV-21 an edit that touched no object is pending until a save, whatever the row contains", () => {
    const pending = createPendingEdits();
    pending.addEdit([]);
    pending.settle(() => true);
    expect(pending.count).toBe(1);
    pending.savedUpTo(pending.revision);
    expect(pending.count).toBe(0);
  });

  test("a departed peer's edit is pending until a client saved it", () => {
    const pending = createPendingEdits();
    pending.addPeerUpdate("gone", [A]);
    pending.addPeerUpdate("gone", [B]);
    expect(pending.hasOrphans(() => true)).toBe(false);
    expect(pending.hasOrphans((id) => id !== "gone")).toBe(true);
    pending.settle((id) => id === A);
    expect(pending.allIds()).toEqual(new Set([B]));
    pending.savedUpTo(pending.revision);
    expect(pending.hasOrphans(() => false)).toBe(false);
    expect(pending.count).toBe(0);
  });

  test("MRG-19 an object that this page made is unsent until a message or a save contained it", () => {
    const pending = createPendingEdits();
    let calls = 0;
    pending.onSent(() => (calls += 1));
    pending.addEdit([A, B, C], [A, B]);
    expect(pending.unsentIds()).toEqual(new Set([A, B]));
    pending.markSent([A, C]);
    pending.markSent([C]);
    expect(calls).toBe(1);
    pending.addEdit([A, B]);
    expect([...pending.unsentIds()]).toEqual([B]);
  });
});
