import { useEffect, type RefObject } from "react";
import type { Session } from "./session.ts";

/**
 * The keys follow the pointer to the canvas. While the focus came by the pointer the element says so
 * (data-pressed): browsers take the next key for a reason to draw a focus ring around the whole drawing.
 */
export function useCanvasFocus(session: Session, host: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const surface = host.current;
    if (!surface) return;
    const press = (): void => {
      surface.setAttribute("data-pressed", "");
      // A text that is being written on the canvas has a field of its own, which keeps the focus.
      if (!session.canvas?.editingText) surface.focus({ preventScroll: true });
    };
    const leave = (): void => surface.removeAttribute("data-pressed");
    surface.addEventListener("pointerdown", press);
    surface.addEventListener("blur", leave);
    return () => {
      surface.removeEventListener("pointerdown", press);
      surface.removeEventListener("blur", leave);
    };
  }, [session, host]);
}
