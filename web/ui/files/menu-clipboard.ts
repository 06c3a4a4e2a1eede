/** Copies and pastes from a menu, where the browser gives no clipboard event by itself. */

import { toast } from "sonner";
import type { Point } from "../../canvas/geometry/matrix.ts";
import type { Controller } from "../controller/controller.ts";
import { addPicture, pasteForeign, pasteObjects, pasteText } from "./insert.ts";
import { copied } from "./work.ts";
import { showLoadFailure } from "../kit/load-failure.ts";
import { t } from "../language/text.ts";
import { only } from "../kit/only-toast.ts";

const REFUSED =
  "The browser does not let a menu read the clipboard here. Press Ctrl+V or Cmd+V to paste.";
const NOT_COPIED = "The browser does not let a menu copy here. Press Ctrl+C or Cmd+C to copy.";

/** Has the browser copy the selection, by the same event as the keys. Returns false, with a notice, where it refuses. */
export function copySelection(): boolean {
  copied.set(null);
  // The clipboard API writes no type of our own in every browser; this way `Clipboard.tsx` writes it.
  // oxlint-disable-next-line typescript/no-deprecated
  document.execCommand("copy");
  if (copied.get()) return true;
  toast.error(t(NOT_COPIED), only(NOT_COPIED));
  return false;
}

/** Pastes from the clipboard, at a point of the board or beside the former position. A notice says when the browser refuses. */
export function pasteFromClipboard(controller: Controller, at: Point | null): void {
  paste(controller, at).catch((reason: unknown) => {
    if (reason instanceof DOMException) toast.error(t(REFUSED), only(REFUSED));
    else showLoadFailure();
  });
}

async function paste(controller: Controller, at: Point | null): Promise<void> {
  // Not every browser has it, and none does without a secure connection.
  const { clipboard } = navigator as { readonly clipboard?: Partial<Clipboard> };
  if (!clipboard?.readText) throw new DOMException("no clipboard", "NotAllowedError");
  const text = await clipboard.readText();
  const own = copied.get();
  // Windows ends each line of a text on the clipboard with two characters.
  if (own?.text.replaceAll("\r\n", "\n") === text.replaceAll("\r\n", "\n"))
    return pasteObjects(controller, own.json, at);
  if (text.trim()) return pasteText(controller, text, at);
  const items = (await clipboard.read?.()) ?? [];
  for (const item of items) {
    const type = item.types.find((one) => one.startsWith("image/"));
    if (type) return addPicture(controller, await item.getType(type), at);
  }
  if (items.some(({ types }) => types.length > 0)) return pasteForeign(controller, text, [], at);
}
