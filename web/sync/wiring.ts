/** Builds what the sync client consists of, from the leaves to the root. */

import { makeAuthor } from "../../board/author.ts";
import { digest, getObject } from "../../board/board.ts";
import type { Author } from "../../board/drawing.ts";
import type { PeerView } from "../../board/live.ts";
import { EVENTS } from "../../board/messages.ts";
import { createBoardLock } from "./board-lock.ts";
import { createAntiEntropy } from "./channel/anti-entropy.ts";
import { createCrowd } from "./channel/crowd.ts";
import { createNewcomers } from "./channel/newcomers.ts";
import { createOutbox } from "./channel/outbox.ts";
import { createReceiver } from "./channel/receiver.ts";
import { createReconnectingChannel } from "./channel/reconnecting-channel.ts";
import { createDeviceCopy } from "./device/device-copy.ts";
import { createJournal } from "./device/journal.ts";
import type { BackendConfig } from "./environment/backend.ts";
import type { Environment } from "./environment/environment.ts";
import { createEmitter, createSignal, type Signal } from "./environment/signal.ts";
import { createLivePlayer } from "./presence/live-player.ts";
import { createLiveSender, liveRate } from "./presence/live-sender.ts";
import type { Notice } from "./port.ts";
import { ALONE, type Presence } from "./presence/peers.ts";
import { createUpdateRate } from "./presence/update-rate.ts";
import { createPlainClients } from "./replica/plain-clients.ts";
import { createReplica } from "./replica/replica.ts";
import { createSaveState } from "./save-state.ts";
import { createPeerSaves } from "./saving/peer-saves.ts";
import { createResync } from "./saving/resync.ts";
import { createSaveRota } from "./saving/rota.ts";
import { createSharedRow } from "./saving/row.ts";
import { createRowWatch } from "./saving/row-watch.ts";
import { createSaver } from "./saving/saver.ts";

/** Messages per second where the configuration says nothing: Supabase's own limit for a project. */
const DEFAULT_BUDGET = 100;

/** Opens nothing yet, and says nothing of what follows from what: `sync-client.ts` does. */
export function wire(config: BackendConfig, env: Environment, onFault: (fault: unknown) => void) {
  const budget = config.liveBudget ?? DEFAULT_BUDGET;
  const { clock, random } = env;
  const id = env.randomId();
  const clientId = id.replace(/[^A-Za-z0-9]/g, "").slice(0, 12);
  const author = authorNow(env, clientId);
  const replica = createReplica({ author, now: clock.now, random, onFault });
  const { board, pending } = replica;
  const plainClients = createPlainClients(clock);
  const store = env.openJournalStore(env.log);
  const journal = createJournal({ store, page: clientId, replica, env });
  const backend = env.openBackend(config);
  const channel = createReconnectingChannel(backend, env, clientId);
  const announces = config.presenceSummary === true;
  const lock = createBoardLock({ backend, clock, announces });

  const presence = createSignal<Presence>(ALONE);
  const crowd = createCrowd({ clientId, presence, pending, env });
  const { isOnline } = crowd;
  const rate = createUpdateRate(clock, budget, () => presence.get().online);
  const outbox = createOutbox({
    ...{ clock, clientId, replica, presence, rate, channel },
    delay: env.sendDelay,
  });
  const peers = createEmitter<readonly PeerView[]>(onFault);
  const player = createLivePlayer({
    clock,
    hasObject: (object) => getObject(board, object) !== undefined,
    onPeers: peers.emit,
  });
  const sender = createLiveSender({
    clock,
    clientId,
    rate: (isDrawing) =>
      channel.joined.get() && !lock.blocked.get()
        ? liveRate(presence.get().online, player, budget, isDrawing)
        : 0,
    send: (message) => channel.send(EVENTS.live, message),
  });
  const newcomers = createNewcomers({ env, replica, outbox, sender });

  /** Whether the backend was reached when it was last called. */
  const reached = createSignal(true);
  const connected = createConnected(channel.joined, reached);
  const hasOrphans = (): boolean => pending.hasOrphans(isOnline);
  const needsSave = (): boolean => pending.count > 0 || hasOrphans();
  const { ready } = journal;
  const sentUpdates = (): number => outbox.sent;
  const row = createSharedRow({
    ...{ backend, replica, plainClients, env },
    ...{ reached, ready, sentUpdates },
  });
  const rota = createSaveRota({ clientId, pending, row, rate, clock, isOnline });
  const saver = createSaver({
    ...{ row, rota, env, reached, needsSave },
    ...{ held: lock.blocked, onLocked: lock.check },
  });
  const peerSaves = createPeerSaves({ saver, presence, env, hasOrphans, needsSave });
  const resync = createResync({ row, env, reached, needsSave });
  const { saving } = saver;
  const rowWatch = createRowWatch({ row, resync, backend, replica, saving, presence, env });
  const saveState = createSaveState({ row, rowWatch, saver, resync, reached, pending, journal });

  const receiver = createReceiver({ clientId, replica, plainClients, reading: row.reading, env });
  const antiEntropy = createAntiEntropy({
    ...{ env, presence, rate, resync },
    digest: () => digest(board),
  });
  const deviceCopy = createDeviceCopy({ env, replica, row, board: config.supabaseUrl });
  return {
    ...{ clientId, replica, plainClients, journal, backend, channel },
    ...{ presence, crowd, rate, outbox, peers, player, sender, newcomers },
    ...{ reached, connected, row, rota, saver, peerSaves, resync, rowWatch, saveState },
    ...{ lock, announces },
    ...{ receiver, antiEntropy, deviceCopy, notices: createEmitter<Notice>(onFault) },
    /** All that has timers or listeners, in the order in which it is stopped. */
    stoppable: [
      ...[saver, outbox, receiver, resync, rowWatch, antiEntropy, sender, player],
      ...[newcomers, peerSaves, crowd, deviceCopy, lock],
    ],
  };
}

/** Whether the channel is joined and, as far as the browser knows, there is a network. */
function createConnected(joined: Signal<boolean>, reached: Signal<boolean>): Signal<boolean> {
  const connected = createSignal(false);
  for (const signal of [joined, reached])
    signal.subscribe(() => connected.set(joined.get() && reached.get()));
  return connected;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const FIRST_DAY = Date.UTC(2020, 0, 1);
/** The author's name begins with the day, in three characters of base 36. */
const MAX_DAY = 36 ** 3 - 1;

function authorNow({ clock }: Environment, clientId: string): Author {
  const day = Math.floor((clock.now() - FIRST_DAY) / DAY_MS);
  return makeAuthor(Math.min(MAX_DAY, Math.max(0, day)), clientId);
}
