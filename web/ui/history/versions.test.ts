import { describe, expect, test, vi } from "vitest";
import {
  createControllerBed,
  objects,
  settle,
  SURFACE,
} from "../../../testing/page/controller-bed.ts";
import type { FakeVersion } from "../../../testing/page/fake-sync-client.ts";
import { SHOWN_PER_SLICE } from "../board/change-queue.ts";
import { shownDrawing } from "../controller/shown-drawing.ts";
import { versionsOf } from "./versions.ts";

const [OLD, NEW] = [
  { id: "1", savedAt: new Date(2026, 7, 4, 14, 5).toISOString(), objects: objects(3) },
  { id: "2", savedAt: new Date(2026, 7, 4, 14, 6).toISOString(), objects: objects(2, 1) },
] as const;
const entry = ({ id }: FakeVersion) => ({ id, time: id === OLD.id ? "14:05" : "14:06" });

/** An open board with other-1, and a backend that keeps two versions of it. */
async function openBed() {
  const bed = createControllerBed();
  bed.controller.open(SURFACE);
  await settle();
  const [client, canvas] = [bed.clients[0]!, bed.canvases[0]!];
  client.savedVersions.versions = [NEW, OLD];
  client.receive({ added: objects(1, 1) });
  client.finishStart();
  await settle();
  const versions = versionsOf(bed.controller.board);
  const ids = () => client.objects().map(({ id }) => id);
  const restore = (onlyMissing: boolean): void =>
    versions.restore(onlyMissing, (time) => ({
      text: `${onlyMissing ? "missing" : "all"} of ${time}`,
      unchanged: `nothing of ${time}`,
    }));
  return { ...bed, client, canvas, versions, restore, ids };
}

describe("the preview of an earlier version", () => {
  test("shows the version in place of the board, and the board again afterwards", async () => {
    const { canvas, versions } = await openBed();
    versions.show(entry(OLD));
    expect(versions.preview.get()).toMatchObject({ state: "loading", id: "1", time: "14:05" });
    await settle();
    expect(versions.preview.get()).toMatchObject({ state: "shown", id: "1" });
    expect(canvas.shown()).toEqual(["other-0", "other-1", "other-2"]);
    versions.back();
    expect(versions.preview.get()).toEqual({ state: "none" });
    expect(canvas.shown()).toEqual(["other-1"]);
  });

  test("HIS-2 exports write the version while it is shown, and the board afterwards", async () => {
    const { controller, versions } = await openBed();
    const exported = () => shownDrawing(controller, "board").objects.map(({ id }) => id);
    versions.show(entry(OLD));
    await settle();
    expect(exported()).toEqual(["other-0", "other-1", "other-2"]);
    // The canvas shows it until the next one is loaded.
    versions.show(entry(NEW));
    expect(exported()).toEqual(["other-0", "other-1", "other-2"]);
    versions.back();
    expect(exported()).toEqual(["other-1"]);
  });

  test("HIS-2 the canvas is read only, and no command of the page edits the board or chooses a tool", async () => {
    // A text collects the keys that are typed ahead of its field.
    vi.stubGlobal("addEventListener", () => {});
    const { controller, client, canvas, versions, ids } = await openBed();
    Object.assign(canvas.selection!, { remove: () => canvas.calls.push("remove") });
    versions.show(entry(OLD));
    await settle();
    const before = canvas.calls.length;
    const edits: Readonly<Record<string, () => void>> = {
      setTool: () => controller.setTool("rectangle"),
      addObjects: () => controller.addObjects([{ type: "Rect" }]),
      addText: () => controller.addText(),
      addSticker: () => controller.addSticker("🚀"),
      addAt: () => controller.addAt("circle", { clientX: 1, clientY: 1 }),
      editSelection: () => controller.editSelection("duplicate"),
      removeSelection: () => controller.removeSelection(),
      removeObjects: () => controller.removeObjects(ids()),
      undo: () => controller.undo(),
      redo: () => controller.redo(),
      clear: () => controller.clear(),
    };
    const state = () =>
      [controller.tool.get(), ids(), client.calls, canvas.calls.slice(before)].join(" / ");
    const untouched = state();
    for (const [name, edit] of Object.entries(edits)) {
      edit();
      expect(state(), name).toBe(untouched);
    }
    versions.back();
    controller.undo();
    controller.editSelection("duplicate");
    expect(canvas.calls.at(-1)).toBe('edit selection "duplicate"');
    expect(client.calls).toEqual(["undo"]);
    const modes = canvas.calls.filter((call) => /read only|editable/.test(call));
    expect(modes).toEqual(["read only", "editable"]);
  });

  test("holds back the changes of peers, and shows them afterwards", async () => {
    const { client, canvas, versions } = await openBed();
    versions.show(entry(OLD));
    client.receive({ added: objects(1, 7) });
    await settle();
    client.receive({ added: objects(2 * SHOWN_PER_SLICE, 10) });
    client.receive({ removed: objects(1, 1) });
    await settle();
    expect(canvas.shown()).toEqual(["other-0", "other-1", "other-2"]);
    versions.back();
    await settle();
    expect(canvas.shown()).toHaveLength(2 * SHOWN_PER_SLICE + 1);
    expect(canvas.shown()).not.toContain("other-1");
    client.receive({ added: objects(1, 5_000) });
    expect(canvas.shown()).toContain("other-5000");
  });

  test("of another version follows at once, whichever of the two arrives later", async () => {
    const { client, canvas, versions } = await openBed();
    let arrive = (): void => undefined;
    client.savedVersions.delay = new Promise((resolve) => (arrive = resolve));
    versions.show(entry(OLD));
    versions.show(entry(NEW));
    arrive();
    await settle();
    expect(versions.preview.get()).toMatchObject({ state: "shown", id: "2" });
    expect(canvas.shown()).toEqual(["other-1", "other-2"]);
  });

  test("that arrives after the visitor went back is not shown", async () => {
    const { client, canvas, versions } = await openBed();
    let arrive = (): void => undefined;
    client.savedVersions.delay = new Promise((resolve) => (arrive = resolve));
    versions.show(entry(OLD));
    versions.back();
    arrive();
    await settle();
    expect(versions.preview.get()).toEqual({ state: "none" });
    expect(canvas.shown()).toEqual(["other-1"]);
  });

  test("ends with a reason when the version is gone or the server is away", async () => {
    const { client, canvas, versions, faults } = await openBed();
    versions.show({ ...entry(OLD), id: "9" });
    await settle();
    expect(versions.preview.get()).toMatchObject({ state: "failed", reason: "gone" });
    client.savedVersions.delay = Promise.reject(new Error("away"));
    versions.show(entry(OLD));
    await settle();
    expect(versions.preview.get()).toMatchObject({ state: "failed", reason: "unreachable" });
    expect(faults).toEqual(["a version could not be loaded"]);
    expect(canvas.shown()).toEqual(["other-1"]);
    expect(canvas.calls.at(-2)).toBe("editable");
  });

  test("ends with its panel, and with the board", async () => {
    const { controller, versions } = await openBed();
    controller.openPanel("history");
    versions.show(entry(OLD));
    await settle();
    controller.openPanel("history");
    expect(versions.preview.get().state).toBe("shown");
    controller.openPanel("authors");
    expect(versions.preview.get().state).toBe("none");
    versions.show(entry(OLD));
    controller.closePanel();
    expect(versions.preview.get().state).toBe("none");
  });
});

describe("going back to a version", () => {
  test("makes the board as it was, says so, and can be undone", async () => {
    const { client, canvas, versions, restore, done, ids } = await openBed();
    client.receive({ added: objects(1, 8) });
    versions.show(entry(OLD));
    await settle();
    restore(false);
    await settle();
    expect(ids()).toEqual(["other-1", "other-0", "other-2"]);
    expect(canvas.shown()).toEqual(ids());
    expect(versions.preview.get()).toEqual({ state: "none" });
    expect(done.map(({ text }) => text)).toEqual(["all of 14:05"]);
    done[0]!.undo!();
    expect(client.calls).toEqual(["undo"]);
  });

  test("or brings back the missing objects alone", async () => {
    const { client, versions, restore, done, ids } = await openBed();
    client.receive({ added: objects(1, 8) });
    versions.show(entry(NEW));
    await settle();
    restore(true);
    await settle();
    expect(ids()).toEqual(["other-1", "other-8", "other-2"]);
    expect(done[0]!.text).toBe("missing of 14:06");
  });

  test("that changes nothing offers no undo: it would take back an earlier edit", async () => {
    const { client, versions, restore, done } = await openBed();
    client.receive({ added: objects(3, 2) });
    versions.show(entry(NEW));
    await settle();
    restore(true);
    await settle();
    expect(done.map(({ text, undo }) => [text, undo])).toEqual([["nothing of 14:06", null]]);
  });

  test("takes its notice away with the visitor's next edit, but not with a peer's", async () => {
    const { client, versions, restore, done } = await openBed();
    const before = client.listeners();
    versions.show(entry(OLD));
    await settle();
    restore(false);
    await settle();
    client.receive({ added: objects(1, 8) });
    expect(done).toHaveLength(1);
    client.editor.add([{ type: "Rect" }]);
    expect(done).toHaveLength(0);
    expect(client.listeners()).toBe(before);
  });

  test("does nothing before the version is shown", async () => {
    const { client, versions, restore, done, ids } = await openBed();
    client.savedVersions.delay = new Promise(() => undefined);
    versions.show(entry(OLD));
    restore(false);
    await settle();
    expect([ids(), done]).toEqual([["other-1"], []]);
  });
});
