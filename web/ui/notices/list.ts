import { toast } from "sonner";
import { MAX_OBJECTS } from "../../../board/limits.ts";
import type { DoneNotice, ShownNotice } from "../board/environment.ts";
import { NOTICE_TIME } from "../kit/labels.ts";
import { idOf, nextIdOf, only } from "../kit/only-toast.ts";
import { SIDE_PANELS, type SidePanelName } from "../language/side-panels.ts";
import { plural, t, translate } from "../language/text.ts";
import { prefer, preference } from "../kit/preferences.ts";
import { showLosses } from "./loss-notice.ts";

/** Removes the toast of a kind, and returns the id of the next one. */
function nextId(kind: "cleared" | "losses" | "done"): string {
  toast.dismiss(idOf(kind));
  return nextIdOf(kind);
}

/** Whether a lock keeps this page from changing the board: no notice offers it then. */
let isBlocked = false;

/** Shows a toast. The same error again renews its toast instead of adding one. */
export function showNotice(notice: ShownNotice, openPanel: (panel: SidePanelName) => void): void {
  switch (notice.kind) {
    case "error": {
      const one = only(notice.text);
      const open = (panel: SidePanelName): void => {
        one.onDismiss();
        openPanel(panel);
      };
      toast.error(translate(notice.text), { ...one, ...offerOf(notice.offer, open) });
      return;
    }
    case "full":
      toast.error(
        t("The board is full: {count} objects. Remove something first.", { count: MAX_OBJECTS }),
        only("full"),
      );
      return;
    case "opened":
      toast.success(openedText(notice.count), only("opened"));
      return;
    case "void-link":
      forgetLink();
      return;
    case "cleared":
      toast.success(translate(notice.text), {
        id: nextId("cleared"),
        duration: NOTICE_TIME,
        action: { label: t("Undo"), onClick: notice.undo },
      });
      return;
    case "settled":
      nextId(notice.offer);
      return;
    case "losses":
      if (!isBlocked) showLosses(notice, idOf("losses"));
      return;
  }
}

/** Forgets the link that this page has used. Where the device knows another one, the page starts again with that. */
function forgetLink(): void {
  const kind = preference("host") === "" ? "draw" : "host";
  const used = preference(kind);
  if (preference(kind, true) === used) prefer(kind, "");
  const known = preference("host", true) || preference("draw", true);
  if (known !== "" && known !== used) location.reload();
  else toast.error(t(VOID_LINK), only(VOID_LINK));
}

/** Takes over whether a lock keeps this page from changing the board, and ends the notices that offer it. */
export function setBlocked(blocked: boolean): void {
  isBlocked = blocked;
  if (blocked) for (const kind of ["cleared", "done", "losses"] as const) nextId(kind);
}

const VOID_LINK = "The link with which you drew is no longer valid. Ask the host for a new one.";

function openedText(count: number): string {
  return plural(
    count,
    "The board is open again: your 1 change is saved",
    "The board is open again: your {count} changes are saved",
  );
}

/** Returns the button that opens the panel which the notice offers, if it offers one. */
function offerOf(
  panel: SidePanelName | undefined,
  openPanel: (panel: SidePanelName) => void,
): object {
  if (!panel) return {};
  const onClick = (): void => openPanel(panel);
  return { duration: NOTICE_TIME, action: { label: t(SIDE_PANELS[panel]), onClick } };
}

/** Shows in place of the last such toast that a large edit was made, and offers to undo it. Returns the function that removes it. */
export function showDone({ text, undo, onGone }: DoneNotice): () => void {
  const id = nextId("done");
  toast.success(text, {
    id,
    duration: NOTICE_TIME,
    onDismiss: onGone,
    onAutoClose: onGone,
    action: undo && !isBlocked && { label: t("Undo"), onClick: undo },
  });
  return () => void toast.dismiss(id);
}

/** Removes all toasts, since their offers belong to a sync client that is closing. */
export function dismissNotices(): void {
  toast.dismiss();
}
