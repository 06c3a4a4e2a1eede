import { expect, test } from "vitest";
import {
  createTestBed,
  meet,
  savedObjects,
  stroke,
  type Visit,
} from "../../../testing/sync/test-bed.ts";
import type { Backend } from "../environment/backend.ts";

test("SYN-20 Clear saves at once, even on an empty board", async () => {
  const bed = createTestBed();
  const [ann] = (await meet(bed, "ann")) as [Visit];
  ann.client.clear();
  await bed.clock.advance(100);
  expect(bed.backend.row?.text).toContain('"objects":[]');
  expect(ann.client.saveState.get()).toEqual({ state: "saved" });
});

test("SYN-20 Clear during a slow save is saved next, though the visitor draws on meanwhile", async () => {
  const bed = createTestBed();
  const wait = (ms: number): Promise<void> =>
    new Promise((resolve) => void bed.clock.setTimer(() => resolve(), ms));
  const openBackend = (): Backend => {
    const backend = bed.backend.open("ann");
    return {
      ...backend,
      update: (...request) => wait(2_000).then(() => backend.update(...request)),
    };
  };
  const [ben] = (await meet(bed, "ben")) as [Visit];
  const ann = bed.visit("ann", undefined, { openBackend });
  await bed.clock.advance(1_000);
  ben.client.editor.add([stroke(1)]);
  await bed.clock.advance(10_000);
  ann.client.editor.add([stroke(2)]);
  await bed.clock.advance(6_000);
  expect(ann.client.saveState.get()).toEqual({ state: "saving" });
  ann.client.clear();
  const [after] = ann.client.editor.add([stroke(3)]);
  await bed.clock.advance(1_500);
  expect(savedObjects(bed)).toHaveLength(2);
  await bed.clock.advance(2_500);
  expect(savedObjects(bed)).toMatchObject([{ id: after?.id }]);
});

test("SYN-20 Clear empties a board of more authors than a context remembers, for all", async () => {
  const bed = createTestBed();
  const objects = Array.from({ length: 3000 }, (_, left) => ({
    ...{ type: "Rect", left, width: 9, height: 9 },
  }));
  const text = JSON.stringify({ objects });
  bed.backend.row = { id: "row-1", version: 1, updatedAt: "2026-01-01T00:00:00Z", text };
  const visits = ["ann", "ben"].map((name) => bed.visit(name, undefined, { sendDelay: 80 }));
  await bed.clock.advance(3000);
  expect(visits.map(({ client }) => client.objects().length)).toEqual([3000, 3000]);
  visits[0]?.client.clear();
  await bed.clock.advance(60_000);
  expect(visits.map(({ client }) => client.objects().length)).toEqual([0, 0]);
  expect(savedObjects(bed)).toEqual([]);
});

test("SYN-20 Clear of an empty board with a background, and a new name, are saved though a peer has just saved", async () => {
  const bed = createTestBed();
  const rect = { type: "Rect", width: 5, height: 5 };
  const text = JSON.stringify({ objects: [rect], background: "red" });
  bed.backend.row = { id: "row-1", version: 1, updatedAt: "2026-01-01T00:00:00Z", text };
  const [ann, ben] = (await meet(bed, "ann", "ben")) as [Visit, Visit];
  ben.client.editor.remove(ben.client.objects().map(({ id }) => id));
  await bed.clock.advance(7_000);
  ann.client.clear();
  await bed.clock.advance(20_000);
  expect([ann, ben].map(({ client }) => client.background())).toEqual(["white", "white"]);
  expect(JSON.parse(bed.backend.row?.text ?? "")).toMatchObject({ background: "white" });
  ann.client.editor.add([stroke()]);
  await bed.clock.advance(20_000);
  ben.client.editor.add([stroke()]);
  await bed.clock.advance(6_000);
  ann.client.rename("Anna", "person12345");
  await bed.clock.advance(60_000);
  expect(bed.backend.row?.text).toContain("Anna");
});
