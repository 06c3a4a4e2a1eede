/** The visitor's choices on this device. Where the browser refuses storage, a choice ends with the page. */

import { attempt } from "../page/attempt.ts";
import { BASE_PATH } from "../page/base-path.ts";

/**
 * The choices by name. `appearance`: without one the system decides. `letters`: whether keys of one letter are
 * shortcuts; they are without a choice. `name`: the visitor's name, as it was typed. `hints`: whether this device has
 * shown the hints of the tools. `more-tools`: whether the second toolbar is open; without a choice the window's size
 * decides. `pressure`: whether the width of a pen's strokes follows its pressure. `dim`: whether the canvas is dimmed
 * where the page is dark, on this device alone. `language`: the BCP 47 tag of the page's language, as the visitor
 * wrote it. `language-offer`: whether the language of the browser was offered. `host` and `draw`: the secrets of the
 * host's links that were opened on this device (link/board-link.ts). `person` and `pages`: see `controller/own-pages.ts`.
 */
interface Choices {
  readonly name: string;
  readonly hints: "shown" | "";
  readonly appearance: "light" | "dark" | "";
  readonly letters: "off" | "";
  readonly "more-tools": "open" | "closed" | "";
  readonly dim: "on" | "";
  readonly language: string;
  readonly "language-offer": "made" | "";
  readonly pressure: "on" | "";
  readonly host: string;
  readonly draw: string;
  readonly person: string;
  readonly pages: string;
}

const chosen = new Map<keyof Choices, string>();

/** Returns the choice; an empty text for none. `anew`: as the device has it now, since another page may have changed it. */
export function preference<Name extends keyof Choices>(name: Name, anew = false): Choices[Name] {
  if (anew || !chosen.has(name)) chosen.set(name, read(name));
  return chosen.get(name) as Choices[Name];
}

/** Stores a choice, which takes effect immediately; for this page alone if it is not `stored`. */
export function prefer<Name extends keyof Choices>(
  name: Name,
  choice: Choices[Name],
  stored = true,
): void {
  chosen.set(name, choice);
  if (stored) attempt(() => localStorage.setItem(deviceKey(name), choice));
  if (name === "appearance" || name === "dim") applyAppearance();
}

/** The part of the address that chooses a language. */
export const LANGUAGE_PARAMETER = "lang";

/**
 * Returns the BCP 47 tag that the visitor chose, as it was written: in the page's address, from which it is removed
 * and stored on this device, or earlier. Empty for none.
 */
export function chosenLanguage(): string {
  const address = new URL(location.href);
  const asked = address.searchParams.get(LANGUAGE_PARAMETER);
  if (asked !== null) {
    prefer("language", asked.slice(0, 20));
    address.searchParams.delete(LANGUAGE_PARAMETER);
    history.replaceState(history.state, "", address);
  }
  return preference("language");
}

/** Applies the choice of appearance: the page's colours follow the root's colour scheme (tokens.css). */
export function applyAppearance(): void {
  const choice = preference("appearance");
  const root = document.documentElement;
  root.style.colorScheme = /^(light|dark)$/.test(choice) ? choice : "";
  // The value is the appearance under which base.css dims.
  if (preference("dim") === "on") root.dataset["dim"] = root.style.colorScheme;
  else delete root.dataset["dim"];
}

function read(name: keyof Choices): string {
  return attempt(() => localStorage.getItem(deviceKey(name))) ?? "";
}

/** Returns the name under which the pages of this board share something on a device; boards at other paths do not. */
export function deviceKey(name: string): string {
  return `inkpool${BASE_PATH.slice(0, -1)}:${name}`;
}
