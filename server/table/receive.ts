/** The bytes of a request's body, put in their place as they come: no moment is spent on all of them at once. */

import type { Readable } from "node:stream";

export interface Reception {
  /** Content-Length; null where the sender did not say. */
  readonly announced: number | null;
  /** Bytes at most. */
  readonly limit: number;
  /** Whether a large body is to lie in shared memory. */
  readonly shared: boolean;
  /** What to throw for more than `limit`. */
  readonly tooLarge: () => Error;
}

/** From this size on a body is shared with the database's thread; the copy of a smaller one costs less. */
const SHARED_FROM = 64 * 1024;
/** Room for a body of unknown size to begin with, in bytes. */
const FIRST_ROOM = 64 * 1024;

/** Rejects with `tooLarge()`, the rest unread, or with the stream's own error (its `statusCode` 400) when the sender is cut off. */
export function receiveBody(stream: Readable, reception: Reception): Promise<Uint8Array> {
  const { announced, limit, shared, tooLarge } = reception;
  if (announced !== null && announced > limit) return Promise.reject(tooLarge());
  let bytes = allocate(announced ?? FIRST_ROOM, shared);
  let length = 0;

  return new Promise((resolve, reject) => {
    const onData = (chunk: Buffer): void => {
      const needed = length + chunk.length;
      if (needed > limit) {
        detach();
        reject(tooLarge());
        return;
      }
      if (needed > bytes.length) {
        const larger = allocate(Math.min(limit, Math.max(needed, 2 * bytes.length)), shared);
        larger.set(bytes.subarray(0, length));
        bytes = larger;
      }
      bytes.set(chunk, length);
      length = needed;
    };
    const onEnd = (): void => {
      detach();
      resolve(bytes.subarray(0, length));
    };
    const onError = (error: Error): void => {
      detach();
      reject(Object.assign(error, { statusCode: 400 }));
    };
    const detach = (): void => {
      stream.off("data", onData).off("end", onEnd).off("error", onError);
    };
    stream.on("data", onData).on("end", onEnd).on("error", onError);
  });
}

/** Not from Node's pool, whose whole block would go along to the other thread. */
function allocate(size: number, shared: boolean): Uint8Array {
  return shared && size >= SHARED_FROM
    ? new Uint8Array(new SharedArrayBuffer(size))
    : Buffer.allocUnsafeSlow(size);
}
