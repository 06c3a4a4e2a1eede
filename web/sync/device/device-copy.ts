/**
 * The copy of the drawing on this device, for a start without a network. It is written now and then, and read when
 * the row cannot be read. What only the copy knows is a picture of the past: it is never pending, is not sent, and
 * goes when the row is read, which says what is there now.
 */

import { getObject } from "../../../board/board.ts";
import { BACKGROUND } from "../../../board/constants.ts";
import type { Drawing, ObjectId } from "../../../board/drawing.ts";
import { isOlder } from "../../../board/groups.ts";
import { parseObjectText } from "../../../board/json-text.ts";
import { parseDrawingSlices, type ParsedDrawing } from "../../../board/parse.ts";
import { drawingSlices } from "../../../board/encode.ts";
import { finish, SLICE, writeDrawing, writeDrawingNow } from "../replica/drawing-text.ts";
import type { Environment } from "../environment/environment.ts";
import type { DeviceCopyStore } from "../environment/device-stores.ts";
import { openIndexedDbCopyStore } from "./device-copy-store.ts";
import type { Parts } from "../wiring.ts";
import { createTimer } from "../environment/timing.ts";

/** Milliseconds between a change and the copy that contains it: the first after a load, and the others. */
const FIRST_COPY = 5_000;
const NEXT_COPY = 60_000;
/** A closing page writes a copy of at most so many bytes at once. */
const UNLOAD_BYTES = 1_000_000;
const DATABASE = "inkpool-drawing";

/** Takes part until the client is disposed of. Resolves when the copy is on the board, or none is needed. */
export async function keepDrawing(parts: Parts, board: string): Promise<void> {
  const { env, replica, row, kept } = parts;
  const store = env.openDeviceCopyStore?.() ?? openStore(board);
  const writer = createWriter(parts, store);
  const copy = createShownCopy(parts);
  const stops = [
    replica.onChanges(writer.changed),
    row.known.subscribe(writer.changed),
    env.page.listen((event) => {
      if (event === "hidden") writer.write();
      if (event === "leaving") writer.writeNow();
    }),
  ];
  let stopped = false;
  kept.beforeRow = copy.confirm;
  kept.stop = () => {
    stopped = true;
    writer.stop();
    store.close();
    for (const stop of stops) stop();
  };
  if (row.known.get()) return writer.changed();
  const drawing = await readCopy(store, env);
  if (drawing && !stopped) await copy.show(drawing);
}

/** Writes the board: seldom, in slices, and only when something else than an unread row is on it. */
function createWriter({ env, replica: { board }, row, kept }: Parts, store: DeviceCopyStore) {
  const timer = createTimer(env.clock);
  let changed = false;
  let writing = false;
  let delay = FIRST_COPY;
  let ended = false;

  const mayWrite = (): boolean =>
    changed && !writing && !ended && !row.unreadable.get() && (row.known.get() || kept.isShown);
  const write = async (): Promise<void> => {
    timer.clear();
    if (!mayWrite()) return;
    changed = false;
    writing = true;
    delay = NEXT_COPY;
    const written = await writeDrawing(board, env);
    // A device without space for it is not asked again.
    if (written.ok && !ended && !(await store.write(written.text.pieces.join("")))) ended = true;
    writing = false;
  };
  return {
    changed(): void {
      changed = true;
      if (!timer.isSet && !ended) timer.set(delay, () => void write());
    },
    write: (): void => void write(),
    writeNow(): void {
      const text = mayWrite() ? writeDrawingNow(board, UNLOAD_BYTES) : null;
      if (!text) return;
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
  const text = await store.read();
  if (text === null) return null;
  try {
    const value = await finish(parseObjectText(text, "objects"), env);
    const parsed = await finish(parseDrawingSlices(value, SLICE), env);
    return parsed.ok && !parsed.foreign && !parsed.partial ? parsed.drawing : null;
  } catch {
    return null;
  }
}

/** What of the copy the board shows, until the row is read. */
function createShownCopy({ env, replica, row, outbox, kept }: Parts) {
  const { board, pending } = replica;
  const shown = new Set<ObjectId>();
  let confirmed = false;

  return {
    async show({ version, objects }: Drawing): Promise<void> {
      // Neither what it says of removed objects nor its background: only the row says what is no longer there.
      const inkpool = { format: 1, seen: {}, partial: true } as const;
      const drawing: Drawing = { version, objects, background: BACKGROUND, inkpool };
      for (const part of drawingSlices(drawing, SLICE)) {
        if (confirmed) return;
        kept.isShown = true;
        for (const { id } of part.objects) shown.add(id);
        replica.takeOver(part);
        await env.pause();
      }
    },
    /** The row is about to be merged. Objects that it does not have, or has in an older state, were the copy's alone. */
    confirm(parsed: ParsedDrawing | null): void {
      confirmed = true;
      if (!kept.isShown) return;
      const isMerged = parsed?.ok === true && !parsed.foreign;
      const theirs = new Map(isMerged ? parsed.drawing.objects.map((one) => [one.id, one]) : []);
      const own = pending.allIds();
      replica.forget(
        [...shown].filter((id) => {
          const mine = own.has(id) ? undefined : getObject(board, id);
          const object = theirs.get(id);
          return mine !== undefined && (object === undefined || isOlder(object, mine));
        }),
      );
      shown.clear();
      const stop = row.reading.subscribe(() => {
        stop();
        kept.isShown = false;
        outbox.schedule();
      });
    },
  };
}

/** What the page's operator allows: nothing where the page says `<meta name="offline" content="off">`. */
function openStore(board: string): DeviceCopyStore {
  const store = openIndexedDbCopyStore(findIndexedDb(), DATABASE, board);
  if (typeof document === "undefined") return store;
  if (document.querySelector('meta[name="offline"][content="off"]') === null) return store;
  void store.clear();
  return { ...store, read: async () => null, write: async () => false };
}

/** Reading the property throws in some browsers that forbid storage. */
function findIndexedDb(): IDBFactory | undefined {
  try {
    return typeof indexedDB === "undefined" ? undefined : indexedDB;
  } catch {
    return undefined;
  }
}
