/** The page's own sentences, made from data. The texts that the product promises are in board/spec.ts. */

import { TEXTS } from "../../board/spec.ts";
import type { SaveState } from "../sync/port.ts";

/** What the header says about saving. */
export function saveStateLabel(save: SaveState): string {
  switch (save.state) {
    case "loading":
      return "Loading...";
    case "saved":
      return "Saved";
    case "saving":
      return "Saving...";
    case "unsaved":
      return save.changes === 1
        ? "1 change not saved yet"
        : `${save.changes} changes not saved yet`;
    case "offline":
      return "Offline: kept on this device";
  }
}

/**
 * What the badge says. The person who looks at it is online, so it never says less than one, even
 * before the presence of the others has arrived.
 */
export function onlineLabel(count: number): string {
  return TEXTS.usersOnline(Math.max(1, count));
}

/** How many objects others have added, changed and removed. */
export interface ChangeCounts {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/** One sentence for screen readers about what others did, or null when they did nothing. */
export function describeChanges(counts: ChangeCounts): string | null {
  const parts = [
    counts.added > 0 && `added ${objects(counts.added)}`,
    counts.changed > 0 && `changed ${objects(counts.changed)}`,
    counts.removed > 0 && `removed ${objects(counts.removed)}`,
  ].filter((part) => part !== false);
  if (parts.length === 0) return null;
  const last = parts.pop();
  return `Someone ${parts.length === 0 ? last : `${parts.join(", ")} and ${last}`}`;
}

function objects(count: number): string {
  return count === 1 ? "1 object" : `${count} objects`;
}

/** A shortcut as a tooltip shows it. `mac` writes the command key. */
export function shortcutLabel(keys: readonly string[], mac: boolean): string {
  const names = keys.map((key) => {
    if (key === "Mod") return mac ? "⌘" : "Ctrl";
    if (key === "Shift") return mac ? "⇧" : "Shift";
    return key.toUpperCase();
  });
  return names.join(mac ? "" : "+");
}
