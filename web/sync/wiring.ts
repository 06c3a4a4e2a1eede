/** The parts of the sync client, built from the leaves to the root. */

import { makeAuthor } from "../../board/author.ts";
import { digest, getObject } from "../../board/board.ts";
import type { Author, ObjectId } from "../../board/drawing.ts";
import type { PeerView } from "../../board/live.ts";
import { EVENTS, type DigestMessage } from "../../board/messages.ts";
import type { ParsedDrawing } from "../../board/parse.ts";
import type { AntiEntropy } from "./channel/anti-entropy.ts";
import type { BackendConfig } from "./environment/backend.ts";
import { SLICE } from "./replica/drawing-text.ts";
import type { Environment } from "./environment/environment.ts";
import { createJournal } from "./device/journal.ts";
import { createLivePlayer } from "./presence/live-player.ts";
import { createLiveSender, liveRate } from "./presence/live-sender.ts";
import { createOutbox } from "./channel/outbox.ts";
import { createPlainClients } from "./replica/plain-clients.ts";
import type { Notice } from "./port.ts";
import { ALONE, type Presence } from "./presence/peers.ts";
import { createReceiver } from "./channel/receiver.ts";
import { createReconnectingChannel } from "./channel/reconnecting-channel.ts";
import { createReplica } from "./replica/replica.ts";
import { createResync } from "./saving/resync.ts";
import { createSharedRow } from "./saving/row.ts";
import { createNoTurns, createSaver } from "./saving/saver.ts";
import { createSaveState } from "./save-state.ts";
import { createEmitter, createSignal } from "./environment/signal.ts";
import { createTimer } from "./environment/timing.ts";

/** Milliseconds before what an unguarded writer took out of the row is saved again. */
const STALE_DELAY = 2_000;
/** Supabase's own limit for a project, where the configuration says nothing. */
const DEFAULT_BUDGET = 100;
export type Parts = Local & Outgoing & Saving & ReturnType<typeof createIncoming>;

/** Opens nothing yet. */
export function createParts(
  config: BackendConfig,
  env: Environment,
  onFault: (fault: unknown) => void,
): Parts {
  const local = createLocal(config, env, onFault);
  const outgoing = createOutgoing(local);
  const saving = createSaving(local, outgoing);
  return { ...local, ...outgoing, ...saving, ...createIncoming(local, outgoing, saving) };
}

/** Stops every timer, and closes the channel, the journal and the backend. */
export async function disposeParts(parts: Parts): Promise<void> {
  const { saver, outbox, receiver, resync, antiEntropy, sender, player } = parts;
  for (const part of [saver, outbox, receiver, resync, antiEntropy, sender, player]) part.stop();
  parts.newcomerTimer.clear();
  parts.orphanTimer.clear();
  parts.staleTimer.clear();
  parts.crowdTimer.clear();
  parts.kept.stop();
  parts.channel.close();
  await parts.journal.close();
  await parts.backend.close();
}

/** Where the copy of the drawing on this device takes part, once its code is there (`kept-drawing.ts`). */
export interface KeptSlot {
  /** The board shows a copy that no row has confirmed yet. */
  isShown: boolean;
  /** Called before a row is merged; null for none. */
  beforeRow: (parsed: ParsedDrawing | null) => void;
  stop: () => void;
}

/** Where presence in a crowd takes part, once its code is there (`crowd.ts`). */
export interface CrowdSlot {
  /** Whether a client that is not listed counts as online. */
  isOnline: (clientId: string) => boolean;
  /** Settles when the last summary was read. */
  read: Promise<unknown>;
}

const createKeptSlot = (): KeptSlot => ({
  isShown: false,
  beforeRow: () => undefined,
  stop: () => undefined,
});

type Local = ReturnType<typeof createLocal>;
type Outgoing = ReturnType<typeof createOutgoing>;
type Saving = ReturnType<typeof createSaving>;

/** What needs nothing but the environment. */
function createLocal(config: BackendConfig, env: Environment, onFault: (fault: unknown) => void) {
  const clientId = env
    .randomId()
    .replace(/[^A-Za-z0-9]/g, "")
    .slice(0, 12);
  const { clock, random } = env;
  const author = authorNow(env, clientId);
  const replica = createReplica({ author, now: clock.now, random, onFault });
  const store = env.openJournalStore(env.log);
  const presence = createSignal<Presence>(ALONE);
  const crowd: CrowdSlot = { isOnline: () => false, read: Promise.resolve() };
  const peers = createEmitter<readonly PeerView[]>(onFault);
  return {
    env,
    budget: config.liveBudget ?? DEFAULT_BUDGET,
    clientId,
    replica,
    journal: createJournal({ store, page: clientId, replica, env }),
    backend: env.openBackend(config),
    presence,
    isOnline: (id: string): boolean =>
      id === clientId || presence.get().peers.has(id) || crowd.isOnline(id),
    crowd,
    /** Whether the backend was reached when it was last called. */
    reached: createSignal(true),
    notices: createEmitter<Notice>(onFault),
    peers,
    player: createLivePlayer({
      clock,
      hasObject: (id) => getObject(replica.board, id) !== undefined,
      onPeers: peers.emit,
    }),
    plainClients: createPlainClients(clock),
    kept: createKeptSlot(),
    turns: createNoTurns(),
    newcomerTimer: createTimer(env.clock),
    orphanTimer: createTimer(env.clock),
    crowdTimer: createTimer(env.clock),
    staleTimer: createTimer(env.clock),
  };
}

/** What broadcasts. */
function createOutgoing(local: Local) {
  const { env, budget, clientId, replica, backend, presence, player, kept } = local;
  const { clock } = env;
  const { board, pending } = replica;
  const channel = createReconnectingChannel(backend, env, clientId);
  return {
    channel,
    outbox: createOutbox({
      clock,
      board,
      clientId,
      presence: presence.get,
      budget,
      // What only this device's copy knows may have been removed since.
      send: (update) => !kept.isShown && channel.send(EVENTS.update, update),
      onSent: pending.markSent,
    }),
    sender: createLiveSender({
      clock,
      clientId,
      rate: (isDrawing) =>
        channel.isJoined ? liveRate(presence.get().online, player, budget, isDrawing) : 0,
      send: (message) => channel.send(EVENTS.live, message),
    }),
    sendDigest: (): void =>
      void channel.send(EVENTS.digest, { clientId, digest: digest(board) } satisfies DigestMessage),
  };
}

/** What reads and writes the row. */
function createSaving(local: Local, { channel, outbox }: Outgoing) {
  const { env, clientId, replica, journal, backend, isOnline, reached, notices } = local;
  const { plainClients, presence, staleTimer, kept, turns } = local;
  const { pending } = replica;
  const needsSave = (): boolean => pending.count > 0 || pending.hasOrphans(isOnline);
  const row = createSharedRow({
    backend,
    replica,
    env,
    isReached: reached.get,
    sentUpdates: () => outbox.sent,
    ready: journal.ready,
    isKept: (object) => plainClients.isUnknownTo(null, object),
    beforeMerge: (parsed) => kept.beforeRow(parsed),
    async onStale(ids) {
      if (!(await noteStale(local, ids))) return;
      saveState.update();
      saveForAll();
    },
  });
  const saver = createSaver({
    row,
    turns,
    env,
    needsSave,
    onError: (text, tooLarge) =>
      notices.emit({ kind: "error", text, ...(tooLarge ? { offer: "authors" } : {}) }),
    onSaved({ digest: saved, context, at, n }) {
      const message: DigestMessage = { clientId, digest: saved, saved: { at, seen: context, n } };
      channel.send(EVENTS.digest, message);
      turns.saved(clientId);
      resync.watch();
    },
    reached,
  });
  const resync = createResync({
    row,
    env,
    mayLook: () => reached.get() && !needsSave(),
    onReach: reached.set,
  });
  /** One client is enough, so the more there are the longer each waits: their saves do not add up. */
  const saveForAll = (): void => {
    const delay = STALE_DELAY * (1 + presence.get().online * env.random());
    const save = (): void => {
      if (needsSave()) saver.saveForPeers();
    };
    if (!staleTimer.isSet) staleTimer.set(delay, save);
  };
  const saveState = createSaveState({ row, saver, resync, reached, pending, journal });
  return { row, saver, resync, saveState, saveForAll };
}

/**
 * What the row lacks and nobody is about to save was in it before: a writer that guards nothing put an older drawing
 * in its place. It is pending again, here and at every client that reads the row; the first save settles it for all.
 * Returns whether there is any.
 */
async function noteStale(
  { env, replica: { board, pending }, journal }: Local,
  ids: readonly ObjectId[],
): Promise<boolean> {
  const known = pending.allIds();
  const stale = ids.filter((id) => !known.has(id));
  // A removal may be a peer's, whose save has not come yet.
  pending.addPeerUpdate(
    null,
    stale.filter((id) => !getObject(board, id)),
  );
  const lost = stale.filter((id) => getObject(board, id));
  for (let from = 0; from < lost.length; from += SLICE) {
    if (from > 0) await env.pause();
    const part = lost.slice(from, from + SLICE);
    pending.addEdit(part);
    journal.write(part);
  }
  return stale.length > 0;
}

/** What acts on the broadcasts of peers. */
function createIncoming(
  { env, clientId, replica, player, plainClients, isOnline, turns }: Local,
  { outbox }: Outgoing,
  { row, saveForAll }: Saving,
) {
  const none = (): void => undefined;
  /** Takes part once its code is there (`later.ts`). */
  const antiEntropy: AntiEntropy = { peerDigest: none, changed: none, stop: none };
  const receiver = createReceiver({
    clientId,
    replica,
    row,
    turns,
    outbox,
    player,
    antiEntropy,
    plainClients,
    env,
    isOnline,
    onOrphans: saveForAll,
  });
  return { antiEntropy, receiver };
}

const DAY_MS = 24 * 60 * 60 * 1000;
const FIRST_DAY = Date.UTC(2020, 0, 1);
/** The author's name begins with the day, in three characters of base 36. */
const MAX_DAY = 36 ** 3 - 1;

function authorNow({ clock }: Environment, clientId: string): Author {
  const day = Math.floor((clock.now() - FIRST_DAY) / DAY_MS);
  return makeAuthor(Math.min(MAX_DAY, Math.max(0, day)), clientId);
}
