/** Announces the actions of peers to screen readers: one sentence in 3 s, however much they do. */

import { authorOf } from "../../../board/author.ts";
import type { Author, BoardChanges, BoardObject, Group, ObjectId } from "../../../board/drawing.ts";
import { objectPhrase } from "../language/object-name.ts";
import { languageTag, plural, t } from "../language/text.ts";

/** Calls `work` once after `ms`; returns a function that cancels it. */
export type StartTimer = (work: () => void, ms: number) => () => void;

export interface Announcer {
  /** Adds a change of the board by a peer. `remover`: an author of the peer that sent it; null where it is unknown. */
  add(changes: BoardChanges, remover: Author | null): void;
  dispose(): void;
}

/** Milliseconds over which the changes of peers are collected into one sentence. */
export const COLLECT = 3000;

/** The change of one object since the last sentence. */
interface Event {
  readonly what: keyof ChangeCounts;
  readonly object: BoardObject;
  /** The author; null where it is unknown. */
  readonly by: Author | null;
}

/** Makes an announcer. `announce` gets each sentence; `who` names an author. */
export function createAnnouncer(
  announce: (sentence: string) => void,
  startTimer: StartTimer,
  who: (author: Author) => string,
): Announcer {
  let events = new Map<ObjectId, Event>();
  let cancel: (() => void) | null = null;

  function finish(): void {
    cancel = null;
    const sentence = describeEvents([...events.values()], who);
    events = new Map();
    if (sentence) announce(sentence);
  }

  return {
    add({ added, changed, removed, before = [] }, remover) {
      for (const object of added)
        events.set(object.id, { what: "added", object, by: authorOf(object.id) });
      for (const [index, object] of changed.entries()) {
        const known = events.get(object.id);
        if (known && known.what !== "removed") events.set(object.id, { ...known, object });
        else
          events.set(object.id, { what: "changed", object, by: changedBy(object, before[index]) });
      }
      for (const object of removed) {
        // An object that was added and removed between two sentences was never announced.
        if (events.get(object.id)?.what === "added") events.delete(object.id);
        else events.set(object.id, { what: "removed", object, by: remover });
      }
      cancel ??= startTimer(finish, COLLECT);
    },
    dispose() {
      cancel?.();
      cancel = null;
    },
  };
}

/** The author of the stamp that differs. */
function changedBy(now: BoardObject, was: BoardObject | undefined): Author | null {
  for (const [group, stamp] of Object.entries(now.stamps ?? {})) {
    const old = was?.stamps?.[group as Group];
    if (was && (old?.[0] !== stamp[0] || old[1] !== stamp[1])) return stamp[1];
  }
  return null;
}

function describeEvents(events: readonly Event[], who: (author: Author) => string): string | null {
  const [first] = events;
  if (!first) return null;
  const someone = t("Someone");
  const names = new Set(events.map(({ by }) => (by === null ? someone : who(by))));
  const [name = someone] = names.size === 1 ? names : [];
  if (events.length === 1) return DONE[first.what](name, objectPhrase(first.object));
  const counts = { added: 0, changed: 0, removed: 0 };
  for (const { what } of events) counts[what] += 1;
  return describeChanges(counts, name);
}

const DONE: Readonly<Record<keyof ChangeCounts, (name: string, object: string) => string>> = {
  added: (name, object) => t("{name} added {object}", { name, object }),
  changed: (name, object) => t("{name} changed {object}", { name, object }),
  removed: (name, object) => t("{name} removed {object}", { name, object }),
};

/** The numbers of objects that peers have added, changed and removed. */
export interface ChangeCounts {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/** Returns one sentence for screen readers about the actions of peers; null when there were none. */
export function describeChanges(
  { added, changed, removed }: ChangeCounts,
  name: string = t("Someone"),
): string | null {
  const phrases = [
    added > 0 && plural(added, "added 1 object", "added {count} objects"),
    changed > 0 && plural(changed, "changed 1 object", "changed {count} objects"),
    removed > 0 && plural(removed, "removed 1 object", "removed {count} objects"),
  ].filter((part) => part !== false);
  if (phrases.length === 0) return null;
  const changes = new Intl.ListFormat(languageTag()).format(phrases);
  return t("{name} {changes}", { name, changes });
}

/** Returns the number of selected objects as a label; empty for one, which is visible. */
export function selectionLabel(count: number, outside: number): string {
  if (count < 2) return "";
  return outside > 0
    ? t("{count} selected, {outside} outside the view", { count, outside })
    : plural(count, "1 selected", "{count} selected");
}
