/** The decoded pictures of a page: decoded one at a time when they are painted, as large as they are shown, in bounded memory. */

import { type Decode, type Decoded, decodePicture } from "./decode.ts";

/** Pixels of all decoded pictures together: 96 MB. */
const MAX_PIXELS = 24_000_000;

/** Milliseconds for which a painted picture is not given up for another one, and after which that one tries again. */
const RECENT = 3_000;

/** Milliseconds between two looks at which pictures have left the canvas. */
const CHECK_INTERVAL = 5_000;

/** How often a picture tries again that finds no space. */
const MAX_TRIES = 5;

export interface DecodedPicturesOptions {
  readonly decode: Decode;
  readonly maxPixels: number;
  /** Milliseconds. */
  readonly now: () => number;
  readonly startTimer: (work: () => void, milliseconds: number) => void;
}

/** An object that shows a picture. */
export interface PictureUser {
  /** False from when the object has left the canvas, or shows another picture. */
  readonly isShown: () => boolean;
  /** Called when there is more to paint. */
  readonly changed: () => void;
}

/** A source that is on the board. */
interface Entry {
  readonly source: string;
  readonly users: Set<PictureUser>;
  decoded?: Decoded | undefined;
  /** The level of what is decoded. */
  level: number;
  /** The level that is wanted; undefined while nothing is. */
  wanted: number | undefined;
  /** When it was painted last. */
  used: number;
  /** How often there was no space in a row, and until when nothing is tried. */
  tries: number;
  restsUntil: number;
  fault?: string;
  /** Its neighbours among those that wait to be decoded: the one that was painted after it, and the one before. */
  newer?: Entry | undefined;
  older?: Entry | undefined;
}

export class DecodedPictures {
  private readonly options: DecodedPicturesOptions;
  private readonly entries = new Map<string, Entry>();
  private pixels = 0;
  private decoding = false;
  private checking = false;
  /** The one of those that wait that was painted last: a linked list, since a hostile board has 40,000 of them. */
  private newest: Entry | undefined;

  constructor(options: DecodedPicturesOptions) {
    this.options = options;
  }

  /** Takes a picture on for an object, until the object is shown no longer. */
  use(source: string, user: PictureUser): void {
    const entry = this.entryOf(source);
    entry.users.add(user);
    if (this.checking) return;
    this.checking = true;
    this.options.startTimer(() => this.giveBackUnused(), CHECK_INTERVAL);
  }

  /**
   * Returns what is decoded of a source, and begins to decode it at a level, or finer than it is. Undefined until
   * something is there.
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

  /** Why a source is never painted; undefined while it may be. */
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

  /** Gives back what is shown no longer, and comes again as long as there are pictures. */
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
    // The one that was painted last, since it is most likely seen.
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

  /** Returns false when nobody shows it any more, or there is no space. */
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

  /** Gives up what was painted longest ago. Returns false when all of it was painted just now. */
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
