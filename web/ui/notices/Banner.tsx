import type { Controller } from "../controller/controller.ts";
import "./banner.css";
import { t } from "../language/text.ts";
import { useSignal } from "../kit/useSignal.ts";

/** The text of the banner while the row cannot be read. */
const UNREADABLE = "The saved drawing cannot be read. Your changes are kept on this device.";

/** The banner about the picture on the canvas: that it is an earlier version, or that the row cannot be read. */
export function Banner({ controller }: { readonly controller: Controller }) {
  const preview = useSignal(controller.board.preview);
  const { state } = useSignal(controller.saveState);
  const isOpen = useSignal(controller.panel) !== null;
  if (preview.state === "loading" || preview.state === "shown") {
    return (
      <div className="banner banner-preview">
        <p role="status">
          {preview.state === "shown"
            ? t("Version of {time} - preview", { time: preview.time })
            : t("Loading the version of {time}...", { time: preview.time })}
        </p>
        <button type="button" className="banner-button" onClick={controller.board.endPreview}>
          {t("Back to the board")}
        </button>
      </div>
    );
  }
  if (state !== "unreadable") return null;
  return (
    <div className="banner banner-warning">
      <p role="status">{t(UNREADABLE)}</p>
      {!isOpen && (
        <button
          type="button"
          className="banner-button"
          onClick={() => controller.openPanel("history")}
        >
          {t("History")}
        </button>
      )}
    </div>
  );
}
