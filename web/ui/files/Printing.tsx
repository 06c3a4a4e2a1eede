import { useEffect, useEffectEvent } from "react";
import { readsBack } from "../../canvas/pictures/read-back.ts";
import type { Controller } from "../controller/controller.ts";
import { shownDrawing } from "../controller/shown-drawing.ts";
import { isMac } from "../kit/Hint.tsx";
import "./print.css";

/**
 * The printed page, on which the drawing stands alone, also when the browser's own command prints it; the menu's
 * command puts its picture there first. With pictures on the board, and before the code that paints has arrived, the
 * browser's keys print as the menu does: the browser waits for neither, and pictures outside the view would be empty
 * frames.
 */
export function Printing({ controller }: { readonly controller: Controller }) {
  const begin = useEffectEvent(() => {
    // Where the picture would be a false one, or its code was not needed yet, the page is printed as it is.
    const menu = controller.canvas?.menu;
    if (document.querySelector("body > .print-picture") || !menu || !readsBack()) return;
    const { background } = shownDrawing(controller);
    const painted = menu.picture(background);
    // The browser waits for nothing that arrives later, and prints no canvas that it has not shown.
    const picture = new Image();
    picture.alt = "";
    if (painted) picture.src = painted.toDataURL();
    picture.className = "print-picture";
    document.body.append(picture);
    window.addEventListener("afterprint", () => picture.remove(), { once: true });
  });
  const press = useEffectEvent((event: KeyboardEvent) => {
    const isMod = isMac ? event.metaKey : event.ctrlKey;
    if (!isMod || event.shiftKey || event.altKey || event.key.toLowerCase() !== "p") return;
    if (!readsBack()) return;
    const { objects } = shownDrawing(controller, "board");
    if (controller.canvas?.menu && objects.every(({ type }) => type !== "Image")) return;
    event.preventDefault();
    if (event.repeat) return;
    void import("./drawing-files.ts").then(
      (code) => code.runFileAction("Print", controller),
      () => window.print(),
    );
  });
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    window.addEventListener("beforeprint", () => begin(), { signal });
    window.addEventListener("keydown", (event) => press(event), { signal });
    return () => listening.abort();
  }, []);
  return null;
}
