import { describe, expect, test } from "vitest";
import type { BoardChanges, BoardObject, ObjectId } from "../../../board/drawing.ts";
import type { Origin } from "../../sync/port.ts";
import { actionKind, actionLabel } from "./action-label.ts";

function object(number: number, more: Partial<BoardObject> = {}): BoardObject {
  return {
    type: "Rect",
    id: `me-${number}` as ObjectId,
    z: number,
    left: 100,
    top: 100,
    width: 150,
    height: 100,
    ...more,
  };
}

const BOARD = [object(0), object(1, { type: "Path", eraser: true }), object(2)];

function edit(changes: Partial<BoardChanges>, origin: Origin = "local", selected = 1): string {
  const all = { added: [], changed: [], removed: [], ...changes };
  return actionLabel({ kind: "edit", changes: all, origin }, BOARD, selected);
}

describe("UI-15 a visitor's action is one sentence", () => {
  test("additions: the position, and the height in the stack of a selected object", () => {
    expect(edit({ added: [object(2, { left: 90 })] })).toBe(
      "Black rectangle, 150 by 100, added at 90, 100, selected. 2 of 2.",
    );
    // The second object covers the first one.
    expect(edit({ added: [object(2)] })).toBe(
      "Black rectangle, 150 by 100, added at 100, 100, on top of another like it, selected. 2 of 2.",
    );
    expect(edit({ added: [object(2)] }, "local", 0)).toBe(
      "Black rectangle, 150 by 100, added at 100, 100, on top of another like it.",
    );
    expect(edit({ added: [object(2, { type: "Path", left: 12.6 })] })).toBe(
      "Black stroke, added at 13, 100.",
    );
    expect(edit({ added: [object(1, { type: "Path", eraser: true })] })).toBe(
      "Eraser stroke, added at 100, 100.",
    );
    expect(edit({ added: BOARD })).toBe("3 objects added.");
  });

  test("deletions: how many", () => {
    expect(edit({ removed: [object(0)] })).toBe("1 object deleted.");
    expect(edit({ removed: [object(0), object(2)] })).toBe("2 objects deleted.");
  });

  test.each([
    [{ left: 200, top: 200 }, "Moved to 200, 200."],
    [{ scaleX: 1.5, left: 90 }, "Resized to 150 % by 100 %."],
    [{ angle: -15, left: 90 }, "Turned to 345 degrees."],
    [{ text: "hello" }, "Text changed."],
    [{ fill: "#ff0000" }, "Colour changed."],
    [{ stroke: "#ff0000" }, "Colour changed."],
    [{ z: 9 }, "Brought to another layer."],
    [{ opacity: 0.5 }, "Changed."],
  ])("a change: %j", (props, sentence) => {
    expect(edit({ changed: [object(0, props)], before: [object(0)] })).toBe(sentence);
  });

  test("changes of several objects, and one whose state before is unknown", () => {
    const changed = [object(0, { left: 1 }), object(2, { left: 2 })];
    expect(edit({ changed, before: [object(0), object(2)] })).toBe("2 objects moved.");
    expect(edit({ changed: [object(0)] })).toBe("Changed.");
  });

  test("undo and redo name the undone or redone action", () => {
    const moved = { changed: [object(0)], before: [object(0, { left: 5 })] };
    expect(edit(moved, "undo")).toBe("Undone: move.");
    expect(edit(moved, "redo")).toBe("Redone: move.");
    expect(edit({ removed: [object(0)] }, "undo")).toBe("Undone: addition.");
    expect(edit({ added: [object(0)] }, "undo")).toBe("Undone: deletion.");
    expect(edit({ added: [object(0)] }, "redo")).toBe("Redone: addition.");
  });

  test("an object selected by key, and a visitor who joined", () => {
    const pick = (id: string) => actionLabel({ kind: "picked", id: id as ObjectId }, BOARD, 1);
    expect(pick("me-0")).toBe("Black rectangle, 150 by 100, at 100, 100, selected. 1 of 2.");
    expect(pick("me-9")).toBe("");
    const joined = { kind: "joined", by: { clientId: "b", name: "Ben" } } as const;
    expect(actionLabel(joined, BOARD, 1)).toBe("Ben joined.");
    expect(actionKind(joined)).toBe("joined");
    expect(actionLabel({ kind: "cancelled" }, BOARD, 1)).toBe("Cancelled.");
  });

  test("UI-150 the end of a line that is in hand, and where it is", () => {
    const held = (
      held: { end: 0 | 1; at: { x: number; y: number }; hasMoved: boolean } | null,
    ) => ({
      ...{ kind: "picked" as const, id: "me-0" as ObjectId, held },
    });
    const at = { x: 300.4, y: 99.6 };
    expect(actionLabel(held({ end: 1, at, hasMoved: false }), BOARD, 1)).toBe(
      "End of Black rectangle, 150 by 100, at 300, 100. Arrow keys move it, Enter takes the other end, Escape lets go.",
    );
    const moved = held({ end: 0, at, hasMoved: true });
    expect(actionLabel(moved, BOARD, 1)).toBe("Start at 300, 100.");
    expect(actionLabel(held(null), BOARD, 1)).toBe("End let go.");
    // This is announced instead of the change that it is.
    const line = object(0, { type: "Path", path: "M0 0l9 9" });
    const changes = {
      added: [],
      removed: [],
      changed: [line],
      before: [object(0, { path: "M0 0l9 0" })],
    };
    expect(actionKind({ kind: "edit", changes, origin: "local" })).toBe(actionKind(moved));
    expect(edit(changes)).toBe("Shape changed.");
    expect(edit(changes, "undo")).toBe("Undone: shape.");
  });
});
