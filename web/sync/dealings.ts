/** Dealings with the others: what they say, what they are shown, and whether the boards agree. Late code: see `others.ts`. */

import { digest, getObject } from "../../board/board.ts";
import type { LiveSink, PeerView } from "../../board/live.ts";
import { createAgreement } from "./agreement.ts";
import { createHearing } from "./hearing.ts";
import { createLivePlayer } from "./live-play.ts";
import { createLiveSender, liveRate } from "./live-send.ts";
import type { Link } from "./link.ts";
import type { Outbox } from "./outbox.ts";
import { createPace } from "./pace.ts";
import type { Notice } from "./port.ts";
import type { Company } from "./presence.ts";
import type { Replica } from "./replica.ts";
import type { Resync } from "./resync.ts";
import type { SharedRow } from "./row.ts";
import { DIGEST, LIVE } from "./wire.ts";
import type { World } from "./world.ts";

export interface Dealings {
  /** What this person is doing right now. */
  readonly live: LiveSink;
  /** A message from outside: of any shape, and of any size that the backend lets pass. */
  broadcast(event: string, payload: unknown): void;
  /** Somebody came or left. */
  present(isHere: (clientId: string) => boolean, newcomers: boolean): void;
  /** Milliseconds between two updates of this page. */
  interval(): number;
  /** The row has been read: updates that waited for that are taken in. */
  drain(): void;
  /** The board changed here, or the channel was joined. */
  changed(): void;
  stop(): void;
}

export interface DealingsParts {
  readonly clientId: string;
  readonly world: World;
  readonly replica: Replica;
  readonly row: SharedRow;
  readonly link: Link;
  readonly outbox: Outbox;
  readonly resync: Resync;
  /** Messages a second that the whole room may cost. */
  readonly budget: number;
  readonly company: () => Company;
  readonly notify: (notice: Notice) => void;
  readonly onPeers: (peers: readonly PeerView[]) => void;
}

export function createDealings(parts: DealingsParts): Dealings {
  const { clientId, replica, link, resync, budget, company } = parts;
  const { clock, random, log } = parts.world;
  const { board } = replica;

  const sender = createLiveSender({
    clock,
    clientId,
    rate: () => (link.joined ? liveRate(company().online, budget) : 0),
    send: (message) => link.send(LIVE, message),
  });
  const player = createLivePlayer({
    clock,
    hasObject: (id) => getObject(board, id) !== undefined,
    onPeers: parts.onPeers,
  });
  const agreement = createAgreement({
    clock,
    random,
    digest: () => digest(board),
    inCompany: () => company().others.size > 0,
    catchUp: () => resync.run(),
    tell: () => void link.send(DIGEST, { clientId, digest: digest(board) }),
  });
  const pace = createPace(clock, budget, () => company().online);
  const hearing = createHearing({ ...parts, player, agreement, pace, log });
  // What changed before there was anybody is to be agreed on too.
  agreement.changed();

  return {
    live: sender.sink,
    broadcast: hearing.broadcast,
    present(isHere, newcomers) {
      player.keep(isHere);
      if (newcomers) sender.introduce();
    },
    interval: () => pace.interval(),
    drain: hearing.drain,
    changed: agreement.changed,
    stop() {
      for (const part of [sender, player, agreement, hearing]) part.stop();
    },
  };
}
