/** Receives a request's body piece by piece: no step takes as long as copying all of it. */

import type { Readable } from "node:stream";
import type { BodyMemory } from "./memory.ts";

export interface Reception {
  /** Content-Length; null where the sender did not say. */
  readonly announced: number | null;
  /** Bytes at most. */
  readonly limit: number;
  readonly memory: BodyMemory;
  /** What to throw for more than `limit`. */
  readonly tooLarge: () => Error;
}

/** What is reserved at first for a body of unknown size, in bytes. */
const FIRST_SIZE = 64 * 1024;

/** The bytes are in `memory`, to be given back. Rejects with `tooLarge()`, the rest unread, or with the stream's own error (its `statusCode` 400) when the sender is cut off. */
export function receiveBody(stream: Readable, reception: Reception): Promise<Uint8Array> {
  const { announced, limit, memory, tooLarge } = reception;
  if (announced !== null && announced > limit) return Promise.reject(tooLarge());
  let bytes = memory.take(announced ?? FIRST_SIZE);
  let length = 0;

  return new Promise((resolve, reject) => {
    const onData = (chunk: Buffer): void => {
      const needed = length + chunk.length;
      if (needed > limit) {
        fail(tooLarge());
        return;
      }
      if (needed > bytes.length) {
        const larger = memory.take(Math.min(limit, Math.max(needed, 2 * bytes.length)));
        larger.set(bytes.subarray(0, length));
        memory.give(bytes);
        bytes = larger;
      }
      bytes.set(chunk, length);
      length = needed;
    };
    const onEnd = (): void => {
      detach();
      resolve(bytes.subarray(0, length));
    };
    const onError = (error: Error): void => fail(Object.assign(error, { statusCode: 400 }));
    const fail = (error: Error): void => {
      detach();
      memory.give(bytes);
      reject(error);
    };
    const detach = (): void => {
      stream.off("data", onData).off("end", onEnd).off("error", onError);
    };
    stream.on("data", onData).on("end", onEnd).on("error", onError);
  });
}
