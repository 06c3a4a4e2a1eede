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

/** A table whose row another program changes before each guarded save of this client. */
function createContestedTable() {
  const theirs = [stored("bob-0", 1)];
  const texts = [textOf(...theirs)];
  let faults = 0;
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
      // Before a save that is not guarded too: nobody has read that change.
      if (force || theirs.length < 4) change();
      if (!force && guard.version !== texts.length) return ok(null);
      texts.push(pieces.join(""));
      return ok(version());
    },
    loadReplaced: async (replaced) =>
      faults-- > 0 ? { ok: false, fault: NETWORK } : ok(texts[replaced - 1] ?? null),
  };
  return {
    backend: backend as Backend,
    failHistory: (times: number) => void (faults = times),
    row: () => texts.at(-1) ?? "",
  };
}

test("SAV-10 what a save replaced that went first after lost races is merged, also when the history cannot be read at once", async () => {
  const clock = createFakeClock();
  const table = createContestedTable();
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
    ...{ reached: createSignal(true), ready: Promise.resolve(), updates: { sent: 0 } },
  });
  await row.refresh();
  replica.editor.add([rect(20) as NewObject]);
  table.failHistory(1);
  const first = row.save(() => true);
  await clock.advance(10_000);
  expect(await first).toEqual({ ok: false, fault: NETWORK });
  expect(replica.pending.count).toBe(1);
  const second = row.save(() => true);
  await clock.advance(10_000);
  expect(await second).toEqual({ ok: true, written: true });
  expect(table.row()).toContain('"bob-4"');
  expect(replica.pending.count).toBe(0);
});
