/**
 * Gestures: they decide which pointers the tool gets, and which move the view. A state machine over pointer events;
 * its decisions are data, on which `pointer-input.ts` acts.
 */

import type { Point } from "../geometry/matrix.ts";

/** CSS pixels that the first finger may have moved when a second one turns the gesture into a pinch. */
const PINCH_LENGTH = 12;

/** Milliseconds after the last event of a pen in which a touch counts as the palm. */
const PALM_TIME = 1000;

/** The eraser end of a pen, as a pointer event's `button`. */
const ERASER_BUTTON = 5;

/** The use of a pressed pointer or of fingers. */
type Mode =
  | { readonly kind: "idle" }
  /** Gives the pointer to the tool. `length`: how far it has moved so far. */
  | {
      readonly kind: "tool";
      readonly id: number;
      readonly type: string;
      readonly at: Point;
      readonly length: number;
    }
  | { readonly kind: "pan"; readonly id: number; readonly at: Point }
  | { readonly kind: "pinch"; readonly ids: readonly [number, number] }
  /** Does nothing until all fingers are up. */
  | { readonly kind: "wait" };

export interface GestureState {
  readonly mode: Mode;
  /** The fingers that are down. */
  readonly touches: ReadonlyMap<number, Point>;
  /** The pointer whose press the tool got: the tool gets its release too. */
  readonly passed: number | null;
  /** The time at which a pen was last used; null before any was. */
  readonly penTime: number | null;
  /** True when one finger moves the view: from the first use of a pen until the visitor switches that off. */
  readonly fingerPans: boolean;
}

export const IDLE: GestureState = {
  mode: { kind: "idle" },
  touches: new Map(),
  passed: null,
  penTime: null,
  fingerPans: false,
};

/** The parts of a PointerEvent that matter. */
export interface PointerInputEvent {
  readonly kind: "down" | "move" | "up";
  readonly id: number;
  /** The type as in PointerEvent: mouse, touch or pen. */
  readonly type: string;
  readonly button: number;
  readonly at: Point;
  /** The time of the event, in milliseconds. */
  readonly time: number;
  /** True while Space is pressed. */
  readonly space: boolean;
}

/** An effect of the event on the canvas. */
export type Action =
  /** Moves the view with these points: one of a pan, two of a pinch. */
  | { readonly kind: "move"; readonly from: readonly Point[]; readonly to: readonly Point[] }
  /** Has the tool cancel what it began. */
  | { readonly kind: "abandon" }
  /** Draws with the eraser, which is the end of the pen. */
  | { readonly kind: "erase" };

export interface Outcome {
  readonly state: GestureState;
  /** True when the tools get the event. */
  readonly pass: boolean;
  readonly actions: readonly Action[];
}

/** Returns what an event means, and the state after it. */
export function recognize(before: GestureState, event: PointerInputEvent): Outcome {
  const state = noted(before, event);
  if (event.kind === "down") return press(state, event);
  return event.kind === "move" ? move(state, before.touches, event) : release(state, event);
}

/** Returns the state with the fingers and the pen after the event. */
function noted(state: GestureState, { kind, id, type, at, time }: PointerInputEvent): GestureState {
  if (type === "pen") {
    const isFirst = kind === "down" && state.penTime === null;
    // A pen that only hovers, and was never used before, changes nothing.
    if (kind !== "down" && state.penTime === null) return state;
    return { ...state, penTime: time, fingerPans: isFirst || state.fingerPans };
  }
  if (type !== "touch" || (kind === "move" && !state.touches.has(id))) return state;
  const touches = new Map(state.touches);
  if (kind === "up") touches.delete(id);
  else touches.set(id, at);
  return { ...state, touches };
}

function keep(state: GestureState, pass: boolean, ...actions: Action[]): Outcome {
  return { state, pass, actions };
}

function toMode(state: GestureState, mode: Mode, ...actions: Action[]): Outcome {
  return { state: { ...state, mode }, pass: false, actions };
}

function toTool(
  state: GestureState,
  { id, type, at }: PointerInputEvent,
  ...actions: Action[]
): Outcome {
  const mode: Mode = { kind: "tool", id, type, at, length: 0 };
  return { state: { ...state, mode, passed: id }, pass: true, actions };
}

function press(state: GestureState, event: PointerInputEvent): Outcome {
  const { id, at, button, type, space } = event;
  if (type === "touch") return pressByTouch(state, event);
  const isEraser = button === ERASER_BUTTON;
  if (button > 1 && !isEraser) return keep(state, true);
  if (type !== "pen" && state.mode.kind !== "idle") return keep(state, false);
  if (button === 1 || space) return toMode(state, { kind: "pan", id, at });
  if (type !== "pen") return toTool(state, event);
  const { mode } = state;
  if (mode.kind === "tool" && mode.type !== "touch") return keep(state, false);
  const actions: Action[] = mode.kind === "tool" ? [{ kind: "abandon" }] : [];
  if (isEraser) actions.push({ kind: "erase" });
  return toTool(state, event, ...actions);
}

function pressByTouch(state: GestureState, event: PointerInputEvent): Outcome {
  const { mode, touches, penTime, fingerPans } = state;
  const { id, at, time } = event;
  if (penTime !== null && time - penTime <= PALM_TIME)
    return mode.kind === "idle" ? toMode(state, { kind: "wait" }) : keep(state, false);
  switch (mode.kind) {
    case "idle":
      return fingerPans ? toMode(state, { kind: "pan", id, at }) : toTool(state, event);
    case "tool":
      if (mode.type !== "touch" || mode.length >= PINCH_LENGTH) return keep(state, false);
      return toMode(state, { kind: "pinch", ids: [mode.id, id] }, { kind: "abandon" });
    case "pan":
      return touches.has(mode.id)
        ? toMode(state, { kind: "pinch", ids: [mode.id, id] })
        : keep(state, false);
    case "pinch":
    case "wait":
      return keep(state, false);
  }
}

function move(
  state: GestureState,
  before: ReadonlyMap<number, Point>,
  event: PointerInputEvent,
): Outcome {
  const { mode, touches } = state;
  const { id, at, type } = event;
  switch (mode.kind) {
    case "tool": {
      if (mode.id !== id) break;
      const length = mode.length + Math.hypot(at.x - mode.at.x, at.y - mode.at.y);
      return { state: { ...state, mode: { ...mode, at, length } }, pass: true, actions: [] };
    }
    case "pan":
      if (mode.id !== id) break;
      return toMode(state, { ...mode, at }, { kind: "move", from: [mode.at], to: [at] });
    case "pinch": {
      if (!mode.ids.includes(id)) break;
      const points = (of: ReadonlyMap<number, Point>): Point[] =>
        mode.ids.map((one) => of.get(one) ?? at);
      return keep(state, false, { kind: "move", from: points(before), to: points(touches) });
    }
    case "idle":
    case "wait":
  }
  // This is a mouse or a pen that hovers.
  return keep(state, type !== "touch");
}

function release(state: GestureState, { id, type }: PointerInputEvent): Outcome {
  const { mode, touches, passed } = state;
  const pass = passed === id || (type !== "touch" && mode.kind === "idle");
  const next = { ...state, passed: passed === id ? null : passed };
  const rest: Mode = touches.size > 0 ? { kind: "wait" } : { kind: "idle" };
  const ends = (after: Mode): Outcome => ({ state: { ...next, mode: after }, pass, actions: [] });
  switch (mode.kind) {
    case "tool":
    case "pan":
      return mode.id === id ? ends(rest) : ends(mode);
    case "pinch": {
      if (!mode.ids.includes(id)) return ends(mode);
      const other = mode.ids[0] === id ? mode.ids[1] : mode.ids[0];
      const at = touches.get(other);
      return ends(at ? { kind: "pan", id: other, at } : rest);
    }
    case "wait":
    case "idle":
      return ends(rest);
  }
}
