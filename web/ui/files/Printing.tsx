import { useEffect, useEffectEvent } from "react";
import { readsBack } from "../../canvas/pictures/read-back.ts";
import type { Controller } from "../controller/controller.ts";
import "./print.css";

/**
 * The printed page, on which the drawing stands alone, also when the browser's own command prints it; the menu's
 * command puts its picture there first.
 */
export function Printing({ controller }: { readonly controller: Controller }) {
  const begin = useEffectEvent(() => {
    // Where the picture would be a false one, the page is printed as it is.
    if (document.querySelector("body > .print-picture") || !readsBack()) return;
    const { background } = controller.drawing();
    const painted = controller.canvas?.menu?.picture(background);
    // The browser waits for nothing that arrives later, and prints no canvas that it has not shown.
    const picture = new Image();
    picture.alt = "";
    if (painted) picture.src = painted.toDataURL();
    picture.className = "print-picture";
    document.body.append(picture);
    window.addEventListener("afterprint", () => picture.remove(), { once: true });
  });
  useEffect(() => {
    const listening = new AbortController();
    window.addEventListener("beforeprint", () => begin(), { signal: listening.signal });
    return () => listening.abort();
  }, []);
  return null;
}
