/** Decides what each key means, in data, so that it can be read and tested without a browser. */

import { MORE_TOOLS, PEN_WIDTHS, type Tool, TOOLS } from "../../../board/tools.ts";
import type { Restacking, ViewMove } from "../../canvas/port.ts";

export type Command =
  | { readonly kind: "view"; readonly move: ViewMove }
  | { readonly kind: "tool"; readonly tool: Tool }
  | { readonly kind: "pen-width"; readonly width: number }
  | { readonly kind: "undo" }
  | { readonly kind: "redo" }
  | { readonly kind: "remove" }
  | { readonly kind: "text" }
  | { readonly kind: "duplicate" }
  | { readonly kind: "restack"; readonly to: Restacking }
  | { readonly kind: "clear-selection" }
  | { readonly kind: "select-all" }
  | { readonly kind: "nudge"; readonly dx: number; readonly dy: number }
  | { readonly kind: "resize"; readonly dx: number; readonly dy: number }
  | { readonly kind: "turn"; readonly degrees: number }
  | { readonly kind: "keys" };

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

/** The page's state when a key is pressed. */
export interface KeyContext {
  /** Whether a field of the page or a text on the canvas takes the keys. */
  readonly typing: boolean;
  /** Whether the canvas or the page's body has the focus. */
  readonly onCanvas: boolean;
  /** Whether keys of one character are shortcuts; a visitor can switch them off. */
  readonly letters: boolean;
  /** Whether an open menu or panel has the focus. */
  readonly inPanel: boolean;
  /** Whether the canvas shows an earlier version, which cannot be edited. */
  readonly previewing: boolean;
  /** The number of selected objects. */
  readonly selected: number;
}

/** Pixels for an arrow key, without and with Shift. */
const NUDGE = 1;
const LARGE_NUDGE = 10;
/** Degrees of rotation for one press. */
const TURN = 15;

const ARROWS: ReadonlyMap<string, readonly [dx: number, dy: number]> = new Map([
  ["ArrowLeft", [-1, 0]],
  ["ArrowRight", [1, 0]],
  ["ArrowUp", [0, -1]],
  ["ArrowDown", [0, 1]],
]);

/** Returns the command of a key press, or null for a key that the page leaves to the browser. */
export function commandFor(press: KeyPress, context: KeyContext): Command | null {
  if (context.typing) return null;
  const move = viewMove(press, context);
  if (move) return { kind: "view", move };
  if (context.previewing) return null;
  const arrow = ARROWS.get(press.key);
  if (arrow) return context.onCanvas && context.selected > 0 ? transform(press, arrow) : null;
  if (press.altKey) return null;
  if (press.ctrlKey || press.metaKey) return chord(press, context);
  if (context.inPanel) return null;
  if (/[?؟]/.test(press.key) && context.letters) return { kind: "keys" };
  if (press.shiftKey || press.repeat) return null;
  if (press.key === "Delete" || press.key === "Backspace") return { kind: "remove" };
  if (press.key === "Escape") return { kind: "clear-selection" };
  const letter = letterOf(press);
  if (!context.letters) return null;
  if (letter === TEXT_KEY) return { kind: "text" };
  // Without Shift, the keys of the digits write signs or accented letters in France, and other digits in Arabic.
  const pen = PEN_WIDTHS.find(({ key }) => key === letter || press.code === `Digit${key}`);
  if (pen) return { kind: "pen-width", width: pen.width };
  const entry = [...TOOLS, ...MORE_TOOLS].find(
    ({ key, alias }) => key === letter || alias === letter,
  );
  return entry ? { kind: "tool", tool: entry.tool } : null;
}

/** The key that begins a text. */
export const TEXT_KEY = "t";

/** The part of the canvas by which a key moves the view. */
const PAN_STEP = 0.5;

/** The factor by which a key or a button zooms. */
export const ZOOM_STEP = 1.25;

/** The views that the keys of the digits show. */
const VIEWS: ReadonlyMap<string, "home" | "all" | "selection"> = new Map([
  ["Digit0", "home"],
  ["Digit1", "all"],
  ["Digit2", "selection"],
]);

/** Returns the move of the view for a key, also in an earlier version; Ctrl and Command leave these keys to the browser. */
function viewMove(press: KeyPress, { inPanel, letters, onCanvas }: KeyContext): ViewMove | null {
  const { key, code, shiftKey } = press;
  if (press.ctrlKey || press.metaKey || press.altKey || inPanel) return null;
  if ((key === "PageUp" || key === "PageDown") && onCanvas) {
    const step = key === "PageUp" ? PAN_STEP : -PAN_STEP;
    return { kind: "pan", dx: shiftKey ? step : 0, dy: shiftKey ? 0 : step };
  }
  if (!letters) return null;
  if (key === "+" || key === "=") return { kind: "zoom", factor: ZOOM_STEP };
  if (key === "-") return { kind: "zoom", factor: 1 / ZOOM_STEP };
  // The physical key decides, since with Shift a digit is another character.
  if (!shiftKey || press.repeat) return null;
  const kind = VIEWS.get(code);
  return kind ? { kind } : null;
}

/** Returns the change of the selection for an arrow key. */
function transform(press: KeyPress, [x, y]: readonly [number, number]): Command | null {
  const { altKey, shiftKey } = press;
  const hasChord = press.ctrlKey || press.metaKey;
  if (altKey) {
    if (hasChord || shiftKey || x === 0) return null;
    return { kind: "turn", degrees: x * TURN };
  }
  if (hasChord && !shiftKey) return null;
  const step = shiftKey ? LARGE_NUDGE : NUDGE;
  return { kind: hasChord ? "resize" : "nudge", dx: x * step, dy: y * step };
}

/** True for a key that writes a letter and is not held. */
export function isLetter({ key, ctrlKey, metaKey, altKey, repeat }: KeyPress): boolean {
  return /^\p{L}$/u.test(key) && !ctrlKey && !metaKey && !altKey && !repeat;
}

/** Returns the move of the selection in the stack for a bracket with Ctrl or Command. */
function restacking({ key, code, shiftKey }: KeyPress): Restacking | null {
  // Other layouts have letters there, or the signs with which a browser zooms.
  const sign = /^\p{L}$/u.test(key) ? code : key;
  if (/^(?:[\]}]|BracketRight)$/.test(sign)) return shiftKey ? "front" : "forward";
  return /^(?:[[{]|BracketLeft)$/.test(sign) ? (shiftKey ? "back" : "backward") : null;
}

function chord(press: KeyPress, context: KeyContext): Command | null {
  const to = restacking(press);
  if (to) return context.inPanel || context.selected === 0 ? null : { kind: "restack", to };
  switch (letterOf(press)) {
    case "z":
      return { kind: press.shiftKey ? "redo" : "undo" };
    case "d":
      return context.inPanel || press.shiftKey || context.selected === 0
        ? null
        : { kind: "duplicate" };
    case "y":
      return press.shiftKey ? null : { kind: "redo" };
    case "a":
      return context.inPanel || press.shiftKey ? null : { kind: "select-all" };
    default:
      return null;
  }
}

/** The Latin letter of a key, whatever the keyboard's layout; the layout's own letter has precedence. */
function letterOf(press: KeyPress): string {
  const key = press.key.toLowerCase();
  if (/^[\x20-\x7e]$/.test(key)) return key;
  return /^Key[A-Z]$/.test(press.code) ? press.code.slice(3).toLowerCase() : key;
}
