/**
 * The ink trail of the operating system: where `navigator.ink` exists, the compositor draws the line from the
 * newest point that the page has painted to the pointer, without waiting for the page's next frame.
 * See https://www.w3.org/TR/ink-enhancement/.
 */

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

  /** Trails are clipped to `host`. */
  constructor(host: HTMLElement) {
    this.host = host;
  }

  /**
   * Has the trail begin at a pointer event that was just painted. `color` is a CSS colour, `diameter` in CSS
   * pixels. Does nothing in a browser without ink trails, and for events that a script made.
   */
  follow(event: PointerEvent, color: string, diameter: number): void {
    if (!event.isTrusted) return;
    if (!this.requested) void this.request();
    this.presenter?.updateInkTrailStartPoint(event, { color, diameter });
  }

  private async request(): Promise<void> {
    this.requested = true;
    const { ink } = navigator as InkNavigator;
    try {
      this.presenter = await ink?.requestPresenter({ presentationArea: this.host });
    } catch {
      // Without a presenter the page's own ink is all there is.
    }
  }
}
