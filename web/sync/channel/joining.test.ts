import { expect, test } from "vitest";
import { createTestBed, meet, stroke, type Visit } from "../../../testing/sync/test-bed.ts";
import { EVENTS } from "../../../board/messages.ts";

test("SYN-13 updates that arrive while the row is being read are merged after it", async () => {
  const bed = createTestBed();
  const [ann] = (await meet(bed, "ann")) as [Visit];
  ann.client.editor.add([stroke()]);
  await bed.clock.advance(7000);
  const [ben] = (await meet(bed, "ben")) as [Visit];
  bed.backend.row = bed.backend.row && { ...bed.backend.row, version: 9 };
  // Each way takes 900 ms: the version is known after 1,800 ms, the row after 3,600.
  bed.network.conditions = { drop: 0, double: 0, minDelay: 900, maxDelay: 900 };
  ben.page("visible");
  await bed.clock.advance(1900);
  ann.client.editor.add([stroke(50)]);
  await bed.clock.advance(1600);
  expect(ben.client.objects()).toHaveLength(1);
  await bed.clock.advance(200);
  expect(ben.client.objects()).toHaveLength(2);
});

test("SYN-12 a client that joins while others have pending edits gets them", async () => {
  const bed = createTestBed();
  bed.backend.refuse = { kind: "refused", message: "not now" };
  const [ann] = (await meet(bed, "ann")) as [Visit];
  ann.client.editor.add([stroke()]);
  await bed.clock.advance(3000);
  const ben = bed.visit("ben");
  await bed.clock.advance(2500);
  expect(ben.client.objects()).toEqual(ann.client.objects());
});

test("SYN-12 a lost update is noticed by its digest and sent again", async () => {
  const bed = createTestBed();
  bed.backend.refuse = { kind: "refused", message: "not now" };
  const [ann, ben] = (await meet(bed, "ann", "ben")) as [Visit, Visit];
  bed.network.conditions = { drop: 1, double: 0, minDelay: 1, maxDelay: 1 };
  ann.client.editor.add([stroke()]);
  await bed.clock.advance(100);
  bed.network.conditions = { drop: 0, double: 0, minDelay: 1, maxDelay: 1 };
  expect(ben.client.objects()).toHaveLength(0);
  await bed.clock.advance(20_000);
  expect(ben.client.objects()).toHaveLength(1);
});

test("SYN-13 on every join, on online and on visible the row is read if it is not of the version that this client saw", async () => {
  const bed = createTestBed();
  bed.backend.hasRowEvents = false;
  const [ann] = (await meet(bed, "ann")) as [Visit];
  ann.client.editor.add([stroke()]);
  await bed.clock.advance(10_000);
  const changed = (): void => {
    bed.backend.row = bed.backend.row && {
      ...bed.backend.row,
      version: bed.backend.row.version + 1,
    };
  };
  const causes: (() => void)[] = [
    () => ann.page("online"),
    () => ann.page("visible"),
    () => {
      bed.network.cut("ann");
      bed.network.restore("ann");
    },
  ];
  for (const cause of causes) {
    const { loads, peeks } = bed.backend.counts;
    cause();
    await bed.clock.advance(2000);
    expect(bed.backend.counts).toMatchObject({ loads, peeks: peeks + 1 });
    changed();
    cause();
    await bed.clock.advance(2000);
    expect(bed.backend.counts.loads).toBe(loads + 1);
  }
});

test("SYN-14 a channel that was closed by force is back within 10 s by itself, quietly", async () => {
  const bed = createTestBed();
  const [ann, ben] = (await meet(bed, "ann", "ben")) as [Visit, Visit];
  const delays: number[] = [];
  for (let times = 0; times < 6; times += 1) {
    bed.backend.evict("ann");
    const closed = bed.clock.now();
    while (bed.backend.members < 2) await bed.clock.advance(100);
    delays.push(bed.clock.now() - closed);
  }
  expect(Math.max(...delays)).toBeLessThan(10_000);
  expect(delays.at(-1)).toBeGreaterThan(4000);
  expect(ann.notices).toEqual([]);
  ben.client.editor.add([stroke()]);
  await bed.clock.advance(1000);
  expect(ann.client.objects()).toHaveLength(1);
});

test("SYN-14 nothing is sent while the channel is not joined, and everything that waited when it joins", async () => {
  const bed = createTestBed();
  const [ann, ben] = (await meet(bed, "ann", "ben")) as [Visit, Visit];
  bed.network.cut("ann");
  for (let count = 0; count < 5; count += 1) {
    ann.client.editor.add([stroke(count)]);
    ann.client.live.pointer({ x: 1, y: 1 });
    await bed.clock.advance(1500);
  }
  expect(bed.backend.wire.filter(({ from }) => from === "ann")).toEqual([]);
  await bed.clock.advance(5000);
  expect(ann.client.saveState.get()).toEqual({ state: "offline", changes: 5 });
  bed.network.restore("ann");
  await bed.clock.advance(2000);
  expect(ben.client.objects()).toHaveLength(5);
});

test("DAT-20 rubbish on the channel changes nothing, and the messages after it are received", async () => {
  const bed = createTestBed();
  const [ann] = (await meet(bed, "ann")) as [Visit];
  const evil = bed.backend.open("evil").openChannel("evil", {
    status: () => undefined,
    presence: () => undefined,
    broadcast: () => undefined,
  });
  await bed.clock.advance(100);
  const rubbish: object[] = [
    {},
    [],
    { clientId: "evil" },
    { clientId: "evil", json: null },
    { clientId: "evil", json: { objects: 7 } },
    { clientId: "__proto__", json: { objects: [{ type: "Image", src: "x" }] } },
    {
      clientId: "evil",
      json: {
        objects: [{ type: "Rect", left: "NaN" }, null],
        inkpool: { format: 1, seen: { a: -1 } },
      },
    },
    { clientId: "evil", json: "{", n: -1.5 },
  ];
  for (const event of [EVENTS.update, "canvas-live", "canvas-digest", "anything"]) {
    for (const payload of rubbish) evil.send(event, payload);
  }
  await bed.clock.advance(2000);
  expect(ann.client.objects().filter(({ type }) => type !== "Rect")).toEqual([]);
  evil.send(EVENTS.update, {
    clientId: "evil",
    json: { objects: [{ type: "Circle", radius: 5, left: 1, top: 1 }] },
  });
  await bed.clock.advance(100);
  expect(ann.client.objects().map(({ type }) => type)).toContain("Circle");
});
