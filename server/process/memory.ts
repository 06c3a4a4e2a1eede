/** Keeps freed memory in the process, so that large messages cost little more than sending them. */

/** A size just below the one up to which glibc adapts, with space for its own headers. */
const BLOCK_BYTES = 32 * 1024 * 1024 - 65_536;

/**
 * Lets the C library keep up to 64 MB of freed memory instead of returning it to the system immediately: otherwise
 * each large message gets pages from the system, which have to be cleared and mapped, and loses them again. In a
 * topic of ten members that costs more than half as much as sending.
 *
 * glibc learns from what is freed: after a block of its own mapping was freed, smaller ones are cut from
 * the heap, and twice that size may stay free at its end (mallopt(3), M_MMAP_THRESHOLD). The block is
 * never touched, so that it takes no memory, and goes with the next garbage collection. Where the C
 * library is another one, this does nothing.
 */
export function keepFreedMemory(): void {
  void new ArrayBuffer(BLOCK_BYTES);
}
