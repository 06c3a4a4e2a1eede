/**
 * The decoded pictures of a page. They are decoded one at a time when they are painted, at the size in which they are
 * shown, and in bounded memory.
 */

import { type Decode, type Decoded, decodePicture } from "./decode.ts";

/** Pixels of all decoded pictures together: 96 MB. */
const MAX_PIXELS = 24_000_000;

/** Milliseconds for which a painted picture is not dropped for another one, and after which that one tries again. */
const RECENT = 3_000;

/** Milliseconds between two searches for pictures that have left the canvas. */
const CHECK_INTERVAL = 5_000;

/** The number of times that a picture without space tries again. */
const MAX_TRIES = 5;

export interface DecodedPicturesOptions {
  readonly decode: Decode;
  readonly maxPixels: number;
  /** The time in milliseconds. */
  readonly now: () => number;
  readonly startTimer: (work: () => void, milliseconds: number) => void;
}

/** An object that shows a picture. */
export interface PictureUser {
  /** False once the object has left the canvas, or shows another picture. */
  readonly isShown: () => boolean;
  /** Called when there is more to paint. */
  readonly changed: () => void;
}

/** A source that is on the board. */
interface Entry {
  readonly source: string;
  readonly users: Set<PictureUser>;
  decoded?: Decoded | undefined;
  /** The level at which it is decoded. */
  level: number;
  /** The level that is wanted; undefined when none is. */
  wanted: number | undefined;
  /** The time at which it was last painted. */
  used: number;
  /** The number of failures in a row for lack of space, and the time until which nothing is tried. */
  tries: number;
  restsUntil: number;
  fault?: string;
  /** The neighbours among the sources that wait to be decoded: the one painted after it, and the one before. */
  newer?: Entry | undefined;
  older?: Entry | undefined;
}

export class DecodedPictures {
  private readonly options: DecodedPicturesOptions;
  private readonly entries = new Map<string, Entry>();
  private pixels = 0;
  private decoding = false;
  private checking = false;
  /** The waiting source that was painted last, the head of a linked list, since a hostile board has 40,000 of them. */
  private newest: Entry | undefined;

  constructor(options: DecodedPicturesOptions) {
    this.options = options;
  }

  /** Registers a picture for an object, until the object is no longer shown. */
  use(source: string, user: PictureUser): void {
    const entry = this.entryOf(source);
    entry.users.add(user);
    if (this.checking) return;
    this.checking = true;
    this.options.startTimer(() => this.giveBackUnused(), CHECK_INTERVAL);
  }

  /**
   * Returns the decoded picture of a source, and begins to decode it at a level, or finer than it is. Undefined until
   * it has been decoded at all.
   */
  get(source: string, level: number): Decoded | undefined {
    const entry = this.entries.get(source);
    if (!entry) return undefined;
    const now = this.options.now();
    entry.used = now;
    const { wanted } = entry;
    if (wanted !== undefined) {
      this.leaveQueue(entry);
      this.joinQueue(entry, wanted);
    }
    const isFine = entry.decoded !== undefined && entry.level <= level;
    if (!isFine && now >= entry.restsUntil) this.want(entry, level);
    return entry.decoded;
  }

  /** The reason why a source is never painted; undefined while it may be. */
  faultOf(source: string): string | undefined {
    return this.entries.get(source)?.fault;
  }

  private entryOf(source: string): Entry {
    const known = this.entries.get(source);
    if (known) return known;
    const made = { source, users: new Set<PictureUser>(), level: 0, wanted: undefined, used: 0 };
    const entry: Entry = { ...made, tries: 0, restsUntil: 0 };
    this.entries.set(source, entry);
    return entry;
  }

  /** Frees pictures that are no longer shown, and runs again as long as there are any. */
  private giveBackUnused(): void {
    for (const [source, entry] of this.entries) {
      for (const user of entry.users) if (!user.isShown()) entry.users.delete(user);
      if (entry.users.size > 0) continue;
      this.drop(entry);
      this.leaveQueue(entry);
      this.entries.delete(source);
    }
    this.checking = this.entries.size > 0;
    if (this.checking) this.options.startTimer(() => this.giveBackUnused(), CHECK_INTERVAL);
  }

  private want(entry: Entry, level: number): void {
    if (entry.fault !== undefined || entry.wanted !== undefined || !isUsed(entry)) return;
    this.joinQueue(entry, level);
    void this.work();
  }

  private async work(): Promise<void> {
    if (this.decoding) return;
    this.decoding = true;
    // The one that was painted last is first, since it is most likely visible.
    for (let entry = this.newest; entry; entry = this.newest) {
      const level = entry.wanted ?? 0;
      let isNew = true;
      try {
        const decoded = await this.options.decode(entry.source, level);
        isNew = this.put(entry, decoded, level);
      } catch (error) {
        entry.fault = error instanceof Error ? error.message : String(error);
      }
      this.leaveQueue(entry);
      if (isNew) for (const { changed } of entry.users) changed();
    }
    this.decoding = false;
  }

  private joinQueue(entry: Entry, level: number): void {
    entry.wanted = level;
    entry.older = this.newest;
    if (this.newest) this.newest.newer = entry;
    this.newest = entry;
  }

  private leaveQueue(entry: Entry): void {
    if (entry.wanted === undefined) return;
    entry.wanted = undefined;
    const { newer, older } = entry;
    if (newer) newer.older = older;
    else this.newest = older;
    if (older) older.newer = newer;
    entry.newer = entry.older = undefined;
  }

  /** Stores a decoded picture. Returns false when nothing shows it any more, or there is no space. */
  private put(entry: Entry, decoded: Decoded, level: number): boolean {
    const { width, height } = decoded.bitmap;
    const before = entry.decoded;
    const own = before ? before.bitmap.width * before.bitmap.height : 0;
    if (!isUsed(entry) || !this.makeSpace(width * height - own, entry)) {
      decoded.bitmap.close();
      this.rest(entry, level);
      return false;
    }
    this.drop(entry);
    this.pixels += width * height;
    Object.assign(entry, { decoded, level, tries: 0, restsUntil: 0 });
    return true;
  }

  /** Drops the pictures that were painted longest ago. Returns false when all of them were painted recently. */
  private makeSpace(pixels: number, own: Entry): boolean {
    const { maxPixels, now } = this.options;
    const oldest = [...this.entries.values()]
      .filter((entry) => entry.decoded && entry !== own)
      .sort((a, b) => a.used - b.used);
    for (const entry of oldest) {
      if (this.pixels + pixels <= maxPixels) break;
      if (now() - entry.used < RECENT) return false;
      this.drop(entry);
    }
    return this.pixels + pixels <= maxPixels;
  }

  private rest(entry: Entry, level: number): void {
    entry.restsUntil = this.options.now() + RECENT;
    entry.tries += 1;
    if (entry.tries <= MAX_TRIES) this.options.startTimer(() => this.want(entry, level), RECENT);
  }

  private drop(entry: Entry): void {
    const bitmap = entry.decoded?.bitmap;
    if (!bitmap) return;
    this.pixels -= bitmap.width * bitmap.height;
    bitmap.close();
    entry.decoded = undefined;
  }
}

function isUsed({ users }: Entry): boolean {
  for (const user of users) if (user.isShown()) return true;
  return false;
}

/** The pictures of this page. */
export const decodedPictures = new DecodedPictures({
  decode: decodePicture,
  maxPixels: MAX_PIXELS,
  now: () => performance.now(),
  startTimer: (work, milliseconds) => void setTimeout(work, milliseconds),
});
