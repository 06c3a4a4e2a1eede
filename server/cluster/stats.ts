import type { ClusterStats } from "./port.ts";

/** Makes the counts of a process, which begin at its start. */
export function freshStats(): { -readonly [Name in keyof ClusterStats]: number } {
  return { up: 1, peers: 0, published: 0, received: 0, unreadable: 0, outdated: 0 };
}
