import { X } from "lucide-react";
import { useEffect, useState } from "react";
import type { Controller } from "../controller/controller.ts";
import { focusCanvas } from "../controller/useCanvasFocus.ts";
import { useSignalPart } from "../kit/useSignalPart.ts";
import { t } from "../language/text.ts";
import "../kit/first-hint.css";
import "./show-all-offer.css";

/**
 * The offer of Show all on a first visit of a board that is much larger than the window, in place of the first hint,
 * until the visitor continues.
 */
export function ShowAllOffer({ controller }: { readonly controller: Controller }) {
  const isLarge = useSignalPart(controller.view, ({ large }) => large);
  const [isOpen, setOpen] = useState(true);
  useEffect(() => {
    const host = document.querySelector(".canvas");
    const close = (): void => setOpen(false);
    host?.addEventListener("pointerdown", close);
    const stop = controller.view.subscribe(() => {
      if (controller.view.get().moved) close();
    });
    return () => {
      host?.removeEventListener("pointerdown", close);
      stop();
    };
  }, [controller]);
  if (!isOpen || !isLarge) return null;
  const end = (): void => {
    setOpen(false);
    focusCanvas();
  };
  return (
    <div className="first-hint show-all-offer" role="note">
      <p>{t("There is more than you see")}</p>
      <button
        type="button"
        className="show-all-offer-button"
        onClick={() => {
          controller.moveView({ kind: "all" });
          end();
        }}
      >
        {t("Show all")}
      </button>
      <button type="button" aria-label={t("Close")} onClick={end}>
        <X size={16} />
      </button>
    </div>
  );
}
