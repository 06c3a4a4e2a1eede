/**
 * Controls the canvas by keyboard alone: the arrow keys move a crosshair, Space begins and ends a stroke at it.
 * Points are in CSS pixels of the canvas.
 */

import type { Point } from "../geometry/matrix.ts";
import type { HostLayers } from "../view/host.ts";
import { makePositioned } from "../view/positioned.ts";

/** Pixels for one press of an arrow key, without and with Shift. */
const STEP = 10;
const FINE_STEP = 1;

export interface KeyboardDependencies {
  readonly layers: Pick<HostLayers, "host" | "size">;
  /** True while a text is being edited, which then gets the keys. */
  readonly busy: () => boolean;
  /** True when the arrow keys move the selection, which the page does. */
  readonly arrowsTaken: () => boolean;
  /** Called when the crosshair moved. */
  readonly moved: (at: Point) => void;
  /** Called when Space or Enter was pressed. */
  readonly press: (at: Point) => void;
  /** Called when `[` or `]` was pressed, to select the object below or above. */
  readonly cycle: (step: -1 | 1) => void;
  /**
   * Called when Escape was pressed, perhaps with Alt: such a press copies, and is no shortcut of the page. Returns
   * true when the key has no other effect.
   */
  readonly letGo: () => boolean;
}

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export class Keyboard {
  /** The crosshair. */
  readonly element: HTMLElement;
  private readonly deps: KeyboardDependencies;
  private at: Point | undefined;
  /** True while Space is pressed and no pointer has been pressed since. */
  private space = false;
  private readonly listeners = new AbortController();

  constructor(deps: KeyboardDependencies) {
    this.deps = deps;
    this.element = makeCrosshair();
    const { signal } = this.listeners;
    deps.layers.host.addEventListener("keydown", (event) => this.onKey(event), { signal });
    deps.layers.host.addEventListener("focus", () => this.showFocus(), { signal });
    deps.layers.host.addEventListener("blur", () => this.hide(), { signal });
    const release = (event: KeyboardEvent): void => this.onRelease(event);
    deps.layers.host.addEventListener("keyup", release, { signal });
    const press = (): void => this.hide();
    deps.layers.host.addEventListener("pointerdown", press, { signal, capture: true });
  }

  /** Shows the crosshair to a visitor who reached the canvas by keys, since the next key acts there. */
  showFocus(): void {
    if (this.deps.layers.host.matches(":focus-visible") && !this.deps.busy()) this.show();
  }

  dispose(): void {
    this.listeners.abort();
  }

  hide(): void {
    this.space = false;
    this.element.style.display = "none";
  }

  private onKey(event: KeyboardEvent): void {
    if (event.key === "Escape" && this.deps.letGo()) event.preventDefault();
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target !== this.deps.layers.host || this.deps.busy()) return;
    const arrow = ARROWS[event.key];
    if (arrow) {
      if (this.deps.arrowsTaken()) return;
      event.preventDefault();
      const step = event.shiftKey ? FINE_STEP : STEP;
      this.move(arrow[0] * step, arrow[1] * step);
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.deps.press(this.show());
    } else if (event.key === " ") {
      event.preventDefault();
      if (event.repeat) return;
      // With a pointer Space moves the view; alone it acts as the pen when it is released.
      this.space = true;
    } else if (event.key === "[" || event.key === "]") {
      event.preventDefault();
      this.deps.cycle(event.key === "[" ? -1 : 1);
    }
  }

  private onRelease(event: KeyboardEvent): void {
    if (event.key !== " " || !this.space) return;
    this.space = false;
    if (!this.deps.busy()) this.deps.press(this.show());
  }

  private move(dx: number, dy: number): void {
    const before = this.show();
    const { width, height } = this.deps.layers.size;
    const at = {
      x: Math.max(0, Math.min(width, before.x + dx)),
      y: Math.max(0, Math.min(height, before.y + dy)),
    };
    this.at = at;
    this.show();
    this.deps.moved(at);
  }

  /** Shows the crosshair, in the middle at first. */
  private show(): Point {
    const { width, height } = this.deps.layers.size;
    const at = this.at ?? { x: Math.round(width / 2), y: Math.round(height / 2) };
    this.at = at;
    this.element.style.display = "block";
    this.element.style.transform = `translate(${at.x}px, ${at.y}px)`;
    return at;
  }
}

function makeCrosshair(): HTMLElement {
  const element = makePositioned("div", {
    ...{ width: "1px", height: "1px", display: "none", pointerEvents: "none" },
  });
  element.setAttribute("aria-hidden", "true");
  element.dataset["crosshair"] = "";
  for (const [width, height] of [
    ["21px", "1px"],
    ["1px", "21px"],
  ] as const) {
    const line = makePositioned("div", {
      width,
      height,
      left: width === "1px" ? "0" : "-10px",
      top: height === "1px" ? "0" : "-10px",
      background: "#111827",
      boxShadow: "0 0 0 1px white",
    });
    element.append(line);
  }
  return element;
}
