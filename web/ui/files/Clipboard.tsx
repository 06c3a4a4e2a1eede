import { useEffect, useEffectEvent } from "react";
import { toast } from "sonner";
import { TEXTS } from "../../../board/constants.ts";
import { isPreviewing } from "../controller/board-access.ts";
import type { Controller } from "../controller/controller.ts";
import { shownDrawing } from "../controller/shown-drawing.ts";
import { CLIPBOARD_TYPE, toFabricJson, toPlainText } from "../../formats/fabric-json.ts";
import { showLoadFailure } from "../kit/load-failure.ts";
import { copied } from "./work.ts";
import { translate } from "../language/text.ts";
import { only } from "../kit/only-toast.ts";

/** Inserts something by code that is fetched for it. A locked board accepts nothing, and a notice says so. */
function insert(
  { blocked }: Controller,
  use: (code: typeof import("./insert.ts")) => Promise<void>,
): void {
  if (blocked.get()) return void toast.error(translate(TEXTS.locked), only(TEXTS.locked));
  import("./insert.ts").then(use).catch(showLoadFailure);
}

/** Copy, cut and paste by the browser's own events, and files and texts that are dropped; nothing is shown. */
export function Clipboard({ controller }: { readonly controller: Controller }) {
  const onCopy = useEffectEvent((event: ClipboardEvent) => {
    const { canvas } = controller;
    if (!canvas || !isForBoard(controller, event) || !canvas.selection?.ids.length) return;
    // Objects that stay on a locked board are not cut.
    if (event.type === "cut" && controller.blocked.get()) return;
    const { objects, background } = shownDrawing(controller);
    const json = toFabricJson({ objects, background });
    const text = toPlainText(objects, background);
    event.clipboardData?.setData(CLIPBOARD_TYPE, json);
    event.clipboardData?.setData("text/plain", text);
    copied.set({ json, text });
    event.preventDefault();
    if (event.type === "cut") controller.removeSelection();
  });
  /**
   * Enables commands before Safari decides about them: it gives no event for a command that seems to have no effect
   * because no text is selected.
   */
  const onBefore = useEffectEvent((event: Event) => {
    if (!isForBoard(controller, event)) return;
    if (event.type === "beforepaste" || controller.canvas?.selection?.ids.length)
      event.preventDefault();
  });
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const data = event.clipboardData;
    const text = data?.getData("text/plain") ?? "";
    // WebKitGTK names no type for the text of a program that offers it by the types of X alone, as xclip does.
    if (!data || !(text || data.types.length) || !isForBoard(controller, event)) return;
    event.preventDefault();
    const objects = data.getData(CLIPBOARD_TYPE);
    const files = [...data.files];
    const at = controller.canvas?.view.pointer ?? null;
    insert(controller, (code) =>
      objects
        ? code.pasteObjects(controller, objects, at)
        : code.pasteForeign(controller, text, files, at),
    );
  });
  const onDrop = useEffectEvent((event: DragEvent) => {
    const { target, dataTransfer } = event;
    const isField = target instanceof Element && target.matches(":read-write");
    if (isField && !dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    const files = [...(dataTransfer?.files ?? [])];
    const text = dataTransfer?.getData("text/plain") ?? "";
    const at = controller.canvas?.view.pointOf(event) ?? null;
    if (event.type !== "drop" || isPreviewing(controller.board.preview.get())) return;
    if (files.length > 0) insert(controller, (code) => code.takeFiles(controller, files, at));
    else if (text && isForBoard(controller, event))
      insert(controller, (code) => code.pasteText(controller, text, at));
  });
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const copy = (event: ClipboardEvent): void => onCopy(event);
    const drop = (event: DragEvent): void => onDrop(event);
    for (const name of ["beforecopy", "beforecut", "beforepaste"])
      window.addEventListener(name, (event) => onBefore(event), { signal });
    window.addEventListener("copy", copy, { signal });
    window.addEventListener("cut", copy, { signal });
    window.addEventListener("paste", (event) => onPaste(event), { signal });
    window.addEventListener("dragover", drop, { signal });
    window.addEventListener("drop", drop, { signal });
    return () => listening.abort();
  }, []);
  return null;
}

/** Returns false where a field, a dialog, a panel or a text being edited has its own clipboard, and while a version is previewed. */
function isForBoard(controller: Controller, event: Event): boolean {
  const { target } = event;
  if (controller.canvas?.selection?.editingText || isPreviewing(controller.board.preview.get()))
    return false;
  const own = "input, textarea, dialog, .panel, [role=menu]";
  return !(target instanceof Element && target.closest(own));
}
