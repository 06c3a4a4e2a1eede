/**
 * Watches the row: whoever changes it, through whatever client, this page reads it within 2 s. The backend reports a
 * change to every page at once, so that all of them would read at once; instead each waits for a while, most of them
 * for longer than one read takes, and the first ones announce what they found. A page to which a peer has announced
 * the version reads nothing: whether the boards are equal the digests say.
 */

import type { Backend, RowEvent, RowVersion } from "../environment/backend.ts";
import type { Environment, PageEvent } from "../environment/environment.ts";
import { createEmitter, createSignal, type Signal } from "../environment/signal.ts";
import { createTimer } from "../environment/timing.ts";
import type { BoardChanges, ObjectId } from "../../../board/drawing.ts";
import type { Presence } from "../presence/peers.ts";
import { idsOfChanges, type Replica } from "../replica/replica.ts";
import type { Resync } from "./resync.ts";
import { isSame } from "./row-version.ts";
import type { SharedRow } from "./row.ts";

/** Milliseconds: the peer that saved needs them to say so, and the first reader to pass on what it read. */
const FLOOR = 500;
const SPREAD = { each: 35, max: 1_000 };
/** Milliseconds between two looks at the version where the backend reports no changes. */
export const LOOK_INTERVAL = 30_000;
/**
 * Milliseconds after which, on average, one of the pages that an announcement kept from reading reads the row: a
 * peer's message is only a hint.
 */
const CHECK_DELAY = 10_000;
/** Milliseconds in which a page that read a change does not believe that a later row contains it. */
const DISTRUST = 5_000;
/** Milliseconds between two such checks of one page. */
const CHECK_INTERVAL = 60_000;
/** Announcements that are remembered. */
const MAX_ANNOUNCED = 50;

/**
 * Whether the row is of a version that this page has neither read nor written. `reported`: null when it was removed, or
 * nobody knows of which version it is; `known`: undefined before the first read.
 */
export function isUnread(
  reported: RowVersion | null,
  known: RowVersion | null | undefined,
): boolean {
  if (reported === null || !known) return true;
  const isCounted = reported.id === known.id && reported.version !== null && known.version !== null;
  // A report of a version from before this page's own save may come after that.
  return isCounted ? reported.version! > known.version! : !isSame(reported, known);
}

/**
 * The delay in milliseconds before a read of one of `online` pages. It is exponentially distributed and truncated, so
 * that of many pages few come first, and the others later than these need to tell them. `random` is in [0, 1).
 */
export function readDelay(online: number, random: number): number {
  const pages = Math.max(1, online);
  const rate = Math.log(pages) + 1;
  const spread = Math.min(SPREAD.max, SPREAD.each * pages);
  return FLOOR + (spread * Math.log(1 + random * (Math.exp(rate) - 1))) / rate;
}

/** A peer's word that it wrote or read the row of this time and version. */
export interface AnnouncedRow {
  readonly at: string;
  readonly version?: number;
}

/** The first version is announced without its number: an insert does not return it. */
const keyOf = ({ at, version = 1 }: AnnouncedRow): string => `${version} ${at}`;

/** The row as this page found it, because the backend reported a version that nobody had announced. */
export interface FoundRow {
  /** Null when there is none. */
  readonly version: RowVersion | null;
  /** The objects of this page's board that it changed. */
  readonly ids: ReadonlySet<ObjectId>;
  /** Whether it lacks what was in it before. */
  readonly lacking: boolean;
}

/** The announcement of a version of the row. */
export function announcementOf({ updatedAt: at, version }: RowVersion): AnnouncedRow {
  return { at, ...(version !== null && { version }) };
}

export interface RowWatch {
  /** Whether the backend reports every change of the row. */
  readonly live: Signal<boolean>;
  /** Whether the row is known to be of a version that this page has not read yet. */
  readonly behind: Signal<boolean>;
  /** Whether the row is unread, this page is about to read it, and no peer has announced that it contains the board. */
  readonly inDoubt: Signal<boolean>;
  /** Takes a report of the backend about the row. */
  readonly event: (event: RowEvent) => void;
  /** Notes that the channel was joined or left: it is no longer known whether the backend reports changes. */
  readonly rejoined: () => void;
  /** Takes a peer's word that it wrote or read the row. `isLacking`: edits of this page are not in it. */
  readonly announced: (row: AnnouncedRow, isLacking?: boolean) => void;
  /** Takes an event of the page: its visibility counts. */
  readonly pageEvent: (event: PageEvent) => void;
  /** Notes remote changes that were merged. */
  readonly merged: (changes: BoardChanges) => void;
  /** Notes that the row lacks objects that it contained before. */
  readonly stale: () => void;
  readonly onFound: (listener: (found: FoundRow) => void) => () => void;
  readonly stop: () => void;
}

export interface RowWatchDependencies {
  readonly row: Pick<SharedRow, "version" | "known" | "reading" | "expire">;
  readonly resync: Pick<Resync, "run" | "failed">;
  readonly backend: Pick<Backend, "peek">;
  readonly replica: Pick<Replica, "pending">;
  /** Whether a save is under way: its answer says what the row is. */
  readonly saving: Signal<boolean>;
  readonly presence: Pick<Signal<Presence>, "get">;
  readonly env: Pick<Environment, "clock" | "random">;
}

/** Nothing was reported yet; the page counts as visible. */
export function createRowWatch(dependencies: RowWatchDependencies): RowWatch {
  const { row, resync, replica, saving, presence, env } = dependencies;
  const { clock, random } = env;
  const [due, doubt, distrust] = [createTimer(clock), createTimer(clock), createTimer(clock)];
  const [live, behind, inDoubt] = [createSignal(false), createSignal(false), createSignal(false)];
  const found = createEmitter<FoundRow>();
  const announcements = createAnnouncements();
  const read = createReading(dependencies);
  /** The last version that was reported; undefined when this page knows the row. */
  let reported: RowVersion | null | undefined;
  let stopped = false;

  const isAnnounced = (): boolean => !distrust.isSet && announcements.isEnough(reported);
  const isBehind = (): boolean => {
    if (reported !== undefined && !isUnread(reported, row.version)) reported = undefined;
    behind.set(reported !== undefined);
    const isRead = due.isSet || row.reading.get();
    inDoubt.set(behind.get() && isRead && !saving.get() && !doubt.isSet && !isAnnounced());
    return behind.get();
  };
  const report = (version: RowVersion | null): void => {
    if (stopped) return;
    if (!inDoubt.get()) doubt.set(FLOOR, () => void isBehind());
    reported = version;
    if (!isBehind()) return;
    row.expire();
    if (!due.isSet) due.set(readDelay(presence.get().online, random()), decide);
  };
  const decide = (): void => {
    if (stopped || !behind.get()) return;
    if (saving.get()) return due.set(FLOOR, decide);
    if (!isAnnounced()) return void readNow();
    // Nothing is about to be read, so that nothing is in doubt any more.
    isBehind();
    // A page with pending edits looks at the row when it saves them.
    if (replica.pending.count === 0) peerCheck.draw();
  };
  const readNow = async (): Promise<void> => {
    const before = reported;
    const changed = await read.run();
    if (stopped) return;
    // A peer may have saved at the same time, without what this read changed.
    if (changed.ids.size > 0) distrust.set(DISTRUST, () => undefined);
    if (before === null && reported === null && !resync.failed.get()) reported = undefined;
    if (!isBehind()) found.emit({ version: row.version ?? null, ...changed });
  };
  const peerCheck = createPeerCheck(dependencies, () => isBehind() && void readNow());
  const look = createLook(dependencies, live, report);
  const stops = [
    ...[row.reading, saving].map((signal) => signal.subscribe(() => void isBehind())),
    ...[look.stop, due.clear, peerCheck.stop, doubt.clear, distrust.clear],
  ];

  return {
    ...{ live, behind, inDoubt },
    event(event) {
      if (stopped) return;
      look.start();
      if (event.kind === "changed") return report(event.version);
      live.set(event.kind === "live");
      // What changed after the read at the join, and before the backend began to report.
      if (live.get()) void look.now();
    },
    rejoined() {
      if (!stopped) live.set(false);
    },
    announced(announced, lacks = false) {
      announcements.add(announced, lacks);
      if (isBehind() && lacks && !due.isSet) due.set(FLOOR * random(), decide);
    },
    ...{ pageEvent: look.pageEvent, merged: read.merged, stale: read.stale },
    onFound: found.listen,
    stop() {
      stopped = true;
      for (const stop of stops) stop();
    },
  };
}

/** Has one of the pages, chosen by lot, check what a peer has announced. */
function createPeerCheck(
  { presence, env: { clock, random } }: Pick<RowWatchDependencies, "presence" | "env">,
  check: () => void,
) {
  const timer = createTimer(clock);
  let checkedAt = Number.NEGATIVE_INFINITY;
  return {
    draw(): void {
      const peers = Math.max(1, presence.get().online - 1);
      if (clock.now() - checkedAt < CHECK_INTERVAL || random() * peers >= 1) return;
      checkedAt = clock.now();
      timer.set(CHECK_DELAY, check);
    },
    stop: timer.clear,
  };
}

/** The versions that peers announced. */
function createAnnouncements() {
  /** By version, whether one of the peers missed edits of this page there. */
  const lacking = new Map<string, boolean>();
  return {
    add(announced: AnnouncedRow, lacks: boolean): void {
      const key = keyOf(announced);
      const isLacking = lacks || lacking.get(key) === true;
      lacking.delete(key);
      lacking.set(key, isLacking);
      for (const first of lacking.keys()) if (lacking.size > MAX_ANNOUNCED) lacking.delete(first);
    },
    /** Whether this page need not read that version itself. */
    isEnough: (row: RowVersion | null | undefined): boolean =>
      !!row && lacking.get(keyOf(announcementOf(row))) === false,
  };
}

/** Reads of the row that say what they changed. */
function createReading({ row, resync }: Pick<RowWatchDependencies, "row" | "resync">) {
  const ids = new Set<ObjectId>();
  let lacking = false;
  return {
    merged: (changes: BoardChanges): void => {
      if (row.reading.get()) for (const id of idsOfChanges(changes)) ids.add(id);
    },
    stale: (): void => {
      lacking = true;
    },
    async run(): Promise<Omit<FoundRow, "version">> {
      ids.clear();
      lacking = false;
      await resync.run();
      return { ids: new Set(ids), lacking };
    },
  };
}

/** Looks at the version from time to time, while the page is visible and the backend reports nothing. */
function createLook(
  { row, backend, env }: Pick<RowWatchDependencies, "row" | "backend" | "env">,
  live: Signal<boolean>,
  report: (version: RowVersion | null) => void,
) {
  const timer = createTimer(env.clock);
  let isVisible = true;
  let stopped = false;
  const start = (): void => {
    timer.clear();
    if (!stopped && isVisible && !live.get()) timer.set(LOOK_INTERVAL, () => void now());
  };
  const now = async (): Promise<void> => {
    start();
    if (!row.known.get()) return;
    const peeked = await backend.peek();
    // There was no row, and there is none.
    if (peeked.ok && (peeked.value ?? row.version)) report(peeked.value);
  };
  const stops = [
    live.subscribe(start),
    row.reading.subscribe(() => {
      if (!row.reading.get()) start();
    }),
  ];
  start();
  return {
    start,
    now,
    pageEvent: (event: PageEvent): void => {
      if (event !== "visible" && event !== "hidden") return;
      isVisible = event === "visible";
      start();
    },
    stop: (): void => {
      stopped = true;
      timer.clear();
      for (const stop of stops) stop();
    },
  };
}
