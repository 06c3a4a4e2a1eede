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
    const look = ({ type, target }: Event): void => {
      cancel();
      // A pressed word of a text can be dragged: its field gets the focus back when the pointer is released.
      if (type === "pointerdown") return;
      cancel = controller.startTimer(() => {
        const { activeElement } = document;
        if (activeElement?.matches("textarea")) return;
        // No key reaches a text whose field has lost the focus. A menu may have begun such a text.
        const isOutside = target instanceof Element && !target.closest("[role=menu]");
        if (isOutside && controller.canvas?.selection?.editingText)
          controller.canvas.tools.selectNone();
        // A panel that is about to open takes the focus, and returns it to the element that opened it.
        if (controller.panel.get() !== null && !document.querySelector(".panel")) return;
        if (activeElement === document.body) focusCanvas();
      }, SETTLE);
    };
    const listening = new AbortController();
    const options = { capture: true, signal: listening.signal };
    for (const name of ["pointerdown", "click", "keyup"])
      window.addEventListener(name, look, options);
    return () => {
      listening.abort();
      cancel();
    };
  }, [controller]);
}
