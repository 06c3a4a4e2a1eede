import { expect, test } from "vitest";
import { LIMITS, TEXTS } from "../../board/constants.ts";
import {
  createTestBed,
  meet,
  savedObjects,
  stroke,
  type Visit,
} from "../../testing/sync/test-bed.ts";
import { PERFECT } from "../../testing/network/network.ts";
import { saveStateOf } from "./save-state.ts";

const errors = ({ notices }: Visit): string[] =>
  notices.flatMap((notice) => (notice.kind === "error" ? notice.text : []));

test("SAV-14 a save that fails is shown in the words of the specification, once for each streak of failures", async () => {
  const bed = createTestBed();
  const [ann] = (await meet(bed, "ann")) as [Visit];
  bed.backend.refuse = { kind: "refused", message: "permission denied" };
  ann.client.editor.add([stroke()]);
  await bed.clock.advance(120_000);
  expect(errors(ann)).toEqual([TEXTS.saveFailed]);
  expect(ann.client.saveState.get()).toEqual({ state: "unsaved", changes: 1 });
  bed.backend.refuse = null;
  await bed.clock.advance(70_000);
  expect(savedObjects(bed)).toHaveLength(1);
  bed.backend.sizeLimit = 10;
  ann.client.editor.add([stroke(), stroke()]);
  await bed.clock.advance(10_000);
  expect(errors(ann)).toEqual([TEXTS.saveFailed, TEXTS.tooLargeToSave]);
  expect(ann.client.objects()).toHaveLength(3);
});

test("SAV-15 a drawing of more than 10 MB is not sent; the reason is shown, and nothing leaves the screen", async () => {
  const bed = createTestBed();
  const [ann] = (await meet(bed, "ann")) as [Visit];
  const path = `M0 0${"q101.25 102.25 3.75 4.75".repeat(8_000)}`;
  for (let count = 0; count < 60; count += 1) ann.client.editor.add([{ ...stroke(count), path }]);
  await bed.clock.advance(6000);
  expect(errors(ann)).toEqual([
    expect.stringMatching(
      /^Cannot save: Canvas data too large \(1\d\.\d\dMB\)\. Maximum is 10MB\.$/,
    ),
  ]);
  expect(bed.backend.counts).toMatchObject({ inserts: 0, updates: 0 });
  expect(ann.client.objects()).toHaveLength(60);
  ann.client.undo();
  ann.client.editor.remove(
    ann.client
      .objects()
      .map(({ id }) => id)
      .slice(10),
  );
  await bed.clock.advance(6000);
  expect(savedObjects(bed)).toHaveLength(10);
});

test("SAV-14 while the browser knows that there is no network nothing is saved and nothing shown; back again, it is saved at once", async () => {
  const bed = createTestBed();
  const [ann] = (await meet(bed, "ann")) as [Visit];
  bed.network.cut("ann");
  ann.page("offline");
  ann.client.editor.add([stroke(1)]);
  ann.client.clear();
  ann.client.undo();
  await bed.clock.advance(300_000);
  ann.page("hidden");
  ann.page("visible");
  await bed.clock.advance(300_000);
  ann.page("leaving");
  expect(bed.backend.counts).toMatchObject({ inserts: 0, updates: 0 });
  expect([errors(ann), ann.log.filter((line) => /not saved/.test(line))]).toEqual([[], []]);
  expect(ann.client.saveState.get()).toEqual({ state: "offline", changes: 3 });
  bed.network.restore("ann");
  ann.page("online");
  await bed.clock.advance(1_500);
  expect(savedObjects(bed)).toHaveLength(1);
  expect(ann.client.saveState.get()).toEqual({ state: "saved" });
});

test("SAV-14 a save under way when the network goes fails without a word; a server that is reached all the same is saved to", async () => {
  const bed = createTestBed();
  const [ann] = (await meet(bed, "ann")) as [Visit];
  ann.client.editor.add([stroke(1)]);
  bed.network.conditions = { ...PERFECT, minDelay: 1_000, maxDelay: 1_000 };
  await bed.clock.advance(LIMITS.saveDebounce + 500);
  expect(ann.client.saveState.get()).toEqual({ state: "saving" });
  bed.network.cut("ann");
  ann.page("offline");
  await bed.clock.advance(200_000);
  expect(errors(ann)).toEqual([]);
  // The server is on this device: the browser sees no network, and the page reaches it.
  bed.network.restore("ann");
  ann.page("visible");
  await bed.clock.advance(70_000);
  expect(savedObjects(bed)).toHaveLength(1);
  ann.client.editor.add([stroke(2)]);
  await bed.clock.advance(10_000);
  expect(savedObjects(bed)).toHaveLength(2);
  ann.client.editor.add([stroke(3)]);
  ann.page("leaving");
  expect(savedObjects(bed)).toHaveLength(3);
});

test("SAV-21 the header's state is the truth, and says 'kept on this device' only where it is so", () => {
  const facts = {
    ...{ known: true, behind: false, inDoubt: false, unreadable: false, failed: false },
    ...{ saving: false, overdue: false, reached: true, changes: 0, onDevice: true },
  };
  expect(saveStateOf({ ...facts, known: false, failed: true })).toEqual({ state: "not-loaded" });
  expect(saveStateOf({ ...facts, unreadable: true, changes: 2 })).toEqual({
    state: "unreadable",
  });
  expect(saveStateOf({ ...facts, known: false })).toEqual({ state: "loading" });
  expect(saveStateOf({ ...facts, known: false, reached: false })).toEqual({
    state: "offline",
    changes: 0,
  });
  expect(saveStateOf(facts)).toEqual({ state: "saved" });
  expect(saveStateOf({ ...facts, saving: true })).toEqual({ state: "saved" });
  // The row is another one than this page last saw, and could not be read.
  expect(saveStateOf({ ...facts, behind: true })).toEqual({ state: "saved" });
  expect(saveStateOf({ ...facts, behind: true, failed: true })).toEqual({ state: "not-loaded" });
  expect(saveStateOf({ ...facts, behind: true, inDoubt: true })).toEqual({ state: "loading" });
  expect(saveStateOf({ ...facts, changes: 3 })).toEqual({ state: "waiting", changes: 3 });
  const unsaved = { state: "unsaved", changes: 3 };
  expect(saveStateOf({ ...facts, changes: 3, overdue: true })).toEqual(unsaved);
  expect(saveStateOf({ ...facts, changes: 3, failed: true })).toEqual(unsaved);
  expect(saveStateOf({ ...facts, changes: 3, saving: true })).toEqual({ state: "saving" });
  expect(saveStateOf({ ...facts, changes: 3, reached: false })).toEqual({
    state: "offline",
    changes: 3,
  });
  expect(saveStateOf({ ...facts, changes: 3, reached: false, onDevice: false })).toEqual({
    state: "unsaved",
    changes: 3,
  });
});

test("SAV-32 a change that only waits for its time is 'waiting', and 'unsaved' from a save that failed to the next one that succeeds", async () => {
  const bed = createTestBed();
  const [ann] = (await meet(bed, "ann")) as [Visit];
  const state = () => ann.client.saveState.get();
  ann.client.editor.add([stroke(1)]);
  await bed.clock.advance(4_900);
  expect(state()).toEqual({ state: "waiting", changes: 1 });
  await bed.clock.advance(1_000);
  expect(state()).toEqual({ state: "saved" });
  bed.backend.refuse = { kind: "refused", message: "permission denied" };
  ann.client.editor.add([stroke(2)]);
  expect(state()).toEqual({ state: "waiting", changes: 1 });
  await bed.clock.advance(6_000);
  expect(state()).toEqual({ state: "unsaved", changes: 1 });
  ann.client.editor.add([stroke(3)]);
  expect(state()).toEqual({ state: "unsaved", changes: 2 });
  bed.backend.refuse = null;
  await bed.clock.advance(70_000);
  expect(state()).toEqual({ state: "saved" });
  ann.client.editor.add([stroke(4)]);
  expect(state()).toEqual({ state: "waiting", changes: 1 });
});
