import { useEffect, useRef, type FocusEvent } from "react";
import { createPortal } from "react-dom";
import { Toaster } from "sonner";
import type { Controller } from "../controller/controller.ts";
import { focusCanvas } from "../controller/useCanvasFocus.ts";
import { useMedia } from "../kit/useMedia.ts";
import { useSignal } from "../kit/useSignal.ts";
import { t } from "../language/text.ts";
import { setBlocked } from "./list.ts";
// The order matters: the page's own rules follow the library's.
import "sonner/dist/styles.css";
import "./toasts.css";

/** Matches a window in which toasts lie above the dock. Where even that would cover a new shape, they lie below the header. */
const narrow = matchMedia("(width < 700px) and (height >= 564px)");

/** The toasts: they appear beside the handles and the position of new shapes, and are last in the document. */
export function Notices({ controller }: { readonly controller: Controller }) {
  const blocked = useSignal(controller.blocked);
  useEffect(() => setBlocked(blocked), [blocked]);
  const isNarrow = useMedia(narrow);
  const bottom = "calc(var(--dock) + 6px)";
  const region = useRef<HTMLElement>(null);
  const focused = useRef<Element>(null);
  useEffect(() => {
    const observer = new MutationObserver(() => {
      if (focused.current?.isConnected !== false) return;
      focused.current = null;
      if (document.activeElement === document.body) focusCanvas();
    });
    if (region.current) observer.observe(region.current, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, []);
  // The library returns the focus to where it was before whenever it leaves the notices: Tab would never get past them.
  const keepFromLibrary = (event: FocusEvent): void => {
    focused.current = event.target;
    event.stopPropagation();
  };
  return createPortal(
    <div className="notices" onFocusCapture={keepFromLibrary}>
      <Toaster
        ref={region}
        // The library's own, Alt+T, would take the focus from a text that is being written.
        hotkey={[]}
        customAriaLabel={t("Notices")}
        toastOptions={{ closeButtonAriaLabel: t("Close") }}
        position={isNarrow ? "bottom-center" : "top-center"}
        offset={{ top: 92, bottom }}
        mobileOffset={{ top: 82, bottom, left: 8, right: 8 }}
      />
    </div>,
    document.getElementById("root")!,
  );
}
