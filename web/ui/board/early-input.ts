/** Keeps the strokes that a visitor draws, and the keys that they press, before the canvas exists. */

const HANDLERS = [
  ...(["onpointerdown", "onpointermove", "onpointerup", "onpointercancel"] as const),
  ...(["onkeydown", "onkeyup"] as const),
];

/**
 * Records pointers and keys that are pressed on `host` until the returned function is called, which repeats their
 * events for `host` alone: the page has handled them already.
 */
export function recordInput(host: HTMLElement): () => void {
  const events: Event[] = [];
  const listen = (record: ((event: Event) => void) | null): void => {
    for (const handler of HANDLERS) host[handler] = record;
  };
  listen((event) => {
    const { type, pointerId, buttons } = event as PointerEvent;
    if (type === "pointerdown") host.setPointerCapture(pointerId);
    // A pointer that only moves shows nothing later.
    if (type !== "pointermove" || buttons > 0) events.push(event);
  });
  return () => {
    listen(null);
    for (const event of events) {
      const init: Record<string, unknown> = {};
      for (const name in event) init[name] = event[name as keyof Event];
      init["bubbles"] = false;
      const Type = event.constructor as typeof Event;
      host.dispatchEvent(new Type(event.type, init));
    }
  };
}
