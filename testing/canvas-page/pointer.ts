/** Sends events of a pointer that the browser does not have, between which the page gets no time. */

type At = readonly [x: number, y: number];

/** Sends an event to the canvas at a position in it. `predicted`: where the event says that the pointer will be next. */
export function sendPointer(
  type: "pointerdown" | "pointermove" | "pointerup",
  [x, y]: At,
  predicted?: At,
): void {
  const host = document.querySelector("#host") as HTMLElement;
  // There is no pointer that could be captured.
  host.setPointerCapture = () => undefined;
  const { left, top } = host.getBoundingClientRect();
  const event = ([eventX, eventY]: At, predictedEvents: PointerEvent[] = []): PointerEvent =>
    new PointerEvent(type, {
      ...{ clientX: left + eventX, clientY: top + eventY, bubbles: true, isPrimary: true },
      ...{ pointerId: 9, pointerType: "mouse", button: 0, buttons: 1, predictedEvents },
    });
  host.dispatchEvent(event([x, y], predicted && [event(predicted)]));
}
