/** Where the bodies of requests lie. */

export interface BodyMemory {
  /** At least `size` bytes, with anything in them. */
  take(size: number): Uint8Array;
  /** Back when nobody reads it any more, whole or a part of it; anything else is left alone. */
  give(bytes: unknown): void;
}

/** Memory of this thread alone, for a database that gets the bytes over a socket. */
export const ownMemory: BodyMemory = {
  // Not from Node's pool, which would be kept alive whole.
  take: (size) => Buffer.allocUnsafeSlow(size),
  give: () => {},
};

/** Below this size a copy for the other thread costs less than sharing. */
const SHARED_FROM = 64 * 1024;
/** What may lie unused, in bytes: a body of the greatest size, and one that is half as large. */
const KEPT = 24 * 1024 * 1024;

/**
 * Large bodies in memory that the database's thread reads too, each used again and again. Left to the
 * garbage collection it would pile up: V8 counts no shared memory when it decides to collect.
 */
export function createSharedMemory(): BodyMemory {
  const lent = new WeakSet<SharedArrayBuffer>();
  let free: SharedArrayBuffer[] = [];

  return {
    take: (size) => {
      if (size < SHARED_FROM) return ownMemory.take(size);
      const place = roomFor(size);
      const found = free.find(({ byteLength }) => byteLength === place);
      free = free.filter((one) => one !== found);
      const buffer = found ?? new SharedArrayBuffer(place);
      lent.add(buffer);
      return new Uint8Array(buffer);
    },
    give: (bytes) => {
      if (!(bytes instanceof Uint8Array)) return;
      const { buffer } = bytes;
      if (!(buffer instanceof SharedArrayBuffer) || !lent.delete(buffer)) return;
      // The newest first, since drawings grow: what does not fit beside it is let go.
      let room = KEPT;
      free = [buffer, ...free].filter(({ byteLength }) => (room -= byteLength) >= 0);
    },
  };
}

/** Powers of two, so that a drawing which grows finds its place again. */
function roomFor(size: number): number {
  return 2 ** Math.ceil(Math.log2(size));
}
