import { Readable } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createSharedMemory, ownMemory } from "./memory.ts";
import { receiveBody } from "./receive.ts";

const LIMIT = 200_000;
const tooLarge = (): Error => new Error("too large");

/** Bytes that differ from each other, in pieces of the given sizes. */
function pieces(sizes: readonly number[]): readonly Buffer[] {
  let next = 0;
  return sizes.map((size) => Buffer.from(Array.from({ length: size }, () => next++ & 0xff)));
}

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
        memory: shared ? createSharedMemory() : ownMemory,
        tooLarge,
      });
      if (sent.length > LIMIT) {
        await expect(received).rejects.toThrow("too large");
      } else {
        const bytes = await received;
        expect(sent.equals(bytes)).toBe(true);
        const isShared = bytes.buffer instanceof SharedArrayBuffer;
        expect(isShared).toBe(shared && (!announced || sent.length >= 65_536));
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
    memory: ownMemory,
    tooLarge,
  });
  stream.push(Buffer.from("four"));
  stream.destroy(new Error("cut off"));
  await expect(received).rejects.toMatchObject({ message: "cut off", statusCode: 400 });
  expect(listening(stream)).toBe(0);
});
