import { useEffect } from "react";
import { createPortal } from "react-dom";
import { Toaster } from "sonner";
import type { Controller } from "../controller/controller.ts";
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
  return createPortal(
    <Toaster
      // The library's own, Alt+T, would take the focus from a text that is being written.
      hotkey={[]}
      customAriaLabel={t("Notices")}
      toastOptions={{ closeButtonAriaLabel: t("Close") }}
      position={isNarrow ? "bottom-center" : "top-center"}
      offset={{ top: 92, bottom }}
      mobileOffset={{ top: 82, bottom, left: 8, right: 8 }}
    />,
    document.getElementById("root")!,
  );
}
