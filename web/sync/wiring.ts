/** Builds what the sync client consists of, from the leaves to the root. */

import { makeAuthor } from "../../board/author.ts";
import { digest, getObject } from "../../board/board.ts";
import type { Author, ObjectId } from "../../board/drawing.ts";
import { EVENTS } from "../../board/messages.ts";
import { createBoardLock } from "./board-lock.ts";
import { createAntiEntropy } from "./channel/anti-entropy.ts";
import { createCrowd } from "./channel/crowd.ts";
import { createDigests } from "./channel/digests.ts";
import { createNewcomers } from "./channel/newcomers.ts";
import { createOutbox } from "./channel/outbox.ts";
import { createReceiver } from "./channel/receiver.ts";
import { createReconnectingChannel } from "./channel/reconnecting-channel.ts";
import { createDeviceCopy } from "./device/device-copy.ts";
import { createJournal } from "./device/journal.ts";
import type { BackendConfig } from "./environment/backend.ts";
import type { Environment, PageEvent } from "./environment/environment.ts";
import { createEmitter, createSignal, type Signal } from "./environment/signal.ts";
import { createLivePlayer } from "./presence/live-player.ts";
import { createLiveSender, liveRate } from "./presence/live-sender.ts";
import { lazyTakeBack, lazyVersions } from "./on-demand.ts";
import { createClearing, createLossOffer } from "./offers.ts";
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

const DAY_MS = 24 * 60 * 60 * 1000;
const FIRST_DAY = Date.UTC(2020, 0, 1);

function authorNow({ clock }: Environment, clientId: string): Author {
  const day = Math.floor((clock.now() - FIRST_DAY) / DAY_MS);
  return makeAuthor(day, clientId);
}

/** The board, and the ways to its peers. */
function wireLink(config: BackendConfig, env: Environment, onFault: (fault: unknown) => void) {
  const { clock, random } = env;
  // Before the client library listens: it closes its socket when the page unloads.
  const page = createEmitter<PageEvent>(onFault);
  const stopPage = env.page.listen(page.emit);
  const clientId = env.randomId();
  const author = authorNow(env, clientId);
  const replica = createReplica({ author, now: clock.now, random, onFault });
  const plainClients = createPlainClients(clock);
  const store = env.openJournalStore(env.log);
  const journal = createJournal({ store, page: clientId, replica, env });
  const backend = env.openBackend(config);
  const channel = createReconnectingChannel(backend, env, clientId);
  const lock = createBoardLock({ backend, clock, announces: config.presenceSummary === true });
  const presence = createSignal<Presence>(ALONE);
  const crowd = createCrowd({ clientId, presence, env });
  const notices = createEmitter<Notice>(onFault);
  return {
    ...{ page, stopPage, clientId, replica, plainClients, journal, backend, channel },
    ...{ lock, presence, crowd, notices },
  };
}

type LinkUser = "clientId" | "replica" | "channel" | "presence" | "lock";

/** Connects the live messages that peers are sent, and the previews of theirs. `budget`: messages per second. */
function wireLive(
  link: Pick<ReturnType<typeof wireLink>, LinkUser>,
  env: Environment,
  budget: number,
) {
  const { clientId, replica, channel, presence, lock } = link;
  const { clock, sendDelay: delay } = env;
  const { board } = replica;
  const rate = createUpdateRate(clock, budget, () => presence.get().online);
  const outbox = createOutbox({ clock, clientId, replica, presence, rate, channel, delay });
  const hasObject = (object: ObjectId): boolean => getObject(board, object) !== undefined;
  const player = createLivePlayer({ clock, hasObject });
  const sender = createLiveSender({
    clock,
    clientId,
    rate: (isDrawing) =>
      channel.joined.get() && !lock.blocked.get()
        ? liveRate(presence.get().online, player, budget, isDrawing)
        : 0,
    send: (message) => channel.send(EVENTS.live, message),
  });
  const newcomers = createNewcomers({ env, outbox, sender });
  const digests = createDigests({ clientId, replica, channel });
  return { rate, outbox, player, sender, newcomers, digests };
}

/** Whether the channel is joined and, as far as the browser knows, there is a network. */
function createConnected(joined: Signal<boolean>, reached: Signal<boolean>): Signal<boolean> {
  const connected = createSignal(false);
  for (const signal of [joined, reached])
    signal.subscribe(() => connected.set(joined.get() && reached.get()));
  return connected;
}

/** Opens nothing yet, and listens to nothing but the page: `sync-client.ts` says what follows from what. */
export function wire(config: BackendConfig, env: Environment, onFault: (fault: unknown) => void) {
  const { clock } = env;
  const link = wireLink(config, env, onFault);
  const { clientId, replica, plainClients, journal, backend, channel } = link;
  const { lock, presence, crowd, notices } = link;
  const { board, pending } = replica;
  const { isOnline } = crowd;
  const budget = config.liveBudget ?? DEFAULT_BUDGET;
  const live = wireLive(link, env, budget);
  const { rate, outbox, player, sender, newcomers } = live;

  /** Whether the backend was reached when it was last called. */
  const reached = createSignal(true);
  const connected = createConnected(channel.joined, reached);
  const hasOrphans = (): boolean => pending.hasOrphans(isOnline);
  const needsSave = (): boolean => pending.count > 0 || hasOrphans();
  const { ready } = journal;
  const row = createSharedRow({
    ...{ backend, replica, plainClients, env },
    ...{ reached, ready, updates: outbox },
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
  const losses = createLossOffer({ clientId, replica, presence, crowd, saver, notices });
  const clearing = createClearing({ row, replica, saver, notices });
  const taking = { backend, channel, clientId, notices, presence, replica, saver };
  const takeBack = lazyTakeBack(taking, env);
  const versions = lazyVersions({ backend, replica, row, saver, notices, lock }, env);
  /** All that has timers or listeners, in the order in which it is stopped. */
  const stoppable = [
    ...[saver, outbox, receiver, resync, rowWatch, antiEntropy, sender, player],
    ...[newcomers, peerSaves, crowd, deviceCopy, lock],
  ];
  return {
    ...link,
    ...live,
    ...{ reached, connected, row, rota, saver, peerSaves, resync, rowWatch, saveState },
    ...{ receiver, antiEntropy, deviceCopy, losses, clearing, takeBack, versions },
    stop(): void {
      link.stopPage();
      for (const part of stoppable) part.stop();
      channel.close();
    },
  };
}

/** The named components of the sync client. A function that gets more than seven of them knows too much. */
export type Wired<Name extends keyof ReturnType<typeof wire>> = Pick<ReturnType<typeof wire>, Name>;
