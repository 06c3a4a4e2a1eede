/**
 * Limits how much of requests' bodies may be there at the same time, from their first byte until nothing of them is
 * in memory.
 */

import { createConcurrencyLimit } from "./concurrency.ts";

export interface Reception {
  /** Counts bytes that have arrived. Returns false when there are too many: nothing more of this body may be stored. */
  arrived(bytes: number): boolean;
  /** Notes that the whole body has arrived, so that it gives way to no other. */
  complete(): void;
  /** Notes that nothing of the body is in memory any more. Further calls have no effect. */
  end(): void;
}

export interface Receptions {
  /**
   * Begins a body. It counts with its received bytes, and takes a permit when it is large.
   * @param giveWay Ends the body, whose permit another one gets.
   */
  begin(client: string, giveWay: () => void): Reception;
}

export interface ReceptionLimits {
  /** The bytes from which a body is large, and the number of large ones. */
  readonly large: { readonly from: number; readonly perClient: number; readonly inAll: number };
  /** The bytes of bodies that are not large. */
  readonly small: { readonly perClient: number; readonly inAll: number };
  /** Returns a monotonic time in milliseconds. */
  readonly now: () => number;
}

/** Bytes per second below which a body may have to give way: of all, the slowest since its permit was taken does. */
const SLOW = 65_536;
/** Milliseconds after which the speed of a body is known. */
const JUDGED_AFTER = 1_000;

interface Large {
  readonly client: string;
  readonly since: number;
  bytes: number;
  readonly giveWay: () => void;
  readonly leave: () => void;
}

/** Makes the limits. Announcing a length reserves nothing: only received bytes count. */
export function createReceptions({ large, small, now }: ReceptionLimits): Receptions {
  const smallBytes = createConcurrencyLimit({ inAll: small.inAll, perKey: small.perClient });
  const ofClient = createConcurrencyLimit({
    inAll: Number.MAX_SAFE_INTEGER,
    perKey: large.perClient,
  });
  const all = createConcurrencyLimit({ inAll: large.inAll, perKey: large.inAll });
  /** Large bodies that are still arriving. */
  const arriving = new Set<Large>();

  const speedOf = ({ bytes, since }: Large): number => (bytes * 1000) / (now() - since);
  /** Ends the slowest body, provided that it is slow. */
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
