/** Bodies of requests, from their first byte until nothing of them is in memory: how much of them may be there at once. */

import { createConcurrencyLimit } from "./concurrency.ts";

export interface Reception {
  /** Counts bytes that have arrived. False when there are too many: nothing more may be kept of this body. */
  arrived(bytes: number): boolean;
  /** The whole body has arrived: it gives way to no other. */
  complete(): void;
  /** Nothing of the body is in memory any more. Further calls do nothing. */
  end(): void;
}

export interface Receptions {
  /**
   * A body begins; it counts with what has arrived of it, and takes a permit when that is large.
   * @param giveWay ends the body, whose permit another has got
   */
  begin(client: string, giveWay: () => void): Reception;
}

export interface ReceptionLimits {
  /** Bytes from which on a body is large, and how many large ones there may be. */
  readonly large: { readonly from: number; readonly perClient: number; readonly inAll: number };
  /** Bytes of bodies that are not large. */
  readonly small: { readonly perClient: number; readonly inAll: number };
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
}

/** Bytes per second below which a body may have to give way: the slowest since its permit was taken does. */
const SLOW = 65_536;
/** Milliseconds after which it is known how fast a body is. */
const JUDGED_AFTER = 1_000;

interface Large {
  readonly client: string;
  readonly since: number;
  bytes: number;
  readonly giveWay: () => void;
  readonly leave: () => void;
}

/** A body that says how long it will be holds nothing by that: only what has arrived counts. */
export function createReceptions({ large, small, now }: ReceptionLimits): Receptions {
  const smallBytes = createConcurrencyLimit({ inAll: small.inAll, perKey: small.perClient });
  const ofClient = createConcurrencyLimit({
    inAll: Number.MAX_SAFE_INTEGER,
    perKey: large.perClient,
  });
  const all = createConcurrencyLimit({ inAll: large.inAll, perKey: large.inAll });
  /** Large ones that are still arriving. */
  const arriving = new Set<Large>();

  const speedOf = ({ bytes, since }: Large): number => (bytes * 1000) / (now() - since);
  /** Ends the slowest of them that is slow. */
  const makeSpace = (fits: (one: Large) => boolean): void => {
    const slow = [...arriving]
      .filter((one) => fits(one) && now() - one.since >= JUDGED_AFTER && speedOf(one) < SLOW)
      .toSorted((a, b) => speedOf(a) - speedOf(b));
    slow[0]?.leave();
    slow[0]?.giveWay();
  };
  const takePermit = (client: string): boolean => {
    const inClient = (): boolean => ofClient.enter(client);
    if (!inClient()) {
      makeSpace((one) => one.client === client);
      if (!inClient()) return false;
    }
    const inAll = (): boolean => all.enter("");
    if (!inAll()) {
      makeSpace(() => true);
      if (!inAll()) {
        ofClient.leave(client);
        return false;
      }
    }
    return true;
  };

  return {
    begin: (client, giveWay) => {
      let counted = 0;
      let ended = false;
      let permit: Large | null = null;
      const leaveSmall = (): void => {
        if (counted > 0) smallBytes.leave(client, counted);
        counted = 0;
      };
      const end = (): void => {
        if (ended) return;
        ended = true;
        leaveSmall();
        if (permit === null) return;
        arriving.delete(permit);
        ofClient.leave(client);
        all.leave("");
      };
      return {
        arrived: (bytes) => {
          if (ended) return false;
          if (permit !== null) {
            permit.bytes += bytes;
            return true;
          }
          if (counted + bytes < large.from) {
            if (!smallBytes.enter(client, bytes)) return false;
            counted += bytes;
            return true;
          }
          if (!takePermit(client)) return false;
          leaveSmall();
          permit = { client, since: now(), bytes: 0, giveWay, leave: end };
          arriving.add(permit);
          return true;
        },
        complete: () => {
          if (permit !== null) arriving.delete(permit);
        },
        end,
      };
    },
  };
}
