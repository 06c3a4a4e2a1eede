import { useEffect } from "react";
import "./aside.css";

/** CSS pixels around the dock within which a pressed pointer makes it step aside. */
const NEAR = 24;

/**
 * Fades the dock, and lets the pointer through it, while a pointer that was pressed on the canvas is near, so that a
 * stroke or a drag continues below it. The element is changed directly: a render for each pointer move would cost
 * more than the stroke.
 */
export function useDockAside(): void {
  useEffect(() => {
    const surface = document.querySelector<HTMLElement>(".canvas");
    const panel = document.querySelector<HTMLElement>(".dock");
    if (!surface || !panel) return;
    const listening = new AbortController();
    const { signal } = listening;
    let box: DOMRect | null = null;

    const follow = (event: PointerEvent): void => {
      if (!box) return;
      const near =
        event.clientX > box.left - NEAR &&
        event.clientX < box.right + NEAR &&
        event.clientY > box.top - NEAR &&
        event.clientY < box.bottom + NEAR;
      panel.toggleAttribute("data-aside", near);
    };
    const release = (): void => {
      box = null;
      panel.removeAttribute("data-aside");
    };

    surface.addEventListener("pointerdown", () => (box = panel.getBoundingClientRect()), {
      signal,
      capture: true,
    });
    window.addEventListener("pointermove", follow, { signal, passive: true, capture: true });
    window.addEventListener("pointerup", release, { signal, capture: true });
    window.addEventListener("pointercancel", release, { signal, capture: true });
    return () => {
      listening.abort();
      release();
    };
  }, []);
}
