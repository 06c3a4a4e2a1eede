import { expect, test } from "vitest";
import {
  createDevice,
  createTestBed,
  meet,
  savedObjects,
  stroke,
  type Visit,
} from "../../testing/sync/test-bed.ts";

test("SAV-33 Restore, and the Undo of a Clear, save at once", async () => {
  const bed = createTestBed();
  const [ann, ben] = (await meet(bed, "ann", "ben")) as [Visit, Visit];
  ann.client.editor.add([stroke(1), stroke(2)]);
  await bed.clock.advance(10_000);
  ben.client.clear();
  await bed.clock.advance(1_500);
  expect(savedObjects(bed)).toEqual([]);
  const losses = ann.notices.find(({ kind }) => kind === "losses");
  expect(losses).toBeDefined();
  if (losses?.kind === "losses") losses.restore();
  await bed.clock.advance(500);
  expect(savedObjects(bed)).toHaveLength(2);
  ann.client.clear();
  await bed.clock.advance(500);
  expect(savedObjects(bed)).toEqual([]);
  const cleared = ann.notices.find(({ kind }) => kind === "cleared");
  if (cleared?.kind === "cleared") cleared.undo();
  await bed.clock.advance(500);
  expect(savedObjects(bed)).toHaveLength(2);
});

test("UI-90 a notice whose offer has no effect any more is settled, for the visitor who cleared and for the others", async () => {
  const bed = createTestBed();
  const [ann, ben, cat] = (await meet(bed, "ann", "ben", "cat")) as [Visit, Visit, Visit];
  const settled = ({ notices }: Visit): string[] =>
    notices.flatMap((notice) => (notice.kind === "settled" ? notice.offer : []));
  ann.client.editor.add([stroke(1), stroke(2)]);
  await bed.clock.advance(10_000);
  ben.client.clear();
  await bed.clock.advance(1_500);
  const losses = ann.notices.find(({ kind }) => kind === "losses");
  expect(settled(ann)).toEqual([]);
  if (losses?.kind === "losses") losses.restore();
  await bed.clock.advance(1_500);
  expect([ann, ben, cat].map(settled)).toEqual([["losses"], ["cleared"], ["losses"]]);
  ann.client.clear();
  ann.client.undo();
  expect(settled(ann)).toEqual(["losses", "cleared"]);
});

test("LOS-1 Restore of a notice that another one is just taking the place of restores the later losses too", async () => {
  const bed = createTestBed();
  const [ann, ben] = (await meet(bed, "ann", "ben")) as [Visit, Visit];
  const ids = ann.client.editor.add([1, 2, 3, 4, 5, 6, 7].map(stroke)).map(({ id }) => id);
  await bed.clock.advance(10_000);
  for (const some of [ids.slice(0, 6), ids.slice(6)]) {
    ben.client.editor.remove(some);
    await bed.clock.advance(1_500);
  }
  const offers = ann.notices.flatMap((notice) => (notice.kind === "losses" ? notice : []));
  expect(offers.map(({ count }) => count)).toEqual([6, 7]);
  offers[0]?.restore();
  expect(ann.client.objects()).toHaveLength(7);
});

test("LOS-1 what the first read of a page took away, which it has never shown, is no part of a loss that follows", async () => {
  const bed = createTestBed();
  const device = createDevice("ann");
  const ann = bed.visit("ann 1", device);
  const ben = bed.visit("ben");
  await bed.clock.advance(10_000);
  ann.client.editor.add([1, 2, 3, 4, 5].map(stroke));
  await bed.clock.advance(200);
  ann.kill();
  ben.client.clear();
  ben.client.editor.add([stroke(6), stroke(7)]);
  await bed.clock.advance(10_000);
  const again = bed.visit("ann 2", device);
  await bed.clock.advance(1_000);
  const [last] = again.client.objects();
  expect(again.client.objects()).toHaveLength(2);
  ben.client.editor.remove([last!.id]);
  await bed.clock.advance(1_500);
  expect(again.client.objects()).toHaveLength(1);
  expect(again.notices.map(({ kind }) => kind)).not.toContain("losses");
});

test("UI-11 the Undo of a Clear is that of the keys, so that the next one takes back what came before, unless edits followed", async () => {
  const bed = createTestBed();
  const [{ client, notices }] = (await meet(bed, "ann")) as [Visit];
  const undoClear = (): void => {
    const notice = notices.findLast(({ kind }) => kind === "cleared");
    if (notice?.kind === "cleared") notice.undo();
  };
  client.editor.add([stroke(1)]);
  client.editor.add([stroke(2)]);
  client.clear();
  undoClear();
  expect(client.objects()).toHaveLength(2);
  expect(client.history.get()).toEqual({ canUndo: true, canRedo: true });
  client.undo();
  expect(client.objects()).toHaveLength(1);
  client.clear();
  client.editor.add([stroke(3)]);
  undoClear();
  expect(client.objects()).toHaveLength(2);
  client.undo();
  expect(client.objects()).toHaveLength(1);
});

test("UI-11 a late press on the Undo of a Clear that a peer has reverted undoes nothing else", async () => {
  const bed = createTestBed();
  const [ann, ben] = (await meet(bed, "ann", "ben")) as [Visit, Visit];
  ann.client.editor.add(Array.from({ length: 6 }, (_, at) => stroke(at)));
  await bed.clock.advance(10_000);
  ann.client.clear();
  await bed.clock.advance(1_500);
  const losses = ben.notices.find(({ kind }) => kind === "losses");
  if (losses?.kind === "losses") losses.restore();
  await bed.clock.advance(1_500);
  expect(ann.client.objects()).toHaveLength(6);
  const cleared = ann.notices.find(({ kind }) => kind === "cleared");
  if (cleared?.kind === "cleared") cleared.undo();
  expect(ann.client.objects()).toHaveLength(6);
});
