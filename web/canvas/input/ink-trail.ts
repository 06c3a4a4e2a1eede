/**
 * The ink trail of the operating system: where `navigator.ink` exists, the compositor draws the line from the
 * newest point that the page has painted to the pointer, without waiting for the page's next frame.
 * See https://www.w3.org/TR/ink-enhancement/.
 */

import type { Ink } from "../painting/ink.ts";
import { PressureInk } from "../painting/pressure-ink.ts";

interface Presenter {
  updateInkTrailStartPoint(event: PointerEvent, style: { color: string; diameter: number }): void;
}

interface InkNavigator {
  readonly ink?: {
    requestPresenter(parameters: { presentationArea: Element }): Promise<Presenter>;
  };
}

export class InkTrail {
  private readonly host: HTMLElement;
  private presenter: Presenter | undefined;
  private requested = false;

  /** Makes the trail, which is clipped to `host`. */
  constructor(host: HTMLElement) {
    this.host = host;
  }

  /**
   * Has the trail begin at a pointer event whose ink was just painted; `zoom`: CSS pixels in a canvas pixel. Does
   * nothing in a browser without ink trails, for events that a script made, and for ink that a trail cannot imitate:
   * a trail is opaque and has one width.
   */
  follow(event: PointerEvent, ink: Ink, zoom: number): void {
    if (!event.isTrusted || ink.isTranslucent || ink instanceof PressureInk) return;
    if (!this.requested) void this.request();
    this.presenter?.updateInkTrailStartPoint(event, {
      color: ink.color,
      diameter: ink.width * zoom,
    });
  }

  private async request(): Promise<void> {
    this.requested = true;
    const { ink } = navigator as InkNavigator;
    try {
      this.presenter = await ink?.requestPresenter({ presentationArea: this.host });
    } catch {
      // Without a presenter only the page's own ink is visible.
    }
  }
}
