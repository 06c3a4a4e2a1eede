/** The memory that the bodies of requests are received into. */

export interface BodyMemory {
  /** Returns at least `size` bytes with any content. */
  take(size: number): Uint8Array;
  /** Takes back what `take` returned, whole or a part of it, when it is not read any more; ignores anything else. */
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
/** Shared memory at most, in bytes: four bodies of the greatest size, as many as one client may send at once. */
const MAX_SHARED = 64 * 1024 * 1024;

/**
 * Memory for large bodies that the database's thread reads too. Each buffer is used again, and what
 * exceeds `MAX_SHARED` is memory of this thread, which that thread gets a copy of: a shared buffer that is
 * dropped stays for long, since V8 counts no shared memory when it decides to collect, in neither thread.
 * Measured with 10 MB: posting shared memory to that thread takes 0.01 ms, posting a copy 4 ms.
 */
export function createSharedMemory(): BodyMemory {
  const lent = new Set<SharedArrayBuffer>();
  /** Given back; the last one first. */
  let free: SharedArrayBuffer[] = [];
  /** Bytes of both. */
  let total = 0;

  return {
    take: (size) => {
      if (size < SHARED_FROM) return ownMemory.take(size);
      const rounded = roundedUp(size);
      let buffer = free.find(({ byteLength }) => byteLength === rounded);
      free = free.filter((one) => one !== buffer);
      if (buffer === undefined) {
        // Drawings grow: buffers of the sizes that they had before are dropped.
        while (free.length > 0 && total + rounded > MAX_SHARED)
          total -= free.pop()?.byteLength ?? 0;
        if (total + rounded > MAX_SHARED) return ownMemory.take(size);
        buffer = new SharedArrayBuffer(rounded);
        total += rounded;
      }
      lent.add(buffer);
      return new Uint8Array(buffer);
    },
    give: (bytes) => {
      if (!(bytes instanceof Uint8Array)) return;
      const { buffer } = bytes;
      if (buffer instanceof SharedArrayBuffer && lent.delete(buffer)) free = [buffer, ...free];
    },
  };
}

/** A power of two, so that a drawing which grows finds the same buffer again. */
function roundedUp(size: number): number {
  return 2 ** Math.ceil(Math.log2(size));
}
