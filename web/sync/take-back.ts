/** Taking back what visitors did. Pages of hosts fetch this code, and watch from then on who does what. */

import { createChangeLog, logChanges, OTHER_PROGRAM, type Actor } from "../../board/change-log.ts";
import { LIMITS, TEXTS } from "../../board/constants.ts";
import type { Author, ObjectId } from "../../board/drawing.ts";
import { sizeOf } from "../../board/groups.ts";
import { MAX_OBJECTS } from "../../board/limits.ts";
import { EVENTS } from "../../board/messages.ts";
import { addSaved, createSavedStates, type SavedStates } from "../../board/saved-states.ts";
import { keyOf } from "../../board/peer-key.ts";
import {
  candidates,
  decide,
  isBy,
  isIncluded,
  takeBack,
  type Culprits,
  type Doubt,
  type Evidence,
} from "../../board/take-back.ts";
import { utf8Length } from "../../board/validate.ts";
import type { Backend, HistoryEntry } from "./environment/backend.ts";
import type { ReconnectingChannel } from "./channel/reconnecting-channel.ts";
import type { Environment } from "./environment/environment.ts";
import type { Emitter, Signal } from "./environment/signal.ts";
import type { Notice, TakeBack, TakeBackPlan } from "./port.ts";
import { readDrawing, runToEnd } from "./replica/drawing-text.ts";
import type { Presence } from "./presence/peers.ts";
import type { Replica, ReplicaChange } from "./replica/replica.ts";
import type { Saver } from "./saving/saver.ts";

export interface TakeBackDependencies {
  readonly backend: Backend;
  readonly channel: Pick<ReconnectingChannel, "send">;
  readonly clientId: string;
  readonly notices: Emitter<Notice>;
  readonly presence: Signal<Presence>;
  readonly replica: Replica;
  readonly saver: Saver;
}

/** Versions that are read, and their bytes together; those in between are passed over. */
const MAX = { versions: 40, bytes: 80_000_000 };
const DAY = 86_400_000;
/** The history keeps no older ones. */
const OLDEST = 31 * DAY;
/** Clients whose pages are notified again when they return: the last ones. */
const MAX_REMEMBERED = 100;
const SLICE = 300;

/** Begins to watch. */
export function createTakeBack(dependencies: TakeBackDependencies, env: Environment): TakeBack {
  const { clientId, replica, presence } = dependencies;
  const log = createChangeLog(env.clock.now());
  const own = keyOf(clientId);
  const actorOf = ({ origin, sender }: ReplicaChange): Actor | null => {
    if (origin !== "remote") return own;
    if (!sender) return null;
    return sender.isPlain ? OTHER_PROGRAM : keyOf(sender.clientId);
  };
  replica.onChanges((change) => {
    const isUndo = change.origin === "undo" || change.origin === "redo";
    logChanges(log, change.changes, { at: env.clock.now(), by: actorOf(change) }, isUndo);
  });
  const notifications = createNotifications(dependencies);
  presence.subscribe(() => notifications.repeat());
  return {
    actors() {
      const actors = new Set<Actor>();
      for (const table of [log.added, log.changed, log.removed])
        for (const { by } of table.values()) if (by !== null) actors.add(by);
      actors.delete(own);
      return actors;
    },
    async plan(culprits, span, { signal, onProgress }) {
      const now = env.clock.now();
      const saved = createSavedStates(span === null ? Number.NEGATIVE_INFINITY : now - span);
      const from =
        span === null ? firstDay(replica.board.living.keys(), culprits, now) : saved.since;
      const versions = await readVersions(saved, from, {
        ...dependencies,
        env,
        signal,
        onProgress,
      });
      const evidence: Evidence = { saved, log };
      const counting = () => runToEnd(count(dependencies, culprits, evidence), env);
      return {
        ...(await counting()).plan,
        versions,
        watchedSince: log.since,
        async run(includes) {
          // They may have gone on since.
          const { ids, plan } = await counting();
          const given = { evidence, ids, includes };
          const refused = await runToEnd(refusal(dependencies, culprits, given), env);
          if (refused !== null) {
            dependencies.notices.emit(refused);
            return null;
          }
          notifications.notify(culprits);
          const edit = replica.editInSlices((board, author) =>
            takeBack(board, author, culprits, { ...given, size: SLICE }),
          );
          await runToEnd(edit, env);
          dependencies.saver.saveNow();
          return plan;
        },
      };
    },
  };
}

/** Notifies the pages that were taken back, now and when they return: they are not offered to restore it. */
function createNotifications({ channel, clientId, presence }: TakeBackDependencies) {
  /** The number of the last time that each of them was taken back. */
  const remembered = new Map<Actor, number>();
  let online = new Set<string>();
  let times = 0;
  const send = (keys: readonly Actor[], n: number): void =>
    void channel.send(EVENTS.takenBack, { clientId, keys, n });
  return {
    notify(culprits: Culprits): void {
      times += 1;
      for (const key of culprits) {
        remembered.delete(key);
        remembered.set(key, times);
      }
      for (const key of [...remembered.keys()].slice(0, -MAX_REMEMBERED)) remembered.delete(key);
      send([...culprits].slice(0, MAX_REMEMBERED), times);
    },
    repeat(): void {
      const now = new Set([...presence.get().peers.keys()].map(keyOf));
      for (const [key, n] of remembered) if (now.has(key) && !online.has(key)) send([key], n);
      online = now;
    },
  };
}

/** When the first of their pages can have been opened: the day is in their names. A name that lies is no older than a day. */
function firstDay(authors: Iterable<Author>, culprits: Culprits, now: number): number {
  const days = [...authors].filter((author) => isBy(culprits, author)).map(dayOf);
  const first = Math.min(now - DAY, ...days.filter((day) => !Number.isNaN(day)));
  return Math.max(first, now - OLDEST);
}

function dayOf(author: Author): number {
  return Date.UTC(2020, 0, 1) + Number.parseInt(author.slice(0, 3), 36) * DAY;
}

interface Reading extends Pick<TakeBackDependencies, "backend"> {
  readonly env: Environment;
  readonly signal: AbortSignal;
  readonly onProgress: (part: number) => void;
}

/** Reads the versions of the span, and the one before it. */
async function readVersions(
  saved: SavedStates,
  from: number,
  { backend, env, signal, onProgress }: Reading,
): Promise<TakeBackPlan["versions"]> {
  const listed = await backend.history.list();
  if (!listed.ok) return "away";
  if (listed.value === null) return "none";
  const chosen = chooseVersions(listed.value, from);
  let isAway = false;
  for (const [index, entry] of chosen.entries()) {
    if (signal.aborted) break;
    onProgress(index / chosen.length);
    const loaded = await backend.history.load(entry.id);
    if (!loaded.ok) isAway = true;
    const read = loaded.ok && loaded.value !== null ? await readDrawing(loaded.value, env) : null;
    if (!read) continue;
    const at = Date.parse(entry.savedAt);
    const until = Date.parse(entry.replacedAt ?? entry.savedAt);
    await runToEnd(addSaved(saved, read.drawing, { at, until }), env);
  }
  return isAway ? "away" : "read";
}

/** The last version before `from` and those after it; where these are too many, some in between are left out. */
export function chooseVersions(
  entries: readonly HistoryEntry[],
  from: number,
): readonly HistoryEntry[] {
  const known = entries
    .filter(({ savedAt }) => !Number.isNaN(Date.parse(savedAt)))
    .sort((a, b) => Date.parse(a.savedAt) - Date.parse(b.savedAt));
  const first = known.findLastIndex(({ savedAt }) => Date.parse(savedAt) <= from);
  let chosen = known.slice(Math.max(0, first));
  const bytes = (): number => chosen.reduce((sum, one) => sum + one.bytes, 0);
  while (chosen.length > 3 && (chosen.length > MAX.versions || bytes() > MAX.bytes)) {
    const last = chosen.length - 1;
    chosen = chosen.filter((_, index) => index < 2 || index === last || index % 2 === 0);
    if (chosen.length === last + 1) break;
  }
  return chosen;
}

interface Counted {
  readonly plan: Pick<TakeBackPlan, "goes" | "returns" | "lost" | "doubts">;
  /** The objects about which there is something to decide. */
  readonly ids: readonly ObjectId[];
}

function* count(
  { replica: { board } }: TakeBackDependencies,
  culprits: Culprits,
  evidence: Evidence,
): Generator<void, Counted> {
  const sums = { goes: 0, returns: 0, lost: 0 };
  const none = (): { goes: number; returns: number } => ({ goes: 0, returns: 0 });
  const doubts: Record<Doubt, { goes: number; returns: number }> = {
    older: none(),
    shared: none(),
    remover: none(),
  };
  const ids: ObjectId[] = [];
  let work = 0;
  for (const id of [...candidates(board, evidence)]) {
    if (++work % SLICE === 0) yield;
    const decision = decide(board, id, culprits, evidence);
    if (decision === null) continue;
    ids.push(id);
    if (decision.kind === "lost") sums.lost += 1;
    else {
      const into = decision.doubt === null ? sums : doubts[decision.doubt];
      into[decision.kind === "goes" ? "goes" : "returns"] += 1;
    }
  }
  return { plan: { ...sums, doubts }, ids };
}

/** Returns the reason for which the board could not be saved afterwards; null when there is none. */
function* refusal(
  { replica: { board } }: TakeBackDependencies,
  culprits: Culprits,
  { evidence, ids, includes }: Omit<Parameters<typeof takeBack>[3], "size">,
): Generator<void, Notice | null> {
  const going = new Set<ObjectId>();
  let size = board.size;
  let bytes = 0;
  let work = 0;
  for (const id of ids) {
    if (++work % SLICE === 0) yield;
    const decision = decide(board, id, culprits, evidence);
    if (decision === null || !isIncluded(decision, includes)) continue;
    const object = board.objects.get(id);
    if (decision.kind === "goes" && object !== undefined) {
      going.add(id);
      size -= sizeOf(object);
    } else if (decision.kind === "returns") {
      size += sizeOf(decision.object);
      bytes += utf8Length(JSON.stringify(decision.object));
    }
  }
  if (bytes === 0) return null;
  if (size > MAX_OBJECTS) return { kind: "full" };
  for (const [id, object] of [...board.objects]) {
    if (++work % SLICE === 0) yield;
    if (!going.has(id)) bytes += utf8Length(JSON.stringify(object));
  }
  if (bytes <= LIMITS.canvasBytes) return null;
  const megabytes = (bytes / 1_048_576).toFixed(2);
  return { kind: "error", text: TEXTS.cannotSave(TEXTS.dataTooLarge(megabytes)) };
}
