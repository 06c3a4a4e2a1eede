/** Which key means what: a decision in data, so that it can be read and tested without a browser. */

import { TOOLS, type Tool } from "../../board/spec.ts";

export type Command =
  | { readonly kind: "tool"; readonly tool: Tool }
  | { readonly kind: "undo" }
  | { readonly kind: "redo" }
  | { readonly kind: "remove" }
  | { readonly kind: "clear-selection" }
  | { readonly kind: "select-all" }
  | { readonly kind: "nudge"; readonly dx: number; readonly dy: number };

/** The parts of a KeyboardEvent that matter. */
export interface KeyPress {
  readonly key: string;
  /** The physical key (KeyV), for keyboards whose letters are not Latin. */
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly repeat: boolean;
}

/** Where the keys would go without us. */
export interface KeyContext {
  /** A field of the page or a text on the canvas takes the keys. */
  readonly typing: boolean;
  /** The canvas, or nothing in particular, has the focus. */
  readonly onCanvas: boolean;
  readonly tool: Tool;
  /** Selected objects. */
  readonly selected: number;
}

/** Pixels for an arrow key, and for an arrow key with Shift. */
const NUDGE = { small: 1, large: 10 } as const;

const ARROWS: ReadonlyMap<string, readonly [dx: number, dy: number]> = new Map([
  ["ArrowLeft", [-1, 0]],
  ["ArrowRight", [1, 0]],
  ["ArrowUp", [0, -1]],
  ["ArrowDown", [0, 1]],
]);

/** The command that a key press gives, or null when the key is none of ours. */
export function commandFor(press: KeyPress, context: KeyContext): Command | null {
  if (context.typing || press.altKey) return null;
  if (press.ctrlKey || press.metaKey) return chord(press, context);
  const arrow = ARROWS.get(press.key);
  if (arrow) {
    if (!context.onCanvas || context.selected === 0) return null;
    const step = press.shiftKey ? NUDGE.large : NUDGE.small;
    return { kind: "nudge", dx: arrow[0] * step, dy: arrow[1] * step };
  }
  if (press.shiftKey || press.repeat) return null;
  if (press.key === "Delete" || press.key === "Backspace") return { kind: "remove" };
  if (press.key === "Escape") return { kind: "clear-selection" };
  const letter = letterOf(press);
  const entry = TOOLS.find((candidate) => candidate.key === letter);
  return entry ? { kind: "tool", tool: entry.tool } : null;
}

function chord(press: KeyPress, context: KeyContext): Command | null {
  switch (letterOf(press)) {
    case "z":
      return { kind: press.shiftKey ? "redo" : "undo" };
    case "y":
      return press.shiftKey ? null : { kind: "redo" };
    case "a":
      return context.tool === "select" && !press.shiftKey ? { kind: "select-all" } : null;
    default:
      return null;
  }
}

/** The Latin letter of a key, whatever the keyboard's layout; the layout's own letter goes first. */
function letterOf(press: KeyPress): string {
  const key = press.key.toLowerCase();
  if (/^[\x20-\x7e]$/.test(key)) return key;
  return /^Key[A-Z]$/.test(press.code) ? press.code.slice(3).toLowerCase() : key;
}
