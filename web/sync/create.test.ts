import { describe, expect, test } from "vitest";
import { createPlace, stroke } from "../../testing/rooms.ts";
import { TEXTS } from "../../board/spec.ts";

describe("a room", () => {
  test("SYN-1 a stroke of one person appears for the other within a second, and is saved 5 s later", async () => {
    const { clock, backend, visit } = createPlace();
    const ann = visit("ann");
    const ben = visit("ben");
    await clock.advance(1000);
    expect(ann.room.saveState.get()).toEqual({ state: "saved" });
    expect(ann.room.online.get()).toBe(2);

    ann.room.editor.add([stroke()]);
    await clock.advance(1000);
    expect(ben.room.objects()).toEqual(ann.room.objects());
    expect(backend.row).toBeNull();
    expect(ann.room.saveState.get()).toEqual({ state: "unsaved", changes: 1 });

    await clock.advance(5000);
    expect(JSON.parse(backend.row?.text ?? "null")).toMatchObject({ objects: [{ type: "Path" }] });
    expect(ann.room.saveState.get()).toEqual({ state: "saved" });
    const cat = visit("cat");
    await clock.advance(1000);
    expect(cat.room.objects()).toEqual(ann.room.objects());
  });

  test("clear", async () => {
    const { clock, visit, backend } = createPlace();
    const ann = visit("ann");
    const ben = visit("ben");
    await clock.advance(1000);
    ann.room.editor.add([stroke(), stroke(50)]);
    await clock.advance(10_000);
    ben.room.clear();
    await clock.advance(1500);
    expect(ann.room.objects()).toEqual([]);
    expect(JSON.parse(backend.row?.text ?? "null")).toMatchObject({ objects: [] });
    expect(ben.notices).toMatchObject([{ kind: "cleared", text: TEXTS.cleared }]);
    expect(ann.notices).toMatchObject([{ kind: "cleared-by-other" }]);
    const [notice] = ann.notices;
    if (notice?.kind === "cleared-by-other") notice.restore();
    await clock.advance(8000);
    expect(ben.room.objects()).toHaveLength(2);
    expect(ben.room.objects()).toEqual(ann.room.objects());
  });
});
