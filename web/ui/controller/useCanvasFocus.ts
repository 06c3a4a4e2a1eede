import { useEffect, type RefObject } from "react";
import type { Controller } from "./controller.ts";

/** Gives the canvas the focus, with a ring where the keyboard was used last. */
export function focusCanvas(): void {
  const surface = document.querySelector<HTMLElement>(".canvas");
  if (!surface) return;
  surface.focus({ preventScroll: true });
  surface.toggleAttribute("data-pressed", !surface.matches(":focus-visible"));
}

/**
 * Gives the canvas the focus when it is pressed. The element is marked (data-pressed) while it has the focus by the
 * pointer: without the mark, browsers draw a focus ring around the drawing at the next key.
 */
export function useCanvasFocus(controller: Controller, host: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const surface = host.current;
    if (!surface) return;
    const press = (): void => {
      surface.setAttribute("data-pressed", "");
      // A text that is being edited on the canvas has a field of its own, which keeps the focus.
      if (!controller.canvas?.selection?.editingText) surface.focus({ preventScroll: true });
    };
    // Firefox would take the focus away after a press of a layer that the press has hidden.
    const keep = (event: MouseEvent): void => {
      if (event.target instanceof HTMLCanvasElement && document.activeElement === surface)
        event.preventDefault();
    };
    const leave = (): void => surface.removeAttribute("data-pressed");
    // It listens while capturing, since a press that moves the view is not passed on.
    surface.addEventListener("pointerdown", press, true);
    surface.addEventListener("mousedown", keep);
    surface.addEventListener("blur", leave);
    return () => {
      surface.removeEventListener("pointerdown", press, true);
      surface.removeEventListener("mousedown", keep);
      surface.removeEventListener("blur", leave);
    };
  }, [controller, host]);
}
