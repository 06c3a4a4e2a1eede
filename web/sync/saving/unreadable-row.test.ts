import { expect, test } from "vitest";
import type { BoardObject } from "../../../board/drawing.ts";
import {
  createTestBed,
  meet,
  savedObjects,
  stroke,
  type TestBed,
  type Visit,
} from "../../../testing/sync/test-bed.ts";
import { replaceRow, type StoredRow } from "../../../testing/network/backend.ts";

const IMAGE = { type: "Image", src: "http://x" };
const WITH_IMAGE = JSON.stringify({
  objects: [{ type: "Rect", width: 9, height: 9 }, IMAGE],
});

const texts = (visit: Visit): string[] =>
  visit.notices.map((notice) => ("text" in notice ? notice.text : notice.kind));

test("SYN-18 a row with bad objects is shown as far as it can be, logged, and keeps its unreadable objects", async () => {
  const text = JSON.stringify({ objects: [{ type: "Rect", width: 9, height: 9 }, IMAGE, 7] });
  const bed = createTestBed();
  bed.backend.row = rowOf(text);
  const [ann] = (await meet(bed, "ann")) as [Visit];
  expect(ann.client.objects()).toHaveLength(1);
  expect(ann.log.join()).toMatch(/left out/);
  await bed.clock.advance(120_000);
  expect(bed.backend.row.text).toBe(text);
  ann.client.editor.add([stroke()]);
  await bed.clock.advance(10_000);
  expect(savedObjects(bed)).toMatchObject([IMAGE, { type: "Rect" }, { type: "Path" }]);
  ann.client.clear();
  await bed.clock.advance(10_000);
  expect(savedObjects(bed)).toEqual([]);
});

test("SYN-18 a page that is closed keeps them as well", async () => {
  const bed = createTestBed();
  bed.backend.row = rowOf(WITH_IMAGE);
  const [ann] = (await meet(bed, "ann")) as [Visit];
  ann.client.editor.add([stroke()]);
  ann.page("leaving");
  expect(savedObjects(bed)).toMatchObject([IMAGE, { type: "Rect" }, { type: "Path" }]);
});

test("SYN-18 Clear removes them although a peer has saved just before", async () => {
  const bed = createTestBed();
  bed.backend.row = rowOf(WITH_IMAGE);
  const [ann, ben] = (await meet(bed, "ann", "ben")) as [Visit, Visit];
  ben.client.editor.add([stroke()]);
  await bed.clock.advance(7_000);
  ann.client.clear();
  await bed.clock.advance(20_000);
  expect(savedObjects(bed)).toEqual([]);
});

test("SYN-18 a version that is restored brings its own", async () => {
  const bed = createTestBed();
  bed.backend.row = rowOf(WITH_IMAGE);
  const [ann] = (await meet(bed, "ann")) as [Visit];
  ann.client.editor.add([stroke()]);
  await bed.clock.advance(10_000);
  ann.client.clear();
  await bed.clock.advance(10_000);
  expect(savedObjects(bed)).toEqual([]);
  const [, before] = (await soon(bed, ann.client.versions.list())) ?? [];
  const drawing = await soon(bed, ann.client.versions.load(before?.id ?? ""));
  if (!drawing) throw new Error("the version cannot be read");
  expect(await soon(bed, ann.client.versions.restore(drawing, false))).toBe(true);
  await bed.clock.advance(10_000);
  expect(savedObjects(bed)).toMatchObject([IMAGE, { type: "Rect" }]);
  // It is the board, and what another program adds to the row afterwards stays.
  expect(await soon(bed, ann.client.versions.restore(drawing, false))).toBe(true);
  await bed.clock.advance(10_000);
  const row = JSON.parse(bed.backend.row?.text ?? "") as { objects: object[] };
  const text = JSON.stringify({ ...row, objects: [{ type: "Wormhole" }, ...row.objects] });
  replaceRow(bed.backend, { id: bed.backend.row?.id ?? "", updatedAt: "later", text });
  await bed.clock.advance(10_000);
  ann.client.editor.add([stroke()]);
  await bed.clock.advance(10_000);
  expect(savedObjects(bed)).toHaveLength(4);
});

test("SYN-18 an object that is nested too deeply to be written is left out, and the page loads and saves", async () => {
  const bed = createTestBed();
  const deep = `{"type":"X","objects":${"[".repeat(9000)}${"]".repeat(9000)}}`;
  bed.backend.row = rowOf(`{"objects":[{"type":"Rect","width":9,"height":9},${deep}]}`);
  const [ann] = (await meet(bed, "ann")) as [Visit];
  ann.client.editor.add([stroke()]);
  await bed.clock.advance(10_000);
  expect(savedObjects(bed)).toMatchObject([{ type: "Rect" }, { type: "Path" }]);
});

test("DAT-27 of an object that this page knows no unreadable copy is written back", async () => {
  const bed = createTestBed();
  const [ann, ben] = (await meet(bed, "ann", "ben")) as [Visit, Visit];
  ann.client.editor.add([stroke(1), stroke(2)]);
  await bed.clock.advance(10_000);
  const [gone, stored] = ann.client.objects();
  ben.client.editor.remove([gone!.id]);
  await bed.clock.advance(10_000);
  const row = JSON.parse(bed.backend.row?.text ?? "") as { objects: object[] };
  const broken = [gone, stored].map((object) => ({ ...object, path: 7 }));
  const text = JSON.stringify({ ...row, objects: broken });
  replaceRow(bed.backend, { id: bed.backend.row?.id ?? "", updatedAt: "later", text });
  for (const visit of [ann, ben]) visit.page("visible");
  await bed.clock.advance(60_000);
  expect(savedObjects(bed)).toEqual([stored]);
  const { updates } = bed.backend.counts;
  await bed.clock.advance(300_000);
  expect(bed.backend.counts.updates).toBe(updates);
});

test.each(['"not a drawing"', "null", "{}", '{"objects":{}}', manyObjects(100_002)])(
  "SYN-18 a row that cannot be read is never written over: %.20s",
  async (text) => {
    const bed = createTestBed();
    bed.backend.row = rowOf(text);
    const [ann] = (await meet(bed, "ann")) as [Visit];
    expect(ann.client.saveState.get()).toEqual({ state: "unreadable" });
    ann.client.editor.add([stroke()]);
    await bed.clock.advance(200_000);
    ann.page("leaving");
    expect(bed.backend.row).toEqual(rowOf(text));
    expect(ann.client.objects()).toHaveLength(1);
    expect(ann.device.entries.size).toBeGreaterThan(0);
    expect(ann.notices).toEqual([]);
    // Somebody repairs it, and what was drawn meanwhile is saved.
    replaceRow(bed.backend, { ...rowOf('{"objects":[{"type":"Rect"}]}'), updatedAt: "later" });
    await bed.clock.advance(200_000);
    expect(ann.client.saveState.get()).toEqual({ state: "saved" });
    expect(savedObjects(bed)).toHaveLength(2);
  },
);

test("SYN-18 a visitor may replace such a row by a version of the history", async () => {
  const bed = createTestBed();
  const [ann] = (await meet(bed, "ann")) as [Visit];
  ann.client.editor.add([stroke(1), stroke(2)]);
  await bed.clock.advance(10_000);
  replaceRow(bed.backend, { ...rowOf("{}"), id: bed.backend.row?.id ?? "", updatedAt: "later" });
  const [ben] = (await meet(bed, "ben")) as [Visit];
  expect(ben.client.objects()).toEqual([]);
  const [newest] = (await soon(bed, ben.client.versions.list())) ?? [];
  expect(newest).toMatchObject({ objects: 2 });
  const drawing = await soon(bed, ben.client.versions.load(newest?.id ?? ""));
  if (!drawing) throw new Error("the version cannot be read");
  expect(await soon(bed, ben.client.versions.restore(drawing, false))).toBe(true);
  await bed.clock.advance(10_000);
  expect(savedObjects(bed)).toHaveLength(2);
  expect(ben.client.saveState.get()).toEqual({ state: "saved" });
});

test("SYN-18 going back to a version that changes nothing saves the board in the place of such a row", async () => {
  const bed = createTestBed();
  const [ann] = (await meet(bed, "ann")) as [Visit];
  ann.client.editor.add([stroke(1), stroke(2)]);
  await bed.clock.advance(10_000);
  replaceRow(bed.backend, { ...rowOf("{}"), id: bed.backend.row?.id ?? "", updatedAt: "later" });
  ann.page("visible");
  await bed.clock.advance(1000);
  expect(ann.client.saveState.get()).toEqual({ state: "unreadable" });
  const [newest] = (await soon(bed, ann.client.versions.list())) ?? [];
  const drawing = await soon(bed, ann.client.versions.load(newest?.id ?? ""));
  if (!drawing) throw new Error("the version cannot be read");
  const restoring = ann.client.versions.restore(drawing, true);
  expect(ann.client.saveState.get()).not.toEqual({ state: "saved" });
  expect(await soon(bed, restoring)).toBe(true);
  await bed.clock.advance(10_000);
  expect(ann.client.saveState.get()).toEqual({ state: "saved" });
  expect(savedObjects(bed)).toHaveLength(2);
});

test("HIS-2 a large version is restored in slices, undone in one step, and refused when it could not be saved", async () => {
  const bed = createTestBed();
  const [ann] = (await meet(bed, "ann")) as [Visit];
  const long = (left: number) => ({
    ...stroke(left),
    path: `M0 0${"q101.25 102.25 3.75 4.75".repeat(100)}`,
  });
  const made = (count: number) => Array.from({ length: count }, (_, at) => long(at));
  ann.client.editor.add(made(2500));
  ann.client.editor.change([{ id: ann.client.objects()[7]!.id, props: { left: 7.5 } }]);
  await bed.clock.advance(10_000);
  const before = ann.client.objects().slice();
  ann.client.editor.remove(before.slice(0, 2400).map(({ id }) => id));
  ann.client.editor.change([{ id: before[2450]!.id, props: { left: 3 } }]);
  ann.client.editor.add([stroke(9)]);
  await bed.clock.advance(10_000);
  const [newest] = (await soon(bed, ann.client.versions.list())) ?? [];
  const drawing = await soon(bed, ann.client.versions.load(newest?.id ?? ""));
  if (!drawing) throw new Error("the version cannot be read");
  const now = ann.client.objects().slice();
  const slices: number[] = [];
  const stop = ann.client.onChanges(({ changes }) => slices.push(changes.added.length));
  expect(await soon(bed, ann.client.versions.restore(drawing, false))).toBe(true);
  stop();
  expect(Math.max(...slices)).toBeLessThanOrEqual(400);
  const look = ({ life: _life, stamps: _stamps, ...rest }: BoardObject) => rest;
  expect(ann.client.objects().map(look)).toEqual(before.map(look));
  ann.client.undo();
  expect(ann.client.objects().map(look)).toEqual(now.map(look));
  await bed.clock.advance(10_000);
  // 6 MB are missing, and as much is there: nothing is changed, and the page says why.
  ann.client.editor.add(made(2300));
  const full = ann.client.objects().slice();
  expect(await soon(bed, ann.client.versions.restore(drawing, true))).toBe(false);
  expect(ann.client.objects()).toEqual(full);
  expect(texts(ann).at(-1)).toMatch(/^Cannot save: Canvas data too large \(1\d\.\d\dMB\)/);
}, 120_000);

function rowOf(text: string): StoredRow {
  return { id: "row-1", version: 1, updatedAt: "2026-01-01T00:00:00+00:00", text };
}

function manyObjects(count: number): string {
  return JSON.stringify({ objects: Array.from({ length: count }, () => ({ type: "Rect" })) });
}

/** Moves the clock until the call has its result. */
async function soon<T>(bed: TestBed, call: Promise<T>): Promise<T> {
  await bed.clock.advance(5_000);
  return call;
}

test("SYN-18 what could not be saved is saved soon after the row can be read again, without a change", async () => {
  const bed = createTestBed();
  bed.backend.row = rowOf('{"objects":7}');
  const [ann] = (await meet(bed, "ann")) as [Visit];
  ann.client.editor.add([stroke()]);
  await bed.clock.advance(20_000);
  expect(bed.backend.row.text).toBe('{"objects":7}');
  const { id } = bed.backend.row;
  replaceRow(bed.backend, { id, updatedAt: "later", text: '{"objects":[]}' });
  ann.page("visible");
  await bed.clock.advance(8_000);
  expect(savedObjects(bed)).toMatchObject([{ type: "Path" }]);
});
