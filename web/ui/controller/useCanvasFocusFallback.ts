import { useEffect } from "react";
import type { Controller } from "./controller.ts";
import { focusCanvas } from "./useCanvasFocus.ts";

/** Milliseconds after which whatever gives the focus to a control has done so. */
const SETTLE = 100;

/**
 * Gives the canvas the focus where a press or a key left it nowhere, as when the pressed button has disappeared. A
 * press beside the canvas ends a text that is being written, also when a button is pressed, which then has the focus.
 */
export function useCanvasFocusFallback(controller: Controller): void {
  useEffect(() => {
    let cancel = (): void => undefined;
    const look = ({ target }: Event): void => {
      cancel();
      cancel = controller.startTimer(() => {
        const { activeElement } = document;
        if (activeElement?.matches("textarea")) return;
        // No key reaches a text whose field has lost the focus. A menu may have begun such a text.
        const isOutside = target instanceof Element && !target.closest("[role=menu]");
        if (isOutside && controller.canvas?.selection?.editingText)
          controller.canvas.tools.selectNone();
        // A panel that is about to open takes the focus, and returns it to the element that opened it.
        if (controller.panel.get() !== null && !document.querySelector(".panel")) return;
        if (activeElement === null || activeElement === document.body) focusCanvas();
      }, SETTLE);
    };
    const listening = new AbortController();
    const options = { capture: true, signal: listening.signal };
    window.addEventListener("click", look, options);
    window.addEventListener("keyup", look, options);
    return () => {
      listening.abort();
      cancel();
    };
  }, [controller]);
}
