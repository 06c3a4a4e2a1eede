/** Recognises a finger that rests. */

/** The distance within which a finger hits an object, in CSS pixels. */
export const TOUCH_REACH = 14;

/** Milliseconds of rest, and CSS pixels of permitted trembling. */
const REST = { time: 500, move: 8 } as const;

/** Calls `pressed` with the press when a single finger rests on the element. When that returns true, the finger's release is no click. */
export function onLongPress(
  element: HTMLElement,
  pressed: (press: PointerEvent) => boolean,
  signal: AbortSignal,
): void {
  let press: PointerEvent | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let taken = false;
  const end = (): void => {
    clearTimeout(timer);
    press = null;
  };
  const options = { signal, capture: true };
  element.addEventListener(
    "pointerdown",
    (event) => {
      const isAlone = press === null && event.isPrimary && event.pointerType === "touch";
      end();
      taken = false;
      if (!isAlone) return;
      press = event;
      timer = setTimeout(() => {
        end();
        taken = pressed(event);
      }, REST.time);
    },
    options,
  );
  element.addEventListener(
    "pointermove",
    (event) => {
      if (!press || event.pointerId !== press.pointerId) return;
      const far = Math.hypot(event.clientX - press.clientX, event.clientY - press.clientY);
      if (far >= REST.move) end();
    },
    options,
  );
  for (const name of ["pointerup", "pointercancel"] as const)
    element.addEventListener(name, end, options);
  // The browser would continue with mouse events, which take the focus from the menu.
  const release = (event: TouchEvent): void => {
    if (taken && event.cancelable) event.preventDefault();
  };
  element.addEventListener("touchend", release, { ...options, passive: false });
  signal.addEventListener("abort", end);
}
