import { expect, test } from "vitest";
import type { BoardObject } from "../../../board/drawing.ts";
import { awayLabel, awayTitle, createAwayChanges } from "./away-changes.ts";

const some = (...ids: string[]) => ids.map((id) => ({ type: "Rect", id, z: 0 }) as BoardObject);
const NOTHING = { added: [], changed: [], removed: [] };

test("UI-47 while the page is hidden objects are counted once, by their net change", () => {
  const away = createAwayChanges();
  away.add({ ...NOTHING, added: some("a-1", "a-2", "a-3"), changed: some("b-1") });
  away.add({ ...NOTHING, changed: some("a-1", "b-1", "b-2"), removed: some("a-2", "b-3", "b-4") });
  away.add({ ...NOTHING, added: some("b-4"), removed: some("b-2") });
  expect(away.count).toBe(6);
  const counts = away.take();
  expect(counts).toEqual({ added: 2, removed: 2, changed: 2 });
  expect(awayLabel(counts)).toBe("While you were away: 2 added, 2 removed, 2 changed");
  expect(away.count).toBe(0);
  expect(awayLabel(away.take())).toBeNull();
  expect(awayLabel({ added: 0, removed: 12_000, changed: 0 })).toBe(
    "While you were away: 12,000 removed",
  );
});

test("UI-40 the title counts while the page is hidden, and is the product's name otherwise", () => {
  expect(awayTitle("Inkpool", 3, true)).toBe("(3) Inkpool");
  expect(awayTitle("Inkpool", 0, true)).toBe("Inkpool");
  expect(awayTitle("Inkpool", 3, false)).toBe("Inkpool");
});
