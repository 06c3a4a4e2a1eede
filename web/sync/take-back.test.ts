import { expect, test } from "vitest";
import { TEXTS } from "../../board/constants.ts";
import type { ObjectId } from "../../board/drawing.ts";
import { EVENTS } from "../../board/messages.ts";
import { keyOf } from "../../board/peer-key.ts";
import { createTestBed, stroke, type TestBed, type Visit } from "../../testing/sync/test-bed.ts";
import type { HistoryEntry } from "./environment/backend.ts";
import type { TakeBackPlan } from "./port.ts";
import { chooseVersions } from "./take-back.ts";

// Reading a file's code takes longer than a step of the fake clock, so it is imported above.

const GUARDED = { presenceSummary: true };

function visitHost(bed: TestBed, config = GUARDED, name = "host"): Visit {
  const openBackend = () => ({ ...bed.backend.open(name), host: {} as never });
  return bed.visit(name, undefined, { openBackend }, config);
}

/** A board of six strokes by Ann, on which a vandal then fills, hides and removes. */
async function vandalised(config = GUARDED) {
  const bed = createTestBed();
  const host = visitHost(bed, config);
  const ann = bed.visit("ann", undefined, {}, config);
  const vandal = bed.visit("vandal", undefined, {}, config);
  await bed.clock.advance(2_000);
  const drawn = ann.client.editor.add([1, 2, 3, 4, 5, 6].map((at) => stroke(10 * at)));
  await bed.clock.advance(60_000);
  const before = [...host.client.objects()];
  const [hidden, removed] = drawn.map(({ id }) => id) as [ObjectId, ObjectId];
  const { editor } = vandal.client;
  editor.add(Array.from({ length: 12 }, (_, at) => stroke(400 + at)));
  editor.change([{ id: hidden, props: { opacity: 0 } }]);
  editor.remove([removed]);
  await bed.clock.advance(3_000);
  const afterwards = ann.client.editor.add([stroke(300)]);
  await bed.clock.advance(10_000);
  return { bed, host, ann, vandal, before, afterwards };
}

const NEVER = { signal: new AbortController().signal, onProgress: () => undefined };

async function plan(
  bed: TestBed,
  { client }: Visit,
  whom: Visit,
  span: number | null,
): Promise<TakeBackPlan> {
  const code = await client.takeBack?.();
  if (!code) throw new Error("no host");
  const planned = code.plan(new Set([keyOf(whom.client.clientId)]), span, NEVER);
  await bed.clock.advance(5_000);
  return planned;
}

const offers = ({ notices }: Visit) => notices.filter(({ kind }) => kind === "losses");

const shown = ({ client }: Visit) =>
  client.objects().map(({ id, left, opacity = 1 }) => ({ id, left, opacity }));

test("HOST-35 a host takes a vandal back in one step, which undo takes back: the objects of others stay, and the vandal is offered nothing", async () => {
  const { bed, host, ann, vandal, before, afterwards } = await vandalised();
  const planned = await plan(bed, host, vandal, 600_000);
  expect(planned).toMatchObject({ goes: 12, returns: 2, lost: 0, versions: "read" });
  expect((await host.client.takeBack?.())?.actors()).toContain(keyOf(vandal.client.clientId));
  const wasOffered = offers(ann).length;
  vandal.client.editor.add([stroke(500)]);
  await bed.clock.advance(3_000);
  expect(await planned.run(new Set())).toMatchObject({ goes: 13, returns: 2 });
  await bed.clock.advance(10_000);
  const expected = [...before, ...afterwards].map(({ id, left }) => ({ id, left, opacity: 1 }));
  for (const page of [host, ann, vandal]) expect(new Set(shown(page))).toEqual(new Set(expected));
  expect(offers(vandal)).toEqual([]);
  expect(offers(ann).length).toBeGreaterThan(wasOffered);

  host.client.undo();
  await bed.clock.advance(10_000);
  expect(ann.client.objects()).toHaveLength(19);
  const again = await plan(bed, host, vandal, null);
  expect(again).toMatchObject({ goes: 13, returns: 2 });
  await again.run(new Set());
  await bed.clock.advance(10_000);
  expect(new Set(shown(ann))).toEqual(new Set(expected));
});

test("HOST-35 a board that could not be saved with the returning objects stays as it is, and a notice says why", async () => {
  const bed = createTestBed();
  const host = visitHost(bed);
  const [ann, vandal] = [bed.visit("ann"), bed.visit("vandal")];
  await bed.clock.advance(2_000);
  const large = (left: number) => ({
    ...stroke(left),
    path: `M0 0${"q101.25 102.25 3.75 4.75".repeat(16_700)}`,
  });
  const add = async () => {
    const added = ann.client.editor.add(Array.from({ length: 14 }, (_, at) => large(at)));
    await bed.clock.advance(60_000);
    return added;
  };
  vandal.client.editor.remove((await add()).map(({ id }) => id));
  await bed.clock.advance(10_000);
  await add();
  const before = shown(host);
  expect(before).toHaveLength(14);
  const planned = await plan(bed, host, vandal, null);
  expect(planned.returns).toBe(14);
  const done = planned.run(new Set());
  await bed.clock.advance(10_000);
  expect(await done).toBeNull();
  expect(shown(host)).toEqual(before);
  expect(host.notices.at(-1)).toMatchObject({
    kind: "error",
    text: expect.stringContaining("too large"),
  });
});

const noticesOf = ({ notices }: Visit) =>
  notices.filter((notice) => notice.kind === "error" && notice.text === TEXTS.takenBack);

test("HOST-36 a notice says to the visitor alone, once, that a host has taken back what they did, even one who was cut off", async () => {
  const { bed, host, ann, vandal } = await vandalised();
  const cutOff = async (meanwhile?: () => Promise<unknown>): Promise<void> => {
    bed.network.cut("vandal");
    await bed.clock.advance(60_000);
    await meanwhile?.();
    await bed.clock.advance(10_000);
    bed.network.restore("vandal");
    await bed.clock.advance(60_000);
  };
  await cutOff(async () => (await plan(bed, host, vandal, null)).run(new Set()));
  expect(noticesOf(vandal)).toHaveLength(1);
  const more = vandal.client.editor.add(Array.from({ length: 9 }, (_, at) => stroke(at)));
  await bed.clock.advance(10_000);
  await cutOff();
  // What they drew since is theirs again.
  ann.client.editor.remove(more.map(({ id }) => id));
  await bed.clock.advance(10_000);
  expect(offers(vandal)).toHaveLength(1);
  expect([vandal, ann, host].map((visit) => noticesOf(visit).length)).toEqual([1, 0, 0]);
});

test("HOST-36 only where the backend guards the channel does a page believe that a host has taken it back", async () => {
  const { bed, host, vandal } = await vandalised({ presenceSummary: false });
  await (await plan(bed, host, vandal, null)).run(new Set());
  await bed.clock.advance(10_000);
  expect(bed.backend.wire.map(({ event }) => event)).toContain(EVENTS.takenBack);
  expect(offers(vandal)).toHaveLength(1);
});

test("HOST-36 it is about objects drawn until then: a later removal by somebody else is offered again", async () => {
  const { bed, host, ann, vandal } = await vandalised();
  await (await plan(bed, host, vandal, null)).run(new Set());
  await bed.clock.advance(10_000);
  const more = vandal.client.editor.add(Array.from({ length: 9 }, (_, at) => stroke(at)));
  await bed.clock.advance(10_000);
  ann.client.editor.remove(more.map(({ id }) => id));
  await bed.clock.advance(10_000);
  expect(offers(vandal)).toHaveLength(1);
});

test("HOST-37 a host who comes late reads the earlier objects in the versions, and learns the remaining doubts", async () => {
  const { bed, host, vandal } = await vandalised();
  host.kill();
  const newcomer = visitHost(bed, GUARDED, "late host");
  await bed.clock.advance(2_000);
  const planned = await plan(bed, newcomer, vandal, 600_000);
  expect(planned.versions).toBe("read");
  expect(planned.returns).toBe(1);
  expect(planned.goes + planned.doubts.older.goes).toBe(12);
  expect(planned.doubts.remover).toEqual({ goes: 0, returns: 1 });
});

test("HOST-37 without versions the plan says so, and goes by the page's own record", async () => {
  const bed = createTestBed();
  const openBackend = () => ({
    ...bed.backend.open("host"),
    host: {} as never,
    history: { list: async () => ({ ok: true, value: null }) } as never,
  });
  const host = bed.visit("host", undefined, { openBackend }, GUARDED);
  const vandal = bed.visit("vandal", undefined, {}, GUARDED);
  await bed.clock.advance(2_000);
  vandal.client.editor.add([stroke(1)]);
  await bed.clock.advance(3_000);
  expect(await plan(bed, host, vandal, 600_000)).toMatchObject({ goes: 1, versions: "none" });
});

test("HOST-38 a visitor who is no host has no such action", async () => {
  const bed = createTestBed();
  expect(bed.visit("ann").client.takeBack).toBeNull();
});

test("HOST-37 of many versions the one before the span, the first one in it and the last one are read", () => {
  const entries = Array.from({ length: 200 }, (_, at): HistoryEntry => {
    const savedAt = new Date(1_000_000 + at * 1_000).toISOString();
    return { id: String(at), savedAt, bytes: 10, objects: 1 };
  }).reverse();
  const chosen = chooseVersions(entries, 1_020_500).map(({ id }) => Number(id));
  expect(chosen.slice(0, 2)).toEqual([20, 21]);
  expect(chosen.at(-1)).toBe(199);
  expect(chosen.length).toBeLessThanOrEqual(40);
  expect(chooseVersions(entries.slice(0, 2), 0)).toHaveLength(2);
});
