/** Keeps the strokes that a visitor draws before the canvas exists. */

/** Records the pointers that are pressed on `host` until the returned function is called, which repeats their events. */
export function recordStrokes(host: HTMLElement): () => void {
  const events: PointerEvent[] = [];
  const listen = (record: ((event: PointerEvent) => void) | null): void => {
    host.onpointerdown = host.onpointermove = record;
    host.onpointerup = host.onpointercancel = record;
  };
  listen((event) => {
    if (event.type === "pointerdown") host.setPointerCapture(event.pointerId);
    if (event.buttons > 0 || event.type !== "pointermove") events.push(event);
  });
  return () => {
    listen(null);
    for (const event of events) host.dispatchEvent(new PointerEvent(event.type, event));
  };
}
