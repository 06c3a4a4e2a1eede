import { afterEach, describe, expect, test, vi } from "vitest";
import type { Author } from "../../../board/drawing.ts";
import { stackedObjects } from "../../../board/board.ts";
import { createFakeClock } from "../../../testing/sync/clock.ts";
import type { Environment } from "../environment/environment.ts";
import { createSignal } from "../environment/signal.ts";
import { createPlainClients } from "../replica/plain-clients.ts";
import { createReplica } from "../replica/replica.ts";
import { decodeFrame } from "../supabase/frames.ts";
import { createReceiver } from "./receiver.ts";

const quiet = { error: vi.fn(), warn: vi.fn(), info: vi.fn() };

/** A receiver of an empty board; `slices` has the characters that JSON.parse got between two pauses, `pauses` lets each end. */
function createBench() {
  const pauses = { end: Promise.resolve() };
  const clock = createFakeClock();
  const reading = createSignal(false);
  const slices = [0];
  const env = {
    clock,
    log: quiet,
    pause: async () => {
      slices.push(0);
      await pauses.end;
    },
  } as Partial<Environment> as Environment;
  const replica = createReplica({
    author: "ann" as Author,
    now: () => clock.now(),
    random: () => 0.5,
    onFault: (fault) => {
      throw fault;
    },
  });
  const changed: number[] = [];
  const plainClients = createPlainClients(clock);
  replica.onChanges(({ changes, origin }) => {
    if (origin !== "remote") plainClients.changed(changes, null);
    changed.push(changes.added.length + changes.removed.length + changes.changed.length);
  });
  const receiver = createReceiver({
    clientId: "me",
    replica,
    plainClients,
    reading,
    env,
  });
  const parse = JSON.parse;
  vi.spyOn(JSON, "parse").mockImplementation((text: string) => {
    slices[slices.length - 1] = (slices.at(-1) ?? 0) + text.length;
    return parse(text) as unknown;
  });
  const lefts = (): unknown[] =>
    stackedObjects(replica.board).map((object) => (object as unknown as { left: number }).left);
  const merged = (): Promise<unknown> => new Promise((resolve) => receiver.onMerged(resolve));
  return { clock, pauses, receiver, replica, reading, slices, changed, lefts, merged };
}

function rects(count: number, from = 0): object[] {
  return Array.from({ length: count }, (_, at) => ({
    type: "Rect",
    left: from + at,
    top: 5,
    width: 9,
    height: 9,
  }));
}

/** A plain client's update as the server frames it, decoded as the page does. */
function frame(objects: readonly object[], event = "canvas-update"): unknown {
  const json = { version: "7.4.0", objects, background: "white" };
  const [topic, name, payload] = ["realtime:canvas-room", event, { clientId: "plain", json }].map(
    (part) => new TextEncoder().encode(typeof part === "string" ? part : JSON.stringify(part)),
  ) as [Uint8Array, Uint8Array, Uint8Array];
  const bytes = [4, topic.length, name.length, 0, 1, ...topic, ...name];
  const buffer = new Uint8Array(bytes.length + payload.length);
  buffer.set(bytes);
  buffer.set(payload, bytes.length);
  return decodeFrame(
    buffer.buffer,
    (message: { payload: { payload: unknown } }) => message.payload.payload,
  );
}

afterEach(() => vi.restoreAllMocks());

describe("large updates", () => {
  test("SAV-50 a drawing of 9 MB is never parsed in more than 250,000 characters, nor applied in more than 400 objects, between two pauses", async () => {
    const { receiver, slices, changed, lefts, merged } = createBench();
    const ready = merged();
    const objects = rects(60_000).map((rect, at) => ({
      ...rect,
      top: at / 7,
      name: "x".repeat(70),
    }));
    receiver.receive("canvas-update", frame(objects));
    await ready;
    expect(lefts()).toHaveLength(60_000);
    expect(Math.max(...slices)).toBeLessThan(250_000);
    expect(slices.reduce((sum, one) => sum + one)).toBeGreaterThan(8_000_000);
    expect(Math.max(...changed)).toBeLessThanOrEqual(400);
    expect(changed.length).toBeGreaterThanOrEqual(150);
  });

  test("SAV-50 an update that comes while a large one is read is applied after it", async () => {
    const { receiver, lefts, merged } = createBench();
    receiver.receive("canvas-update", frame(rects(2_000)));
    receiver.receive("canvas-update", frame(rects(3, 5_000)));
    await merged();
    await merged();
    expect(lefts()).toEqual([5_000, 5_001, 5_002]);
  });

  test("SAV-50 a visitor's change between two slices stays", async () => {
    const { receiver, replica, lefts, merged } = createBench();
    receiver.receive("canvas-update", frame(rects(2_000)));
    await merged();
    const [first] = stackedObjects(replica.board);
    if (!first) throw new Error("nothing on the board");
    const ready = merged();
    receiver.receive("canvas-update", frame(rects(2_000, 10_000)));
    const unlisten = replica.onChanges(() => {
      unlisten();
      replica.editor.add([{ ...rects(1, -77)[0], type: "Rect" } as never]);
    });
    await ready;
    expect(lefts()).toHaveLength(2_001);
    expect(lefts()).toContain(-77);
    expect(lefts()).not.toContain(0);
  });

  test("SAV-50 objects drawn and sent just before a large drawing arrived, or since, stay, however long it waits", async () => {
    const { clock, pauses, receiver, replica, lefts, merged } = createBench();
    receiver.receive("canvas-update", frame(rects(2_000)));
    await merged();
    const draw = (left: number): void => {
      const [added] = replica.editor.add([{ ...rects(1, left)[0], type: "Rect" } as never]);
      if (!added) throw new Error("nothing was added");
      replica.pending.markSent([added.id]);
    };
    draw(-1);
    await clock.advance(3_001 + 1_000);
    draw(-2);
    const ready = merged();
    let goOn = (): void => undefined;
    pauses.end = new Promise((resolve) => (goOn = resolve));
    receiver.receive("canvas-update", frame(rects(2_000, 10_000)));
    draw(-3);
    await clock.advance(60_000);
    expect(lefts()).toContain(-1);
    goOn();
    await ready;
    expect(lefts()).toHaveLength(2_002);
    expect(lefts()).toEqual(expect.arrayContaining([-2, -3]));
  });

  test("MRG-13 objects drawn while a large drawing was on its way over a slow connection stay", async () => {
    const { clock, receiver, replica, lefts, merged } = createBench();
    const draw = (left: number): void => {
      const [added] = replica.editor.add([{ ...rects(1, left)[0], type: "Rect" } as never]);
      replica.pending.markSent([added?.id as never]);
    };
    draw(-1);
    await clock.advance(5_000);
    draw(-2);
    await clock.advance(10_000);
    const ready = merged();
    const objects = rects(10).map((rect) => ({ ...rect, name: "x".repeat(100_000) }));
    receiver.receive("canvas-update", frame(objects));
    await ready;
    expect(lefts()).toContain(-2);
    expect(lefts()).not.toContain(-1);
  });

  test("SAV-50 one that comes while the row is read is applied only if it is not a plain client's", async () => {
    const { receiver, reading, lefts, merged } = createBench();
    reading.set(true);
    receiver.receive("canvas-update", frame(rects(2_000)));
    reading.set(false);
    receiver.receive("canvas-update", frame(rects(2, 7)));
    await merged();
    expect(lefts()).toEqual([7, 8]);
  });

  test("MRG-13 a plain client's drawing that comes while the row is read is not applied, as text neither", () => {
    const { receiver, reading, lefts } = createBench();
    const drawing = { version: "7.4.0", objects: rects(2, 7), background: "white" };
    reading.set(true);
    for (const json of [drawing, JSON.stringify(drawing)])
      receiver.receive("canvas-update", { clientId: "plain", json });
    reading.set(false);
    expect(lefts()).toEqual([]);
    receiver.receive("canvas-update", { clientId: "plain", json: JSON.stringify(drawing) });
    expect(lefts()).toEqual([7, 8]);
  });

  test("SAV-50 a large payload of another event is not parsed, and invalid JSON is left out", async () => {
    const { receiver, slices, lefts, merged } = createBench();
    expect(frame(rects(2_000), "canvas-live")).toBeNull();
    receiver.receive("canvas-update", `{"clientId":"plain","json":{"objects":[${"1,".repeat(9)}`);
    receiver.receive("canvas-update", `{"clientId":"plain","x":"${"y".repeat(100_000)}"}`);
    const ready = merged();
    receiver.receive("canvas-update", frame(rects(1, 3)));
    await ready;
    expect(lefts()).toEqual([3]);
    expect(slices.reduce((sum, one) => sum + one)).toBeLessThan(2_000);
  });
});
