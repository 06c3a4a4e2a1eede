/** The page's sentences, made from data, and the time of its notices. The texts that SPEC.md fixes are in board/constants.ts. */

import { plural, t, translate } from "../language/text.ts";
import type { SaveState } from "../../sync/port.ts";

/** Milliseconds for which a notice is shown that offers something, or tells what was missed. */
export const NOTICE_TIME = 10_000;

/** Returns the header's text about saving. */
export function saveStateLabel(save: SaveState): string {
  switch (save.state) {
    case "loading":
      return t("Loading...");
    case "not-loaded":
      return t("Not loaded yet: trying again");
    case "unreadable":
      return t("The saved drawing cannot be read");
    case "saved":
      return t("Saved");
    case "saving":
      return t("Saving...");
    case "waiting":
      return t("Saving soon");
    case "unsaved":
      return plural(save.changes, "1 change not saved yet", "{count} changes not saved yet");
    case "offline":
      return t("Offline: kept on this device");
  }
}

/**
 * Returns the badge's text. The visitor who looks at it is online, so it never says less than one, even before the
 * first presence state has arrived.
 */
export function onlineLabel(count: number): string {
  const users = Math.max(1, count);
  return plural(users, "1 user online", "{count} users online", { count: String(users) });
}

/** Returns a shortcut as a tooltip shows it: with the command key when `mac`. */
export function shortcutLabel(keys: readonly string[], mac: boolean): string {
  const names = keys.map((key) => {
    if (mac && key === "Shift") return "⇧";
    if (key === "Mod") return mac ? "⌘" : translate("Ctrl", " key");
    return key.length > 1 ? translate(key, " key") : key.toUpperCase();
  });
  return names.join(mac ? "" : "+");
}

/** The attributes of a control that is off; empty for one that is on. */
export interface Off {
  readonly "aria-disabled"?: true;
  readonly "aria-describedby"?: string;
}

/**
 * Returns the attributes of a control that is off while the board is locked, with the header's text as the reason. It
 * keeps the focus.
 */
export function offWhile(blocked: boolean): Off {
  return blocked ? { "aria-disabled": true, "aria-describedby": "board-locked" } : {};
}
