/** The end of a text frame of vsn 1.0.0, as the official client writes it behind the payload. */

const TAIL = /\},"ref":(?:null|"([\w-]{0,64})"),"join_ref":(?:null|"([\w-]{0,64})")\}$/;
const TAIL_BYTES = 160;

export function findTail(
  frame: Buffer,
  from: number,
): { at: number; match: RegExpExecArray } | null {
  const start = Math.max(from, frame.length - TAIL_BYTES);
  const match = TAIL.exec(frame.toString("latin1", start));
  return match === null ? null : { at: start + match.index, match };
}

/** Returns the ref of a frame that ends as the official client's do, or null. */
export function refAtEnd(frame: Buffer): string | null {
  return findTail(frame, 0)?.match[1] ?? null;
}
