/** Receives the broadcasts of peers, and does what each of them asks for. */

import type { AdoptOptions } from "../../../board/adopt.ts";
import { digest } from "../../../board/board.ts";
import type { BoardChanges, ObjectId } from "../../../board/drawing.ts";
import {
  EVENTS,
  parseDigest,
  parseLive,
  parseUpdate,
  type DigestMessage,
  type UpdateMessage,
} from "../../../board/messages.ts";
import { parseDrawingSlices, type ParsedDrawing } from "../../../board/parse.ts";
import type { AntiEntropy } from "./anti-entropy.ts";
import { finish, mergeSlices, SLICE } from "../replica/drawing-text.ts";
import type { Environment } from "../environment/environment.ts";
import type { LivePlayer } from "../presence/live-player.ts";
import type { Outbox } from "./outbox.ts";
import type { PlainClients } from "../replica/plain-clients.ts";
import { idsOfChanges, type Replica } from "../replica/replica.ts";
import type { SharedRow } from "../saving/row.ts";
import type { SaveTurns } from "../saving/saver.ts";

export interface Receiver {
  /** A broadcast: of any shape, and of any size that the backend lets pass. Never throws. */
  receive(event: string, payload: unknown): void;
  stop(): void;
}

export interface ReceiverParts {
  /** This client's, whose own broadcasts are ignored. */
  readonly clientId: string;
  readonly replica: Replica;
  readonly row: SharedRow;
  readonly turns: SaveTurns;
  readonly outbox: Outbox;
  readonly player: LivePlayer;
  readonly antiEntropy: AntiEntropy;
  readonly plainClients: PlainClients;
  readonly env: Environment;
  readonly isOnline: (clientId: string) => boolean;
  /** A client that is gone, or was never there, changed something: it will not save it. */
  readonly onOrphans: () => void;
}

type ReadDrawing = Extract<ParsedDrawing, { ok: true }>;

/** With more updates waiting than this the oldest go: the digests will differ, and the row will contain them. */
const MAX_WAITING = 1_000;
/** Milliseconds between two answers to digests: pending edits are sent again to peers that may have missed them. */
const RESEND_INTERVAL = 3_000;

/** Waits for broadcasts. */
export function createReceiver(parts: ReceiverParts): Receiver {
  const { clientId, row, outbox, player, env } = parts;
  const { log } = env;
  /** In the order of arrival. */
  const waiting: UpdateMessage[] = [];
  let isApplying = false;
  let stopped = false;
  let resentAt = Number.NEGATIVE_INFINITY;

  /** None while the row is being read: the row is older than they are. A small update is applied before the call returns. */
  const applyWaiting = async (): Promise<void> => {
    if (isApplying) return;
    isApplying = true;
    try {
      while (!stopped && !row.reading.get()) {
        const update = waiting.shift();
        if (!update) return;
        const applied = applyUpdate(parts, update);
        if (applied) await applied.catch((fault: unknown) => log.error(fault));
      }
    } catch (fault) {
      log.error(fault);
    } finally {
      isApplying = false;
    }
  };
  const stopWatching = row.reading.subscribe(() => void applyWaiting());

  return {
    receive(event, payload) {
      if (stopped) return;
      try {
        if (event === EVENTS.update) {
          const update = parseUpdate(payload);
          if (!update.ok || update.value.clientId === clientId) return;
          // What a plain client says during a load is older than the row, and is not applied.
          if (row.reading.get() && isPlain(update.value.json)) return;
          outbox.rate.peerSent(update.value.clientId);
          waiting.push(update.value);
          if (waiting.length > MAX_WAITING) waiting.shift();
          void applyWaiting();
        } else if (event === EVENTS.live) {
          const live = parseLive(payload);
          if (live.ok && live.value.clientId !== clientId) player.receive(live.value);
        } else if (event === EVENTS.digest) {
          const message = parseDigest(payload);
          if (!message.ok || message.value.clientId === clientId) return;
          const now = env.clock.now();
          const mayResend = now - resentAt >= RESEND_INTERVAL || now < resentAt;
          if (applyDigest(parts, message.value, mayResend)) resentAt = now;
        }
      } catch (fault) {
        // A message that breaks something here must not break the client library's own work as well.
        log.error(fault);
      }
    },
    stop() {
      stopped = true;
      stopWatching();
    },
  };
}

function isPlain(json: unknown): boolean {
  return typeof json === "object" && json !== null && !Object.hasOwn(json, "inkpool");
}

/** Parses and merges an update: a small one at once, a large one in slices. Returns the rest of the work, if any. */
function applyUpdate(parts: ReceiverParts, update: UpdateMessage): Promise<void> | undefined {
  const slices = parseDrawingSlices(update.json, SLICE);
  const first = slices.next();
  if (first.done === true && isSmall(first.value)) {
    const drawing = readParsed(parts, first.value);
    if (drawing) afterUpdate(parts, update, [mergeAtOnce(parts, update, drawing)]);
    return undefined;
  }
  return (async () => {
    await parts.env.pause();
    const parsed = first.done === true ? first.value : await finish(slices, parts.env);
    const drawing = readParsed(parts, parsed);
    if (!drawing) return;
    const changes = drawing.foreign
      ? [mergeAtOnce(parts, update, drawing)]
      : await mergeSlices(
          drawing.drawing,
          (part) => parts.replica.receive(part, update),
          parts.env,
        );
    if (!drawing.foreign) for (const one of changes) parts.plainClients.changed(one, null);
    afterUpdate(parts, update, changes);
  })();
}

function isSmall(parsed: ParsedDrawing): boolean {
  return !parsed.ok || parsed.drawing.objects.length <= SLICE;
}

/** Logs what was left out. Null for an update that cannot be used at all. */
function readParsed({ env }: ReceiverParts, parsed: ParsedDrawing): ReadDrawing | null {
  const reason = parsed.ok ? parsed.faults[0]?.reason : parsed.reason;
  if (reason !== undefined) env.log.warn(`An update was left out, in part or whole: ${reason}`);
  return parsed.ok ? parsed : null;
}

function mergeAtOnce(
  { replica, plainClients }: ReceiverParts,
  update: UpdateMessage,
  parsed: ReadDrawing,
): BoardChanges {
  if (!parsed.foreign) {
    const merged = replica.receive(parsed.drawing, update);
    plainClients.changed(merged, null);
    return merged;
  }
  const { clientId } = update;
  const unsent = replica.pending.unsentIds();
  const options: AdoptOptions = {
    removes: plainClients.removes(clientId, parsed.leftOut),
    isKept: (object) => unsent.has(object.id) || plainClients.isUnknownTo(clientId, object),
  };
  const changes = replica.adopt(parsed, options, { clientId });
  plainClients.changed(changes, clientId);
  return changes;
}

/** What follows from an update that was merged. */
function afterUpdate(
  { replica, player, antiEntropy, isOnline, onOrphans }: ReceiverParts,
  update: UpdateMessage,
  changes: readonly BoardChanges[],
): void {
  const ids = new Set<ObjectId>(changes.flatMap((one) => [...idsOfChanges(one)]));
  replica.pending.addPeerUpdate(update.clientId, ids);
  if (ids.size > 0 && !isOnline(update.clientId)) onOrphans();
  player.arrived(ids);
  if (ids.size > 0) antiEntropy.changed();
  if (update.digest !== undefined) antiEntropy.peerDigest(update.digest);
}

/** A digest is a hint. Returns whether pending edits are sent again. */
function applyDigest(
  { replica, row, turns, outbox, antiEntropy }: ReceiverParts,
  { clientId, digest: theirs, saved }: DigestMessage,
  mayResend: boolean,
): boolean {
  antiEntropy.peerDigest(theirs);
  if (saved) {
    row.peerSaved();
    turns.saved(clientId);
    return false;
  }
  if (!mayResend || theirs === digest(replica.board) || replica.pending.count === 0) return false;
  // The peer may have missed what this page drew and nobody has saved yet.
  outbox.add(replica.pending.ownIds());
  return true;
}
