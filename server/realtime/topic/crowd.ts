/** Decides what clients that ask for a summary are sent about a topic with many presences, and when. */

import { isClientId } from "../../../board/messages.ts";
import { MAX_LISTED, type ListedPerson } from "../../../board/presence-summary.ts";
import { parsePresence, type PresenceMeta as Tracked } from "../../../board/presence.ts";
import type { PresenceMeta } from "../../cluster/port.ts";
import type { Entries } from "./presence.ts";

/** Milliseconds between two summaries, and between two that list people again. */
const SUMMARY_MS = 1_000;
const LIST_MS = 10_000;
/** The part of the limit below which all presences are sent again, so that a topic at the limit does not alternate. */
const BACK = 0.8;

/** The message that is due now: a payload as JSON text, or null for none; and the milliseconds until the next question. */
interface Due {
  readonly payload: string | null;
  readonly wait: number;
}

const NOTHING: Due = { payload: null, wait: Infinity };

export class Crowd {
  readonly #present: Entries;
  readonly #limit: number;
  #isCrowd = false;
  #changed = false;
  #sentAt = -Infinity;
  /** The counts that were sent last. */
  #counts = "";
  #people = "";
  #peopleAt = -Infinity;
  #whole: Buffer | null = null;

  /**
   * Makes the state of a topic.
   * @param limit presence keys
   */
  constructor(present: Entries, limit: number) {
    this.#present = present;
    this.#limit = limit;
  }

  /** Notes that the presences changed. Returns whether a crowd began or ended. */
  changed(): boolean {
    const before = this.#isCrowd;
    this.#changed = true;
    this.#isCrowd = this.#present.size > (before ? BACK * this.#limit : this.#limit);
    if (this.#isCrowd && !before) {
      this.#counts = this.#people = "";
      this.#peopleAt = this.#sentAt = -Infinity;
      this.#whole = null;
    }
    return before !== this.#isCrowd;
  }

  get isCrowd(): boolean {
    return this.#isCrowd;
  }

  /** Returns the summary for a client that joins, not older than a second. */
  whole(): Buffer {
    return (this.#whole ??= this.#make().whole);
  }

  /**
   * Returns the message that is due.
   * @param now A monotonic time in milliseconds.
   */
  due(now: number): Due {
    if (!this.#isCrowd || !this.#changed) return NOTHING;
    const wait = SUMMARY_MS - (now - this.#sentAt);
    if (wait > 0) return { payload: null, wait };
    const { counts, people, whole } = this.#make();
    const isNewList = people !== this.#people;
    const listsPeople = isNewList && now - this.#peopleAt >= LIST_MS;
    // A list that has to wait still counts as a change.
    this.#changed = isNewList && !listsPeople;
    this.#sentAt = now;
    this.#whole = whole;
    const payload = listsPeople ? whole.toString() : counts === this.#counts ? null : `${counts}}`;
    this.#counts = counts;
    if (listsPeople) [this.#people, this.#peopleAt] = [people, now];
    return { payload, wait: this.#changed ? SUMMARY_MS : Infinity };
  }

  #make() {
    let plain = 0;
    const listed: ListedPerson[] = [];
    for (const [key, metas] of this.#present) {
      const { partial, name } = aboutKey(metas.values());
      if (!partial) plain++;
      if (listed.length < MAX_LISTED && isClientId(key)) listed.push(name ? [key, name] : [key]);
    }
    const counts = `{"online":${this.#present.size},"plain":${plain}`;
    const people = JSON.stringify(listed);
    return { counts, people, whole: Buffer.from(`${counts},"people":${people}}`) };
  }
}

type About = Pick<Tracked, "partial" | "name">;

/** Reads a presence key, which has a meta for each of its sockets. */
function aboutKey(metas: Iterable<PresenceMeta>): { partial: boolean; name: string | undefined } {
  let partial = true;
  let name: string | undefined;
  for (const meta of metas) {
    const one = aboutMeta(meta);
    partial &&= one.partial === true;
    name ??= one.name;
  }
  return { partial, name };
}

const known = new WeakMap<PresenceMeta, About>();

/** Reads a meta once. */
function aboutMeta(meta: PresenceMeta): About {
  let about = known.get(meta);
  if (about === undefined) known.set(meta, (about = read(meta.json)));
  return about;
}

function read(json: string): About {
  try {
    const parsed = parsePresence(JSON.parse(json));
    return parsed.ok ? parsed.value : {};
  } catch {
    // The meta is from a process of another version.
    return {};
  }
}
