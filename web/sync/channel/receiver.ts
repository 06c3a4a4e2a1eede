/** The receiver parses the broadcasts of peers and merges their updates, one after the other. */

import { countObjects } from "../../../board/board.ts";
import type { BoardChanges, BoardObject, ObjectId } from "../../../board/drawing.ts";
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
import { findMembers, parseObjectText } from "../../../board/json-text.ts";
import { runToEnd, mergeSlices, OBJECTS_PER_SLICE } from "../replica/drawing-text.ts";
import type { Environment } from "../environment/environment.ts";
import { createEmitter, type Signal } from "../environment/signal.ts";
import { transferTime, type PlainClients } from "../replica/plain-clients.ts";
import { idsOfChanges, type Replica } from "../replica/replica.ts";

/** A peer's update after it was merged. */
export interface MergedUpdate {
  readonly clientId: string;
  /** The objects that it changed. */
  readonly ids: ReadonlySet<ObjectId>;
  /** The digest of the sender's board, if the update has one. */
  readonly digest: string | undefined;
  /** The sender found the changes in the row: nobody need save them. */
  readonly fromRow: boolean;
}

export interface Receiver {
  /** Takes a broadcast, of any shape; a large update as its JSON text, which is parsed in slices. Never throws. */
  readonly receive: (event: string, payload: unknown) => void;
  /** An update of this client is about to be merged. */
  readonly onUpdate: (listener: (clientId: string) => void) => () => void;
  readonly onMerged: (listener: (update: MergedUpdate) => void) => () => void;
  readonly onLive: (listener: (message: LiveMessage) => void) => () => void;
  /** A host has taken back what somebody did: a message of any shape. */
  readonly onTakenBack: (listener: (message: unknown) => void) => () => void;
  readonly onDigest: (listener: (message: DigestMessage) => void) => () => void;
  readonly stop: () => void;
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

/** An update in its place in the queue; a large one is JSON text that was not parsed yet. */
interface Arrival {
  readonly update: UpdateMessage | string;
  /** The time at which its sender had written it, at the latest: before its arrival by the time that it may have taken. */
  readonly at: number;
  /** It arrived while the row was being read. */
  readonly duringRead: boolean;
}

type ReadDrawing = Extract<ParsedDrawing, { ok: true }>;

/** The limit of waiting updates. Beyond it the oldest are dropped: the digests will differ, and the row will contain them. */
const MAX_WAITING = 1_000;

/** Waits for broadcasts. */
export function createReceiver(dependencies: ReceiverDependencies): Receiver {
  const { clientId, reading, env } = dependencies;
  const onFault = (fault: unknown): void => env.log.error(fault);
  const { arrived, merged, live, digests, takenBack } = createFacts(onFault);
  /** Updates in the order of their arrival. */
  const waiting: Arrival[] = [];
  const wait = (update: UpdateMessage | string): void => {
    const at = env.clock.now() - transferTime(update);
    waiting.push({ update, at, duringRead: reading.get() });
    if (waiting.length > MAX_WAITING) waiting.shift();
    void applyWaiting();
  };
  let isApplying = false;
  let stopped = false;

  /** Applies no update while the row is being read. A small update is applied before the call returns. */
  const applyWaiting = async (): Promise<void> => {
    if (isApplying) return;
    isApplying = true;
    try {
      while (!stopped && !reading.get()) {
        const next = waiting.shift();
        if (!next) return;
        const given = next.update;
        const update = typeof given === "string" ? await readLarge(given, env) : given;
        if (!update || stopped || update.clientId === clientId) continue;
        arrived.emit(update.clientId);
        const applied = applyUpdate(dependencies, update, next, (one) => {
          if (!stopped) merged.emit(one);
        });
        if (applied) await applied.catch(onFault);
      }
    } catch (fault) {
      onFault(fault);
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
            if (typeof payload === "string") return wait(payload);
            const update = parseUpdate(payload);
            if (update.ok && update.value.clientId !== clientId) wait(update.value);
            return;
          }
          case EVENTS.live: {
            const message = parseLive(payload);
            if (message.ok && message.value.clientId !== clientId) live.emit(message.value);
            return;
          }
          case EVENTS.takenBack:
            return takenBack.emit(payload);
          case EVENTS.digest: {
            const message = parseDigest(payload);
            if (message.ok && message.value.clientId !== clientId) digests.emit(message.value);
          }
        }
      } catch (fault) {
        // A message that breaks something here must not break the client library's own work as well.
        onFault(fault);
      }
    },
    onUpdate: arrived.listen,
    onMerged: merged.listen,
    onLive: live.listen,
    onDigest: digests.listen,
    onTakenBack: takenBack.listen,
    stop() {
      stopped = true;
      stopWatching();
    },
  };
}

function createFacts(onFault: (fault: unknown) => void) {
  return {
    arrived: createEmitter<string>(onFault),
    merged: createEmitter<MergedUpdate>(onFault),
    live: createEmitter<LiveMessage>(onFault),
    digests: createEmitter<DigestMessage>(onFault),
    takenBack: createEmitter<unknown>(onFault),
  };
}

/** The members of an update other than its drawing. */
const MEMBERS: ReadonlySet<string> = new Set(["clientId", "digest", "n", "cleared", "row"]);
/** None of them is longer than this many characters. */
const MAX_MEMBER = 1_000;

/** Parses a large update in slices. Returns null for text that is no update. */
async function readLarge(text: string, env: Environment): Promise<UpdateMessage | null> {
  try {
    const envelope: Record<string, unknown> = {};
    for (const [name, { start, end }] of await runToEnd(findMembers(text), env)) {
      if (name === "json") {
        const value = text.slice(start, end);
        const drawing = value.startsWith('"') ? (JSON.parse(value) as string) : value;
        envelope["json"] = await runToEnd(parseObjectText(drawing, "objects"), env);
      }
      if (end - start <= MAX_MEMBER && MEMBERS.has(name))
        envelope[name] = JSON.parse(text.slice(start, end)) as unknown;
    }
    const update = parseUpdate(envelope);
    return update.ok ? update.value : null;
  } catch {
    return null;
  }
}

/** Parses and merges an update: a small one at once, a large one in slices. Returns the rest of the work, if any. */
function applyUpdate(
  dependencies: ReceiverDependencies,
  update: UpdateMessage,
  { at, duringRead }: Arrival,
  emit: (merged: MergedUpdate) => void,
): Promise<void> | undefined {
  const { replica, plainClients, env } = dependencies;
  const emitMerged = (changes: readonly BoardChanges[]): void =>
    emit({
      clientId: update.clientId,
      ids: new Set(changes.flatMap((one) => [...idsOfChanges(one)])),
      digest: update.digest,
      fromRow: update.row === true,
    });
  // What was found in the row is nobody's doing.
  const sender = update.row === true ? undefined : update;
  const slices = parseDrawingSlices(update.json, OBJECTS_PER_SLICE);
  const first = slices.next();
  if (first.done === true && isSmall(first.value, replica)) {
    const drawing = readParsed(first.value, duringRead, env);
    if (!drawing) return undefined;
    if (drawing.foreign) emitMerged([...adopt(dependencies, update, drawing, at)]);
    else {
      const changes = replica.receive(drawing.drawing, sender);
      plainClients.changed(changes, null);
      emitMerged([changes]);
    }
    return undefined;
  }
  return (async () => {
    await env.pause();
    const parsed = first.done === true ? first.value : await runToEnd(slices, env);
    const drawing = readParsed(parsed, duringRead, env);
    if (!drawing) return;
    if (drawing.foreign) {
      const adopted: BoardChanges[] = [];
      for (const part of adopt(dependencies, update, drawing, at)) {
        adopted.push(part);
        await env.pause();
      }
      return emitMerged(adopted);
    }
    const changes = await mergeSlices(
      drawing.drawing,
      (part) => replica.receive(part, sender),
      env,
    );
    for (const one of changes) plainClients.changed(one, null);
    emitMerged(changes);
  })();
}

/** Whether a drawing, and the board that one of a plain client replaces, is applied in a few milliseconds. */
function isSmall(parsed: ParsedDrawing, { board }: Replica): boolean {
  if (!parsed.ok) return true;
  const replaced = parsed.foreign ? countObjects(board) : 0;
  return parsed.drawing.objects.length <= OBJECTS_PER_SLICE && replaced <= 10 * OBJECTS_PER_SLICE;
}

/** Logs what was left out. Null for an update that cannot be used at all, or is not applied. */
function readParsed(
  parsed: ParsedDrawing,
  duringRead: boolean,
  env: Environment,
): ReadDrawing | null {
  const reason = parsed.ok ? parsed.faults[0]?.reason : parsed.reason;
  if (reason !== undefined) env.log.warn(`An update was left out: ${reason}`);
  // What a plain client says during a load is older than the row.
  return parsed.ok && !(parsed.foreign && duringRead) ? parsed : null;
}

/** Applies the drawing of a plain client, which was written before the time `at`: yields the changes of each slice. */
function* adopt(
  { replica, plainClients }: ReceiverDependencies,
  { clientId }: UpdateMessage,
  parsed: ReadDrawing,
  at: number,
): Generator<BoardChanges, void> {
  const unsent = replica.pending.unsentIds();
  const options = {
    removes: plainClients.removes(clientId, parsed.leftOut),
    isRetained: (object: BoardObject) =>
      unsent.has(object.id) || plainClients.isUnknownTo(clientId, object, at),
    size: OBJECTS_PER_SLICE,
  };
  for (const changes of replica.adopt(parsed, options, { clientId, isPlain: true })) {
    plainClients.changed(changes, clientId);
    yield changes;
  }
}
