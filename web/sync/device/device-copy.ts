/**
 * The copy of the drawing on this device, for a start without a network. It is written now and then, and read when
 * the row cannot be read. Objects that only the copy contains belong to the past: they are never pending, are not sent,
 * and are removed when the row is read, which states what is there now.
 */

import { getObject } from "../../../board/board.ts";
import { BACKGROUND } from "../../../board/constants.ts";
import type { Drawing, ObjectId } from "../../../board/drawing.ts";
import { isOlder } from "../../../board/groups.ts";
import { parseObjectText } from "../../../board/json-text.ts";
import { parseDrawingSlices, type ParsedDrawing } from "../../../board/parse.ts";
import { drawingSlices } from "../../../board/encode.ts";
import {
  runToEnd,
  OBJECTS_PER_SLICE,
  writeDrawing,
  writeDrawingNow,
} from "../replica/drawing-text.ts";
import type { Environment } from "../environment/environment.ts";
import type { DeviceCopyStore } from "../environment/device-stores.ts";
import { createSignal, type Signal, type WritableSignal } from "../environment/signal.ts";
import type { Replica } from "../replica/replica.ts";
import type { SharedRow } from "../saving/row.ts";
import { createTimer } from "../environment/timing.ts";

/** Milliseconds between a change and the copy that contains it: the first after a load, and the others. */
const FIRST_COPY = 5_000;
const NEXT_COPY = 60_000;
/** A closing page writes a copy of at most so many bytes at once. */
const UNLOAD_BYTES = 1_000_000;

export interface DeviceCopy {
  /** Whether the board shows a copy that no row has confirmed yet. */
  readonly shown: Signal<boolean>;
  /** Opens the store, and begins to write. Resolves when the board shows the copy, or needs none. */
  readonly start: () => Promise<void>;
  /** Notes that the board changed. */
  readonly changed: () => void;
  /** Takes the row that was read, or its absence (null), before it is merged. */
  readonly confirm: (parsed: ParsedDrawing | null) => void;
  /** Writes the board: the page is hidden. */
  readonly write: () => void;
  /** Writes a small board before it returns: the page is unloading. */
  readonly writeNow: () => void;
  readonly stop: () => void;
}

export interface DeviceCopyDependencies {
  readonly env: Environment;
  readonly replica: Replica;
  readonly row: SharedRow;
  /** The address of the backend, whose drawing it is. */
  readonly board: string;
}

/** Opens nothing yet. */
export function createDeviceCopy(dependencies: DeviceCopyDependencies): DeviceCopy {
  const { env, row, board } = dependencies;
  const shown = createSignal(false);
  const copy = createShownCopy(dependencies, shown);
  const writer = createWriter(dependencies, shown);
  let stopWatching: (() => void) | undefined;
  let store: DeviceCopyStore | null = null;
  let stopped = false;
  return {
    shown,
    async start() {
      store = env.openDeviceCopyStore(board);
      writer.open(store);
      stopWatching = row.known.subscribe(writer.changed);
      if (row.known.get()) return writer.changed();
      const drawing = await readCopy(store, env);
      if (drawing && !stopped) await copy.show(drawing);
    },
    changed: writer.changed,
    confirm: copy.confirm,
    write: () => void writer.write(),
    writeNow: writer.writeNow,
    stop() {
      stopped = true;
      writer.stop();
      store?.close();
      stopWatching?.();
    },
  };
}

/** Writes the board: rarely, in slices, and only when it shows more than a row that cannot be read. */
function createWriter(
  { env, replica: { board }, row }: DeviceCopyDependencies,
  shown: Signal<boolean>,
) {
  const timer = createTimer(env.clock);
  let store: DeviceCopyStore | null = null;
  let changed = false;
  let writing = false;
  let delay = FIRST_COPY;
  let ended = false;

  const mayWrite = (): boolean =>
    changed && !writing && !ended && !row.unreadable.get() && (row.known.get() || shown.get());
  const write = async (): Promise<void> => {
    if (!store || !mayWrite()) return;
    timer.clear();
    changed = false;
    writing = true;
    delay = NEXT_COPY;
    const written = await writeDrawing(board, env);
    // A device without space for it is not asked again.
    if (written.ok && !ended && !(await store.write(written.text.pieces.join("")))) ended = true;
    writing = false;
  };
  return {
    open(opened: DeviceCopyStore): void {
      store = opened;
    },
    changed: (): void => {
      changed = true;
      if (store && !timer.isSet && !ended) timer.set(delay, () => void write());
    },
    write,
    writeNow: (): void => {
      const text = mayWrite() ? writeDrawingNow(board, UNLOAD_BYTES) : null;
      if (!store || !text) return;
      changed = false;
      void store.write(text.pieces.join(""));
    },
    stop(): void {
      ended = true;
      timer.clear();
    },
  };
}

/** A copy that is damaged, or was not written by a client like this one, counts as none. */
async function readCopy(store: DeviceCopyStore, env: Environment): Promise<Drawing | null> {
  const value = await runToEnd(parseObjectText((await store.read()) ?? "", "objects"), env);
  const parsed = await runToEnd(parseDrawingSlices(value, OBJECTS_PER_SLICE), env);
  return parsed.ok && !parsed.foreign && !parsed.partial ? parsed.drawing : null;
}

/** The part of the copy that the board shows, until the row is read. */
function createShownCopy(
  { env, replica, row }: DeviceCopyDependencies,
  shown: WritableSignal<boolean>,
) {
  const { board, pending } = replica;
  const ids = new Set<ObjectId>();
  let confirmed = false;

  return {
    async show({ version, objects }: Drawing): Promise<void> {
      // Neither what it says of removed objects nor its background: only the row says what is no longer there.
      const inkpool = { format: 1, seen: {}, partial: true } as const;
      const drawing: Drawing = { version, objects, background: BACKGROUND, inkpool };
      for (const part of drawingSlices(drawing, OBJECTS_PER_SLICE)) {
        if (confirmed) return;
        shown.set(true);
        for (const { id } of part.objects) ids.add(id);
        replica.takeOver(part);
        await env.pause();
      }
    },
    /** Removes the objects that the row does not have, or has in an older state: they were the copy's alone. */
    confirm: (parsed: ParsedDrawing | null): void => {
      confirmed = true;
      if (!shown.get()) return;
      const isMerged = parsed?.ok === true && !parsed.foreign;
      const theirs = new Map(isMerged ? parsed.drawing.objects.map((one) => [one.id, one]) : []);
      const own = pending.allIds();
      replica.forget(
        [...ids].filter((id) => {
          const mine = own.has(id) ? undefined : getObject(board, id);
          const object = theirs.get(id);
          return mine !== undefined && (object === undefined || isOlder(object, mine));
        }),
      );
      ids.clear();
      const stop = row.reading.subscribe(() => {
        stop();
        shown.set(false);
      });
    },
  };
}
