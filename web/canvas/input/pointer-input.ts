/** The input of pointers and wheel over the canvas. It acts on the decisions of `gestures.ts` before the tools get the event. */

import type { HostLayers } from "../view/host.ts";
import { type Action, type GestureState, IDLE, recognize } from "./gestures.ts";
import type { Pen } from "./pen.ts";
import { isApple } from "../view/platform.ts";
import type { Viewport } from "../view/viewport.ts";
import { wheelMove } from "./wheel.ts";

export interface PointerInputDependencies {
  readonly layers: HostLayers;
  readonly pen: Pen;
  readonly viewport: Viewport;
  /** Has the tool cancel what the pressed pointer began. */
  readonly abandon: () => void;
  /** Updates the picture before a pointer of the tools is pressed. */
  readonly beforePress: () => void;
  /** Draws with the eraser, whatever the tool is. */
  readonly erase: (event: PointerEvent) => void;
  /** Called when a pen is used for the first time, with whether one finger moves the view. */
  readonly onFingerPans: (pans: boolean) => void;
}

/** Safari's own events of a trackpad's pinch. */
interface GestureEvent extends UIEvent {
  readonly scale: number;
  readonly clientX: number;
  readonly clientY: number;
}

const KINDS = {
  pointerdown: "down",
  pointermove: "move",
  pointerup: "up",
  pointercancel: "up",
} as const;

const RIGHT_BUTTON = 2;

/** Milliseconds after a release within which the next stroke of a word usually begins. */
const NEXT = 300;

export class PointerInput {
  private readonly deps: PointerInputDependencies;
  private readonly host: HTMLElement;
  private state: GestureState = IDLE;
  private space = false;
  /** The time of the last event of a pressed pointer. */
  private usedAt = -Infinity;
  private scale = 1;
  private readonly listeners = new AbortController();

  constructor(deps: PointerInputDependencies) {
    this.deps = deps;
    const { host } = deps.layers;
    this.host = host;
    const { signal } = this.listeners;
    const capture = { signal, capture: true };
    for (const name of Object.keys(KINDS) as (keyof typeof KINDS)[]) {
      const kind = KINDS[name];
      // A pointer that the host has not captured may be released anywhere.
      const target: GlobalEventHandlers = kind === "up" ? window : host;
      target.addEventListener(name, (event) => this.onPointer(event, kind), capture);
    }
    host.addEventListener("lostpointercapture", (event) => deps.pen.up(event), { signal });
    host.addEventListener("wheel", (event) => this.onWheel(event), { signal, passive: false });
    // A middle button would begin the browser's own scrolling.
    host.addEventListener("mousedown", (event) => event.button === 1 && event.preventDefault(), {
      signal,
    });
    // On Linux a middle button pastes the selected text, and the page takes what is pasted outside its fields. Firefox
    // pastes at the click, others at the release.
    const preventPaste = (event: MouseEvent): void => {
      if (event.button === 1 && !isInField(event)) event.preventDefault();
    };
    window.addEventListener("mouseup", preventPaste, { signal });
    window.addEventListener("auxclick", preventPaste, { signal });
    for (const name of ["gesturestart", "gesturechange"])
      host.addEventListener(name, (event) => this.onGesture(event as GestureEvent), { signal });
    for (const name of ["keydown", "keyup", "blur"])
      window.addEventListener(name, (event) => this.onSpace(event), { signal });
  }

  dispose(): void {
    this.listeners.abort();
  }

  /** True while a pointer is pressed, and for 300 ms after, so that work which nobody waits for is postponed. */
  get busy(): boolean {
    return this.state.mode.kind !== "idle" || performance.now() < this.usedAt + NEXT;
  }

  /** Switches whether one finger moves the view or draws. */
  setFingerPans(fingerPans: boolean): void {
    this.state = { ...this.state, fingerPans };
  }

  private onPointer(event: PointerEvent, kind: "down" | "move" | "up"): void {
    const { pointerId: id, pointerType: type, timeStamp: time, clientX, clientY } = event;
    const { mode } = this.state;
    const isPressed = "id" in mode && mode.id === id;
    if (isPressed && kind === "move" && type === "mouse" && !event.buttons) {
      // A page that was left meanwhile, and is shown again, has missed the release.
      const pointer = { pointerId: id, pointerType: type, isPrimary: true };
      const details = { ...pointer, clientX, clientY, bubbles: true };
      event.target?.dispatchEvent(new PointerEvent("pointerup", details));
    }
    const before = this.state;
    // Beside the canvas only the release of what was pressed on it counts.
    if (id !== before.passed && !this.host.contains(event.target as Node)) return;
    const opensMenu = isApple && type === "mouse" && event.ctrlKey && event.button === 0;
    const button = opensMenu ? RIGHT_BUTTON : event.button;
    const { space } = this;
    const at = this.deps.layers.toHost(event);
    const { state, pass, actions } = recognize(before, { kind, id, type, button, at, time, space });
    this.state = state;
    if (before.mode !== state.mode) this.usedAt = performance.now();
    if (before.penTime === null && state.penTime !== null) this.deps.onFingerPans(state.fingerPans);
    if (!pass || (opensMenu && kind === "down")) event.stopPropagation();
    if (kind === "down") this.deps.beforePress();
    let erases = false;
    for (const action of actions) {
      if (action.kind === "erase") erases = true;
      else this.act(action);
    }
    if (state.mode.kind === "pan" && kind === "down" && event.isTrusted)
      this.host.setPointerCapture(id);
    this.showPanning();
    if (pass) this.toPen(event, kind, erases);
  }

  private act(action: Exclude<Action, { kind: "erase" }>): void {
    const { pen, abandon, viewport } = this.deps;
    if (action.kind === "move") return viewport.drag(action.from, action.to);
    pen.abandon();
    abandon();
  }

  private toPen(event: PointerEvent, kind: "down" | "move" | "up", erases: boolean): void {
    const { pen, erase } = this.deps;
    if (kind === "move") pen.move(event);
    else if (kind === "up") pen.up(event);
    else if (erases) {
      event.stopPropagation();
      erase(event);
    } else if (this.state.mode.kind === "tool" && this.state.mode.id === event.pointerId)
      pen.down(event);
  }

  private onWheel(event: WheelEvent): void {
    event.preventDefault();
    const { layers, viewport } = this.deps;
    const move = wheelMove(event, layers.size.height);
    if (move.kind === "pan") viewport.pan(move.dx, move.dy);
    else viewport.zoom(move.factor, layers.toHost(event));
  }

  private onGesture(event: GestureEvent): void {
    event.preventDefault();
    // On a touch screen the fingers' own events do the same.
    if (event.type === "gesturechange" && this.state.touches.size === 0)
      this.deps.viewport.zoom(event.scale / this.scale, this.deps.layers.toHost(event));
    this.scale = event.type === "gesturestart" ? 1 : event.scale;
  }

  /** Notes whether Space is pressed; a window that loses the focus gets no release. */
  private onSpace(event: Event): void {
    const { type, key = " " } = event as Partial<KeyboardEvent>;
    const isDown = type === "keydown";
    if (key !== " " || (isDown && isInField(event))) return;
    this.space = isDown;
    this.showPanning();
  }

  /** Marks the host while the view moves or can be moved; the page's styles set the cursor. */
  private showPanning(): void {
    const pans = this.state.mode.kind === "pan";
    const value = pans ? "active" : this.space && this.state.mode.kind === "idle" ? "ready" : "";
    if (this.host.getAttribute(PANNING) !== value) this.host.setAttribute(PANNING, value);
  }
}

function isInField({ target }: Event): boolean {
  return target instanceof Element && target.closest("input, textarea") !== null;
}

const PANNING = "data-panning";
