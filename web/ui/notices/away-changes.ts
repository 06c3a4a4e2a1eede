/** Counts what peers changed while nobody looked at the page, by objects. */

import type { BoardChanges, ObjectId } from "../../../board/drawing.ts";
import { formatNumber, languageTag, plural, t } from "../language/text.ts";

export interface AwayCounts {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
}

export interface AwayChanges {
  /** The number of objects that have changed. */
  readonly count: number;
  add(changes: BoardChanges): void;
  /** Returns the counts, and starts again from zero. */
  take(): AwayCounts;
}

/** Makes a counter at zero. */
export function createAwayChanges(): AwayChanges {
  const objects = new Map<ObjectId, keyof AwayCounts>();
  return {
    get count() {
      return objects.size;
    },
    add({ added, changed, removed }) {
      for (const { id } of added)
        // An object that was removed and restored counts as changed.
        objects.set(id, objects.get(id) === "removed" ? "changed" : "added");
      for (const { id } of changed) if (!objects.has(id)) objects.set(id, "changed");
      for (const { id } of removed)
        if (objects.get(id) === "added") objects.delete(id);
        else objects.set(id, "removed");
    },
    take() {
      const counts = { added: 0, removed: 0, changed: 0 };
      for (const kind of objects.values()) counts[kind] += 1;
      objects.clear();
      return counts;
    },
  };
}

/** Returns a text such as "While you were away: 12 added, 3 removed"; null when nothing changed. */
export function awayLabel(counts: AwayCounts): string | null {
  const { added, removed, changed } = counts;
  const phrases = [
    added > 0 && plural(added, "1 added", "{count} added"),
    removed > 0 && plural(removed, "1 removed", "{count} removed"),
    changed > 0 && plural(changed, "1 changed", "{count} changed"),
  ].filter((phrase) => phrase !== false);
  if (phrases.length === 0) return null;
  const changes = new Intl.ListFormat(languageTag(), { style: "narrow" }).format(phrases);
  return t("While you were away: {changes}", { changes });
}

/** Returns the document's title: with the number of changes while the page is hidden, otherwise the product's name alone. */
export function awayTitle(productName: string, count: number, hidden: boolean): string {
  return hidden && count > 0 ? `(${formatNumber(count)}) ${productName}` : productName;
}
