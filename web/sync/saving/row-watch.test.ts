import { describe, expect, test } from "vitest";
import { replaceRow } from "../../../testing/network/backend.ts";
import { createTestBed, stroke, type TestBed, type Visit } from "../../../testing/sync/test-bed.ts";
import { EVENTS } from "../../../board/messages.ts";
import type { RowVersion } from "../environment/backend.ts";
import { isUnread, LOOK_INTERVAL, readDelay } from "./row-watch.ts";

const version = (count: number | null, updatedAt = `at ${count}`, id = "row-1"): RowVersion => ({
  id,
  updatedAt,
  version: count,
});

describe("whether to read the row, and when", () => {
  test("SAV-61 news is a version after the one that this page read or wrote, and one that nobody can compare", () => {
    expect(isUnread(version(3), version(2))).toBe(true);
    expect(isUnread(version(2), version(2))).toBe(false);
    // The report of a version from before this page's own save may come after the save's answer.
    expect(isUnread(version(1), version(2))).toBe(false);
    expect(isUnread(version(1, "at 1", "row-2"), version(2))).toBe(true);
    expect(isUnread(version(null, "later"), version(null, "before"))).toBe(true);
    expect(isUnread(version(null, "same"), version(null, "same"))).toBe(false);
    expect(isUnread(null, version(2))).toBe(true);
    expect(isUnread(version(1), null)).toBe(true);
    expect(isUnread(version(1), undefined)).toBe(true);
  });

  test("SAV-61 of 300 pages a few wait for less than the first one's read takes, and none for longer than 1.5 s", () => {
    for (const online of [0, 1, 2, 20, 300, 100_000]) {
      const delays = Array.from({ length: 300 }, (_, at) => readDelay(online, at / 300));
      expect(delays[0]).toBe(500);
      expect(Math.max(...delays)).toBeLessThanOrEqual(1_500);
      expect(delays).toEqual(delays.toSorted((a, b) => a - b));
    }
    const delays = Array.from({ length: 300 }, (_, at) => readDelay(300, (at + 0.5) / 300));
    const first = delays[0]!;
    expect(delays.filter((delay) => delay < first + 150).length).toBeLessThan(10);
  });
});

async function meet(bed: TestBed, count: number): Promise<Visit[]> {
  const visits = Array.from({ length: count }, (_, index) => bed.visit(`page ${index}`));
  await bed.clock.advance(2000);
  visits[0]!.client.editor.add([stroke(1), stroke(2), stroke(3), stroke(4)]);
  await bed.clock.advance(30_000);
  return visits;
}

/** Writes the row, as any client with the public key can. */
function patch({ backend, clock }: TestBed, objects: readonly object[]): void {
  const text = JSON.stringify({ version: "5.3.0", objects, background: "white" });
  replaceRow(backend, { id: "row-1", updatedAt: new Date(clock.now()).toISOString(), text });
}

const reads = ({ backend }: TestBed): number => backend.counts.loads;
const lefts = ({ client }: Visit): unknown[] => client.objects().map(({ left }) => left);

describe("a page that watches the row", () => {
  test("SAV-62 after a bare PATCH all of 20 pages show the row within 2 s, a few of them read it, and the next stroke costs one read more", async () => {
    const bed = createTestBed();
    const pages = await meet(bed, 20);
    const before = reads(bed);
    patch(bed, [{ type: "Rect", left: 70, top: 8, width: 9, height: 9, fill: "red" }]);
    await bed.clock.advance(2000);
    expect(pages.map(lefts)).toEqual(pages.map(() => [70]));
    const after = reads(bed);
    expect(after - before).toBeGreaterThan(0);
    expect(after - before).toBeLessThanOrEqual(4);
    await bed.clock.advance(60_000);
    pages[7]!.client.editor.add([stroke(5)]);
    await bed.clock.advance(60_000);
    expect(pages.map(lefts)).toEqual(pages.map(() => [70, 5]));
    expect(reads(bed) - after).toBeLessThanOrEqual(4);
  });

  test("SAV-62 a row that is emptied by a bare PATCH is offered back on every page, though nobody draws, and nobody is blamed", async () => {
    const bed = createTestBed();
    const pages = await meet(bed, 3);
    patch(bed, []);
    await bed.clock.advance(2000);
    for (const page of pages) {
      expect(lefts(page)).toEqual([]);
      expect(page.notices.at(-1)).toMatchObject({ kind: "losses", count: 4, by: null });
    }
    const notice = pages[2]!.notices.at(-1);
    if (notice?.kind === "losses") notice.restore();
    await bed.clock.advance(20_000);
    expect(pages.map(lefts)).toEqual(pages.map(() => [1, 2, 3, 4]));
    expect(bed.backend.row?.text).toContain('"left":4');
  });

  test("SAV-62 an older drawing of ours in the row is put right, and the state is not 'saved' for edits that the row lacks", async () => {
    const bed = createTestBed();
    const [ann, ben] = (await meet(bed, 2)) as [Visit, Visit];
    const { row } = bed.backend;
    ann.client.editor.add([stroke(5)]);
    await bed.clock.advance(30_000);
    replaceRow(bed.backend, { ...row!, updatedAt: new Date(bed.clock.now()).toISOString() });
    const states = new Set<string>();
    for (const { client } of [ann, ben])
      client.saveState.subscribe(() => states.add(client.saveState.get().state));
    await bed.clock.advance(1_600);
    expect(bed.backend.row?.text).toContain('"left":5');
    expect([...states]).toEqual(["loading", "waiting", "saving", "saved"]);
    expect([ann, ben].map(({ client }) => client.saveState.get().state)).toEqual([
      "saved",
      "saved",
    ]);
  });

  test("MRG-13 a stroke that was saved while a plain client's large row was on its way stays, and is saved again", async () => {
    const bed = createTestBed();
    const [ann] = (await meet(bed, 1)) as [Visit];
    ann.client.editor.add([stroke(5)]);
    await bed.clock.advance(10_000);
    expect(bed.backend.row?.text).toContain('"left":5');
    patch(bed, [{ type: "Rect", left: 70, width: 9, height: 9, name: "x".repeat(1_500_000) }]);
    await bed.clock.advance(30_000);
    expect(lefts(ann)).toEqual([70, 5]);
    expect(bed.backend.row?.text).toContain('"left":5');
  });

  test("SAV-62 a row that is removed is written again", async () => {
    const bed = createTestBed();
    const pages = await meet(bed, 2);
    bed.backend.row = null;
    bed.backend.rowChanged();
    await bed.clock.advance(1_600);
    expect(JSON.parse(bed.backend.row!["text"])).toMatchObject({ objects: [{}, {}, {}, {}] });
    expect(pages.map(lefts)).toEqual(pages.map(() => [1, 2, 3, 4]));
  });

  test("SAV-71 the state is not 'saved' of a row that nobody has announced until it is read, and a peer's save does not disturb it", async () => {
    const bed = createTestBed();
    const pages = await meet(bed, 5);
    const states: string[][] = pages.map(({ client }) => {
      const said: string[] = [];
      client.saveState.subscribe(() => said.push(client.saveState.get().state));
      return said;
    });
    pages[0]!.client.editor.add([stroke(5)]);
    await bed.clock.advance(20_000);
    expect(states[0]).toContain("saved");
    expect(states.slice(1).flat()).toEqual([]);
    patch(bed, [{ type: "Rect", left: 70, top: 8, width: 9, height: 9, fill: "red" }]);
    await bed.clock.advance(500);
    for (let passed = 0; passed < 1_500; passed += 10) {
      await bed.clock.advance(10);
      for (const page of pages)
        if (page.client.saveState.get().state === "saved") expect(lefts(page)).toContain(70);
    }
    expect(pages.map(({ client }) => client.saveState.get().state)).toEqual(
      pages.map(() => "saved"),
    );
    for (const page of pages) expect(lefts(page)).toEqual([70]);
    expect(states.filter((said) => said.includes("loading")).length).toBeGreaterThan(0);
  });

  test("SAV-71 the state is 'saved' again where a peer's save is doubted, and believed before it would be read", async () => {
    // The pages doubt announcements for 5 s after they read a change.
    for (let pause = 3_000; pause < 4_500; pause += 100) {
      const bed = createTestBed();
      const pages = await meet(bed, 10);
      patch(bed, [{ type: "Rect", left: 70, top: 8, width: 9, height: 9, fill: "red" }]);
      await bed.clock.advance(pause);
      pages[0]!.client.editor.add([stroke(5)]);
      await bed.clock.advance(5_000);
      for (const { client } of pages)
        expect(client.saveState.get(), `after ${pause} ms`).toEqual({ state: "saved" });
    }
  });

  test("SAV-71 an empty board that nobody has saved is read once, and stays 'saved'", async () => {
    const bed = createTestBed();
    const { client } = bed.visit("ann");
    const said: string[] = [];
    client.saveState.subscribe(() => said.push(client.saveState.get().state));
    await bed.clock.advance(20_000);
    expect(bed.backend.counts.peeks).toBeGreaterThan(0);
    expect(said).toEqual(["saved"]);
    expect(reads(bed)).toBe(1);
  });

  test("SAV-63 a save of a peer costs the others no read, though one of 20 may look whether the announcement is true", async () => {
    const bed = createTestBed();
    const pages = await meet(bed, 20);
    const before = reads(bed);
    for (let save = 0; save < 5; save += 1) {
      pages[save]!.client.editor.add([stroke(10 + save)]);
      await bed.clock.advance(20_000);
    }
    // Those that saved read what the ones before them saved.
    expect(reads(bed) - before).toBeLessThanOrEqual(5 + 5);
    expect(pages.map((page) => lefts(page).length)).toEqual(pages.map(() => 9));
  });

  // `PAGES=300` takes about a minute.
  const count = Number(process.env["PAGES"] ?? 100);
  test(
    `SAV-63 one save beside ${count} pages that watch costs the table no read by them, save for the odd check`,
    async () => {
      const bed = createTestBed();
      const pages = await meet(bed, count);
      await bed.clock.advance(60_000);
      const before = { ...bed.backend.counts };
      pages[0]!.client.editor.add([stroke(5)]);
      await bed.clock.advance(20_000);
      expect(bed.backend.counts.updates - before.updates).toBe(1);
      expect(reads(bed) - before.loads).toBeLessThanOrEqual(4);
      expect(bed.backend.counts.peeks - before.peeks).toBeLessThanOrEqual(4);
      expect(pages.filter((page) => lefts(page).length === 5)).toHaveLength(count);
    },
    600 * count,
  );

  test("SAV-63 a client that writes the row and says that it is as before is found out", async () => {
    const bed = createTestBed();
    const pages = await meet(bed, 5);
    const liar = bed.backend.open("liar").openChannel("liar", {
      status: () => undefined,
      presence: () => undefined,
      broadcast: () => undefined,
    });
    await bed.clock.advance(1000);
    const { payload } = bed.backend.wire.findLast(({ event }) => event === EVENTS.digest)!;
    const { digest } = payload as { digest: string };
    for (let again = 0; again < 12; again += 1) {
      patch(bed, []);
      const { updatedAt: at, version: count } = bed.backend.row!;
      liar.send(EVENTS.digest, {
        clientId: "liar",
        digest,
        saved: { at, seen: "x", n: 1, version: count },
      });
      await bed.clock.advance(70_000);
    }
    expect(pages.map(lefts)).toEqual(pages.map(() => []));
    for (const { notices } of pages) expect(notices.at(-1)).toMatchObject({ kind: "losses" });
  });

  test("SAV-64 where the backend reports nothing, a visible page looks at the version every 30 s, and a hidden one when it is seen again", async () => {
    const bed = createTestBed();
    bed.backend.hasRowEvents = false;
    const pages = await meet(bed, 2);
    const [ann, ben] = pages as [Visit, Visit];
    await bed.clock.advance(120_000);
    ben.page("hidden");
    const { peeks } = bed.backend.counts;
    const before = reads(bed);
    await bed.clock.advance(10 * LOOK_INTERVAL);
    expect(bed.backend.counts.peeks - peeks).toBe(10);
    expect(reads(bed)).toBe(before);
    patch(bed, []);
    await bed.clock.advance(LOOK_INTERVAL + 2000);
    expect(lefts(ann)).toEqual([]);
    ben.page("visible");
    await bed.clock.advance(2000);
    expect(lefts(ben)).toEqual([]);
  });

  test("SAV-64 a page that the backend stops reporting to looks by itself", async () => {
    const bed = createTestBed();
    const [ann] = (await meet(bed, 1)) as [Visit];
    await bed.clock.advance(120_000);
    const { peeks } = bed.backend.counts;
    await bed.clock.advance(10 * LOOK_INTERVAL);
    expect(bed.backend.counts.peeks).toBe(peeks);
    bed.backend.hasRowEvents = false;
    bed.backend.evict("page 0");
    await bed.clock.advance(20_000);
    patch(bed, []);
    await bed.clock.advance(LOOK_INTERVAL + 2000);
    expect(lefts(ann)).toEqual([]);
  });
});
