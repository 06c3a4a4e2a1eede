/** Receives a request's body piece by piece: no step takes as long as copying all of it. */

import type { Readable } from "node:stream";
import type { Reception as Counted } from "../../limits/receptions.ts";
import type { BodyMemory } from "./memory.ts";

export interface Reception {
  /** The Content-Length; null where the sender did not give it. */
  readonly announced: number | null;
  /** Greatest number of bytes. */
  readonly limit: number;
  /** The size up to which a body over `limit` is read to its end and discarded, so that its sender gets the response. */
  readonly discardTo: number;
  readonly memory: BodyMemory;
  /** Begins to count the received bytes; `giveWay` ends the reception. */
  readonly count: (giveWay: () => void) => Counted;
  /** Returns the error for too many bytes at the same time. */
  readonly busy: () => Error;
  /**
   * Returns the error for more than `limit`. @param read Whether the body was read to its end, since it is within
   * `discardTo`.
   */
  readonly tooLarge: (read: boolean) => Error;
}

/** Bytes that must have arrived before all of the announced size is reserved; until then the memory doubles. */
const BELIEVED_FROM = 1024 * 1024;
const NOTHING = new Uint8Array(0);

/**
 * Receives a body. The returned bytes are in `memory`, to be given back. Rejects with `tooLarge(...)`, or with the
 * stream's own error (its `statusCode` is 400) when the sender is cut off.
 */
export function receiveBody(stream: Readable, reception: Reception): Promise<Uint8Array> {
  const { announced, limit, discardTo, memory, count, busy, tooLarge } = reception;
  if (announced !== null && announced > discardTo) return Promise.reject(tooLarge(false));
  /** The bytes; null once the body is too large, when the rest is only counted. */
  let bytes: Uint8Array | null = announced !== null && announced > limit ? null : NOTHING;
  let length = 0;
  const sizeFor = (needed: number): number =>
    announced !== null && needed >= Math.min(announced, BELIEVED_FROM)
      ? Math.max(announced, needed)
      : Math.min(limit, Math.max(needed, 2 * (bytes?.length ?? 0)));

  return new Promise((resolve, reject) => {
    const onData = (chunk: Buffer): void => {
      const needed = length + chunk.length;
      if (!counted.arrived(chunk.length)) {
        fail(busy());
        return;
      }
      if (needed > discardTo) {
        fail(tooLarge(false));
        return;
      }
      if (needed > limit) discard();
      if (bytes !== null && needed > bytes.length) {
        const larger = memory.take(sizeFor(needed));
        larger.set(bytes.subarray(0, length));
        memory.give(bytes);
        bytes = larger;
      }
      bytes?.set(chunk, length);
      length = needed;
    };
    const onEnd = (): void => {
      detach();
      counted.complete();
      if (bytes === null) reject(tooLarge(true));
      else resolve(bytes.subarray(0, length));
    };
    const onError = (error: Error): void => fail(Object.assign(error, { statusCode: 400 }));
    const fail = (error: Error): void => {
      detach();
      discard();
      counted.end();
      reject(error);
    };
    const discard = (): void => {
      memory.give(bytes);
      bytes = null;
    };
    const detach = (): void => {
      stream.off("data", onData).off("end", onEnd).off("error", onError);
    };
    const counted = count(() => fail(busy()));
    stream.on("data", onData).on("end", onEnd).on("error", onError);
  });
}
