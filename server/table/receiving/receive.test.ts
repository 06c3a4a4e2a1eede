import { Readable } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createSharedMemory, ownMemory } from "./memory.ts";
import { receiveBody } from "./receive.ts";

const LIMIT = 200_000;
const DISCARD_TO = 250_000;
const tooLarge = (read: boolean): Error =>
  new Error(read ? "read, and too large" : "far too large");

/** Returns bytes that differ from each other, in pieces of the given sizes. */
function pieces(sizes: readonly number[]): readonly Buffer[] {
  let next = 0;
  return sizes.map((size) => Buffer.from(Array.from({ length: size }, () => next++ & 0xff)));
}

const counted = () => ({ arrived: () => true, complete: () => {}, end: () => {} });
const busy = (): Error => new Error("busy");

const listening = (stream: Readable): number =>
  ["data", "error"].reduce((sum, event) => sum + stream.listenerCount(event), 0);

test("TAB-24 pieces of any size become the bytes that were sent, or too many of them", async () => {
  const sizes = fc.array(fc.oneof(fc.nat(10), fc.nat(70_000)), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(sizes, fc.boolean(), fc.boolean(), async (some, announced, shared) => {
      const chunks = pieces(some);
      const sent = Buffer.concat(chunks);
      const stream = Readable.from(chunks, { objectMode: true });
      const received = receiveBody(stream, {
        announced: announced ? sent.length : null,
        limit: LIMIT,
        discardTo: DISCARD_TO,
        memory: shared ? createSharedMemory() : ownMemory,
        count: counted,
        busy,
        tooLarge,
      });
      if (sent.length > LIMIT) {
        const what = sent.length > DISCARD_TO ? "far too large" : "read, and too large";
        await expect(received).rejects.toThrow(what);
      } else {
        const bytes = await received;
        expect(sent.equals(bytes)).toBe(true);
        const isShared = bytes.buffer instanceof SharedArrayBuffer;
        if (!shared || sent.length >= 65_536) expect(isShared).toBe(shared);
      }
      expect(listening(stream)).toBe(0);
    }),
    { numRuns: 200, seed: 20_260_101 },
  );
});

test("TAB-24 a sender that is cut off is a bad request", async () => {
  const stream = new Readable({ read: () => {} });
  const received = receiveBody(stream, {
    announced: 10,
    limit: LIMIT,
    discardTo: DISCARD_TO,
    memory: ownMemory,
    count: counted,
    busy,
    tooLarge,
  });
  stream.push(Buffer.from("four"));
  stream.destroy(new Error("cut off"));
  await expect(received).rejects.toMatchObject({ message: "cut off", statusCode: 400 });
  expect(listening(stream)).toBe(0);
});

test("TAB-19 a body over the limit takes no memory once that is known, and is read to its end", async () => {
  const memory = createSharedMemory();
  const first = memory.take(LIMIT);
  memory.give(first);
  for (const announced of [LIMIT + 1, null]) {
    const stream = Readable.from(pieces([LIMIT, 1]), { objectMode: true });
    const received = receiveBody(stream, {
      announced,
      limit: LIMIT,
      discardTo: DISCARD_TO,
      memory,
      count: counted,
      busy,
      tooLarge,
    });
    await expect(received).rejects.toThrow("read, and too large");
    expect(stream.readableEnded).toBe(true);
    const again = memory.take(LIMIT);
    expect(again.buffer).toBe(first.buffer);
    memory.give(again);
  }
});

test("TAB-19 memory follows the bytes received, not those announced, up to 1 MB", async () => {
  const taken: number[] = [];
  const memory = {
    take: (size: number) => {
      taken.push(size);
      return ownMemory.take(size);
    },
    give: () => {},
  };
  const stream = new Readable({ read: () => {}, objectMode: true });
  const announced = 10_000_000;
  const received = receiveBody(stream, {
    announced,
    limit: announced,
    discardTo: announced,
    memory,
    count: counted,
    busy,
    tooLarge,
  });
  expect(taken).toEqual([]);
  let sent = 0;
  for (const size of [1, 60_000, 500_000, 700_000, announced - 1_260_001]) {
    stream.push(Buffer.alloc(size));
    await expect.poll(() => stream.readableLength).toBe(0);
    sent += size;
    if (sent < 1_000_000) expect(taken.at(-1)).toBeLessThanOrEqual(2 * sent);
  }
  expect(taken.filter((size) => size === announced)).toHaveLength(1);
  stream.push(null);
  expect((await received).length).toBe(announced);
});

test("TAB-19 a body that finds no space, or gives way, ends and gives its memory back", async () => {
  for (const gives of [true, false]) {
    const given: unknown[] = [];
    let ended = 0;
    let end = (): void => {};
    const stream = new Readable({ read: () => {} });
    const received = receiveBody(stream, {
      announced: null,
      limit: LIMIT,
      discardTo: DISCARD_TO,
      memory: { take: (size) => new Uint8Array(size), give: (bytes) => void given.push(bytes) },
      count: (giveWay) => {
        end = giveWay;
        return { arrived: (bytes) => bytes < 100, complete: () => {}, end: () => void ended++ };
      },
      busy,
      tooLarge,
    });
    stream.push(Buffer.alloc(50));
    await expect.poll(() => stream.readableLength).toBe(0);
    if (gives) end();
    else stream.push(Buffer.alloc(100));
    await expect(received).rejects.toThrow("busy");
    expect([ended, (given.at(-1) as Uint8Array).length, listening(stream)]).toEqual([1, 50, 0]);
  }
});
