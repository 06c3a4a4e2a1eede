/** The receiver parses the broadcasts of peers and merges their updates, one after the other. */

import type { AdoptOptions } from "../../../board/adopt.ts";
import type { BoardChanges, ObjectId } from "../../../board/drawing.ts";
import {
  EVENTS,
  parseDigest,
  parseLive,
  parseUpdate,
  type DigestMessage,
  type LiveMessage,
  type UpdateMessage,
} from "../../../board/messages.ts";
import { parseDrawingSlices, type ParsedDrawing } from "../../../board/parse.ts";
import { finish, mergeSlices, SLICE } from "../replica/drawing-text.ts";
import type { Environment } from "../environment/environment.ts";
import { createEmitter, type Signal } from "../environment/signal.ts";
import type { PlainClients } from "../replica/plain-clients.ts";
import { idsOfChanges, type Replica } from "../replica/replica.ts";

/** An update of a peer that was merged. */
export interface MergedUpdate {
  readonly clientId: string;
  /** The objects that it changed. */
  readonly ids: ReadonlySet<ObjectId>;
  /** The digest of the sender's board, if the update has one. */
  readonly digest: string | undefined;
}

export interface Receiver {
  /** Takes a broadcast, of any shape, and of any size that the backend lets pass. Never throws. */
  receive(event: string, payload: unknown): void;
  /** An update of this client arrived. It may wait before it is merged. */
  onUpdate(listener: (clientId: string) => void): () => void;
  onMerged(listener: (update: MergedUpdate) => void): () => void;
  onLive(listener: (message: LiveMessage) => void): () => void;
  onDigest(listener: (message: DigestMessage) => void): () => void;
  stop(): void;
}

export interface ReceiverDependencies {
  /** This client's id: its own broadcasts are ignored. */
  readonly clientId: string;
  readonly replica: Replica;
  readonly plainClients: PlainClients;
  /** Whether the row is being read: updates wait for its end, since the row is older than they are. */
  readonly reading: Signal<boolean>;
  readonly env: Environment;
}

type ReadDrawing = Extract<ParsedDrawing, { ok: true }>;

/** With more updates waiting than this the oldest go: the digests will differ, and the row will contain them. */
const MAX_WAITING = 1_000;
/** Waits for broadcasts. */
export function createReceiver(dependencies: ReceiverDependencies): Receiver {
  const { clientId, reading, env } = dependencies;
  const { log } = env;
  const onFault = (fault: unknown): void => log.error(fault);
  const arrived = createEmitter<string>(onFault);
  const merged = createEmitter<MergedUpdate>(onFault);
  const live = createEmitter<LiveMessage>(onFault);
  const digests = createEmitter<DigestMessage>(onFault);
  /** Updates in the order of their arrival. */
  const waiting: UpdateMessage[] = [];
  let isApplying = false;
  let stopped = false;

  /** Applies no update while the row is being read. A small update is applied before the call returns. */
  const applyWaiting = async (): Promise<void> => {
    if (isApplying) return;
    isApplying = true;
    try {
      while (!stopped && !reading.get()) {
        const update = waiting.shift();
        if (!update) return;
        const applied = applyUpdate(dependencies, update, merged.emit);
        if (applied) await applied.catch(onFault);
      }
    } catch (fault) {
      log.error(fault);
    } finally {
      isApplying = false;
    }
  };
  const stopWatching = reading.subscribe(() => void applyWaiting());

  return {
    receive(event, payload) {
      if (stopped) return;
      try {
        switch (event) {
          case EVENTS.update: {
            const update = parseUpdate(payload);
            if (!update.ok || update.value.clientId === clientId) return;
            // What a plain client says during a load is older than the row, and is not applied.
            if (reading.get() && isPlain(update.value.json)) return;
            arrived.emit(update.value.clientId);
            waiting.push(update.value);
            if (waiting.length > MAX_WAITING) waiting.shift();
            return void applyWaiting();
          }
          case EVENTS.live: {
            const message = parseLive(payload);
            if (message.ok && message.value.clientId !== clientId) live.emit(message.value);
            return;
          }
          case EVENTS.digest: {
            const message = parseDigest(payload);
            if (message.ok && message.value.clientId !== clientId) digests.emit(message.value);
            return;
          }
        }
      } catch (fault) {
        // A message that breaks something here must not break the client library's own work as well.
        log.error(fault);
      }
    },
    onUpdate: arrived.listen,
    onMerged: merged.listen,
    onLive: live.listen,
    onDigest: digests.listen,
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
function applyUpdate(
  dependencies: ReceiverDependencies,
  update: UpdateMessage,
  emit: (merged: MergedUpdate) => void,
): Promise<void> | undefined {
  const { replica, plainClients, env } = dependencies;
  const emitMerged = (changes: readonly BoardChanges[]): void =>
    emit({
      clientId: update.clientId,
      ids: new Set(changes.flatMap((one) => [...idsOfChanges(one)])),
      digest: update.digest,
    });
  const slices = parseDrawingSlices(update.json, SLICE);
  const first = slices.next();
  if (first.done === true && isSmall(first.value)) {
    const drawing = readParsed(first.value, env);
    if (drawing) emitMerged([mergeAtOnce(dependencies, update, drawing)]);
    return undefined;
  }
  return (async () => {
    await env.pause();
    const parsed = first.done === true ? first.value : await finish(slices, env);
    const drawing = readParsed(parsed, env);
    if (!drawing) return;
    if (drawing.foreign) return emitMerged([mergeAtOnce(dependencies, update, drawing)]);
    const changes = await mergeSlices(
      drawing.drawing,
      (part) => replica.receive(part, update),
      env,
    );
    for (const one of changes) plainClients.changed(one, null);
    emitMerged(changes);
  })();
}

function isSmall(parsed: ParsedDrawing): boolean {
  return !parsed.ok || parsed.drawing.objects.length <= SLICE;
}

/** Logs what was left out. Null for an update that cannot be used at all. */
function readParsed(parsed: ParsedDrawing, env: Environment): ReadDrawing | null {
  const reason = parsed.ok ? parsed.faults[0]?.reason : parsed.reason;
  if (reason !== undefined) env.log.warn(`An update was left out, in part or whole: ${reason}`);
  return parsed.ok ? parsed : null;
}

function mergeAtOnce(
  { replica, plainClients }: ReceiverDependencies,
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
