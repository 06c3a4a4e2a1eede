import { expect, test } from "vitest";
import type { Author, NewObject } from "../../../board/drawing.ts";
import { createFakeClock } from "../../../testing/sync/clock.ts";
import type { Backend, Fault, RowVersion } from "../environment/backend.ts";
import type { Environment } from "../environment/environment.ts";
import { createSignal } from "../environment/signal.ts";
import { createPlainClients } from "../replica/plain-clients.ts";
import { createReplica } from "../replica/replica.ts";
import { createSharedRow } from "./row.ts";

const NETWORK: Fault = { kind: "network", message: "no network" };
const rect = (left: number) => ({ type: "Rect", left, width: 9, height: 9 });
const textOf = (...objects: object[]): string =>
  JSON.stringify({
    version: "7.4.0",
    objects,
    background: "white",
    inkpool: { format: 1, seen: {} },
  });
const stored = (id: string, left: number) => ({ ...rect(left), id, z: left });

/** A table whose row another program changes before so many guarded saves of this client. */
function createContestedTable(races: number) {
  const theirs = [stored("bob-0", 1)];
  const texts = [textOf(...theirs)];
  let faults = 0;
  let unguarded = 0;
  let history: (version: number) => string | null = (version) => texts[version - 1] ?? null;
  const change = (): void => {
    theirs.push(stored(`bob-${theirs.length}`, theirs.length + 1));
    texts.push(textOf(...theirs));
  };
  const version = (): RowVersion => ({
    ...{ id: "row", version: texts.length, updatedAt: String(texts.length) },
  });
  const ok = <T>(value: T) => ({ ok: true, value }) as const;
  const backend: Partial<Backend> = {
    load: async () => ok({ ...version(), json: texts.at(-1) }),
    peek: async () => ok(version()),
    findId: async () => ok("row"),
    async update(guard, { pieces }, _at, force = false) {
      if (force) unguarded += 1;
      // Before a save that is not guarded too: nobody has read that change.
      if (force || theirs.length <= races) change();
      if (!force && guard.version !== texts.length) return ok(null);
      texts.push(pieces.join(""));
      return ok(version());
    },
    loadReplaced: async (replaced) =>
      faults-- > 0 ? { ok: false, fault: NETWORK } : ok(history(replaced)),
  };
  return {
    backend: backend as Backend,
    failHistory: (times: number) => void (faults = times),
    setHistory: (text: string | null) => void (history = () => text),
    row: () => texts.at(-1) ?? "",
    unguarded: () => unguarded,
  };
}

/** A client that has read the contested row and drawn a rectangle. */
async function openClient(table: ReturnType<typeof createContestedTable>) {
  const clock = createFakeClock();
  const replica = createReplica({
    ...{ author: "ann" as Author, now: clock.now, random: () => 0.5 },
    onFault: (fault) => {
      throw fault;
    },
  });
  const env = {
    ...{ clock, random: () => 0, pause: async () => undefined, log: console },
  } as unknown as Environment;
  const row = createSharedRow({
    ...{ backend: table.backend, replica, plainClients: createPlainClients(clock), env },
    ...{ reached: createSignal(true), ready: () => Promise.resolve(), updates: { sent: 0 } },
  });
  await row.refresh();
  replica.editor.add([rect(20) as NewObject]);
  const save = async () => {
    const outcome = row.save(() => true);
    await clock.advance(10_000);
    return outcome;
  };
  return { replica, save };
}

test("SAV-10 a save that loses twelve races stays guarded, and replaces nothing that it has not read", async () => {
  const table = createContestedTable(12);
  const { replica, save } = await openClient(table);
  expect(await save()).toEqual({ ok: true, written: true });
  expect(table.unguarded()).toBe(0);
  expect(table.row()).toContain('"bob-12"');
  expect(replica.pending.count).toBe(0);
});

test("SAV-72 what a save replaced that went first after lost races is merged, also when the history cannot be read at once", async () => {
  const table = createContestedTable(15);
  const { replica, save } = await openClient(table);
  table.failHistory(1);
  expect(await save()).toEqual({ ok: false, fault: NETWORK });
  expect(replica.pending.count).toBe(1);
  expect(await save()).toEqual({ ok: true, written: true });
  expect(table.unguarded()).toBe(1);
  expect(table.row()).toContain('"bob-16"');
  expect(replica.pending.count).toBe(0);
});

test.each([null, JSON.stringify({ objects: [rect(1)] })])(
  "SAV-72 a save that went first is not repeated where the history has nothing to merge: %o",
  async (text) => {
    const table = createContestedTable(15);
    const { save } = await openClient(table);
    table.setHistory(text);
    expect(await save()).toEqual({ ok: true, written: true });
    expect(table.unguarded()).toBe(1);
  },
);
