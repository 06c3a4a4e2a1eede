import { useEffect, useRef } from "react";
import type { Controller } from "../controller/controller.ts";
import { useSignal } from "../kit/useSignal.ts";
import { limitClause } from "./board-space.ts";
import { showCut } from "./plain-text.ts";
import { importReport, type ImportReport } from "./work.ts";
import { t } from "../language/text.ts";

/**
 * Reports how much of a drawing was added, what was left out, and why copies were not added; an SVG can be added as a
 * picture instead. The focus returns to where it was.
 */
export function ImportDialog({ controller }: { readonly controller: Controller }) {
  useEffect(
    () =>
      controller.actions.listen((action) => {
        if (action.kind === "refused")
          importReport.set(refusedCopyReport(limitClause(action.limit)));
        if (action.kind === "cut") showCut();
      }),
    [controller],
  );
  const report = useSignal(importReport);
  const dialog = useRef<HTMLDialogElement>(null);
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (!report || !element) return;
    if (!element.open) element.showModal();
    close.current?.focus();
    // The page's shortcuts do not reach a board behind a dialog.
    const keep = (event: KeyboardEvent): void => event.stopPropagation();
    element.addEventListener("keydown", keep);
    return () => element.removeEventListener("keydown", keep);
  }, [report]);
  if (!report) return null;
  const { addPicture } = report;
  return (
    <dialog
      ref={dialog}
      className="report"
      aria-labelledby="report-title"
      aria-describedby="report-text report-list"
      onClose={() => importReport.set(null)}
    >
      <h2 id="report-title">{report.title}</h2>
      {report.text !== "" && <p id="report-text">{report.text}</p>}
      {report.sentences.length > 0 && (
        <ul id="report-list">
          {report.sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      <div className="report-buttons">
        {addPicture && (
          <button
            type="button"
            className="work-button"
            onClick={() => {
              dialog.current?.close();
              addPicture();
            }}
          >
            {t("Add as a picture")}
          </button>
        )}
        <button
          ref={close}
          type="button"
          className="report-button"
          onClick={() => dialog.current?.close()}
        >
          {t("Close")}
        </button>
      </div>
    </dialog>
  );
}

/** Returns the report of copies that were not added; the board stays as it was. `reason`: a clause in the visitor's language. */
function refusedCopyReport(reason: string): ImportReport {
  const text = t("The copy cannot be added: {reason}.", { reason });
  return { title: t("Nothing was added"), text, sentences: [] };
}
