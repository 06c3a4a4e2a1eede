/** The intruders in a simulation: a hostile visitor, and plain clients, which know nothing of our fields. */

import fc from "fast-check";
import { EVENTS } from "../../board/messages.ts";
import type { Channel } from "../../web/sync/environment/backend.ts";
import { replaceRow } from "../network/backend.ts";
import { hostileMessage, hostileRow } from "./hostile.ts";
import { createObservation, resolve, resolveMessage } from "./marks.ts";
import type { TestBed } from "../sync/test-bed.ts";

export interface Intruder {
  /** Performs a random act. */
  act(): void;
  leave(): void;
}

type Plain = Record<string, unknown>;

/** Writes to the row as anybody can, whatever its version. */
function writeRow({ backend, clock }: TestBed, text: string): void {
  const updatedAt = new Date(clock.now()).toISOString();
  replaceRow(backend, { id: backend.row?.id ?? "row-1", updatedAt, text });
}

/**
 * Makes a visitor who forges messages and rows from observed values and from nothing, and writes back rows that it
 * read long ago.
 */
export function createHostile(bed: TestBed): Intruder {
  const { random, backend, clock } = bed;
  const known = createObservation();
  const channel = backend.open("hostile").openChannel("hostile", {
    status: () => undefined,
    presence: () => undefined,
    broadcast: (event, payload) => known.observe({ event, payload }),
  });
  const sample = <T>(arbitrary: fc.Arbitrary<T>): T =>
    fc.sample(arbitrary, { seed: random.integer(0, 2 ** 31), numRuns: 1 })[0] as T;
  const acts: readonly (() => void)[] = [
    () => {
      const { event, payload } = resolveMessage(sample(hostileMessage), known);
      channel.send(event, (payload ?? null) as object);
    },
    () => writeRow(bed, JSON.stringify(resolve(sample(hostileRow), known)) ?? "null"),
    () => {
      const read = backend.row?.text;
      if (read === undefined) return;
      known.rows.push(read);
      clock.setTimer(() => writeRow(bed, read), random.integer(10, 60_000));
    },
  ];
  return { act: () => random.pick(acts)(), leave: channel.close };
}

/**
 * Makes a page with a plain Fabric canvas: each received update replaces its drawing, and after each change it
 * broadcasts the whole drawing, and writes it into the row 5 s later.
 */
export function createPlainClient(bed: TestBed, clientId: string): Intruder {
  const { random, backend, clock } = bed;
  let objects: Plain[] = [];
  let made = 0;
  const channel: Channel = backend.open(clientId).openChannel(clientId, {
    status: (status) => {
      if (status === "joined") channel.track({ online_at: "2026-01-01T00:00:00.000Z" });
    },
    presence: () => undefined,
    broadcast(event, payload) {
      const { json } = (payload ?? {}) as { readonly json?: { readonly objects?: unknown } };
      if (event === EVENTS.update && Array.isArray(json?.objects))
        objects = json.objects.filter(isPlain).map(withoutOurFields);
    },
  });
  const changes: readonly (() => void)[] = [
    () =>
      objects.push({
        type: "Rect",
        left: made++,
        top: 9,
        width: 30,
        height: random.integer(1, 90),
      }),
    () => changeOne("left", random.integer(0, 900)),
    () => changeOne("fill", random.pick(["red", "blue", "#00ff00"])),
    () => objects.splice(random.integer(0, objects.length), 1),
  ];
  const changeOne = (name: string, value: unknown): void => {
    const at = random.integer(0, objects.length);
    objects = objects.map((object, index) =>
      index === at ? { ...object, [name]: value } : object,
    );
  };
  return {
    act() {
      random.pick(changes)();
      const json = { version: "5.3.0", objects, background: "white" };
      channel.send(EVENTS.update, { json, clientId });
      const text = JSON.stringify(json);
      if (random.boolean(0.3)) clock.setTimer(() => writeRow(bed, text), 5_000);
    },
    leave: channel.close,
  };
}

function isPlain(object: unknown): object is Plain {
  return typeof object === "object" && object !== null;
}

/** Returns the properties that Fabric's `toJSON` writes. */
function withoutOurFields({ id: _id, z: _z, stamps: _stamps, life: _life, ...rest }: Plain): Plain {
  return { originX: "left", originY: "top", ...rest };
}
