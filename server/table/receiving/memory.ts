/** The memory into which requests' bodies are received. */

export interface BodyMemory {
  /** Returns at least `size` bytes with any content. */
  take(size: number): Uint8Array;
  /** Takes back what `take` returned, or a part of it, when it is no longer read; ignores anything else. */
  give(bytes: unknown): void;
}

/** Memory of this thread alone, for a database that receives the bytes over a socket. */
export const ownMemory: BodyMemory = {
  // It is not from Node's pool, all of which would stay in memory.
  take: (size) => Buffer.allocUnsafeSlow(size),
  give: () => {},
};

/** Bytes below which a copy for the other thread costs less than sharing. */
const SHARED_FROM = 64 * 1024;
/**
 * Greatest number of bytes of shared memory: four bodies of the greatest size, as many as one client may send at the
 * same time.
 */
const MAX_SHARED = 64 * 1024 * 1024;

/**
 * Memory for large bodies that the database's thread reads too. Each buffer is reused, and beyond `MAX_SHARED` memory
 * of this thread is used, of which that thread gets a copy: a shared buffer that is dropped stays in memory for long,
 * since V8 counts no shared memory when it decides to collect, in neither thread. Measured with 10 MB: posting shared
 * memory to that thread takes 0.01 ms, posting a copy 4 ms.
 */
export function createSharedMemory(): BodyMemory {
  const lent = new Set<SharedArrayBuffer>();
  /** The buffers that were given back, the last one first. */
  let free: SharedArrayBuffer[] = [];
  /** Bytes of all buffers, used and free. */
  let total = 0;

  return {
    take: (size) => {
      if (size < SHARED_FROM) return ownMemory.take(size);
      const rounded = roundedUp(size);
      let buffer = free.find(({ byteLength }) => byteLength === rounded);
      free = free.filter((one) => one !== buffer);
      if (buffer === undefined) {
        // Drawings grow: buffers of their earlier sizes are dropped.
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

/** Rounds up to a power of two, so that a growing drawing finds the same buffer again. */
function roundedUp(size: number): number {
  return 2 ** Math.ceil(Math.log2(size));
}
