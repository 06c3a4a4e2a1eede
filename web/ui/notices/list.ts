import { toast } from "sonner";
import { TEXTS } from "../../../board/constants.ts";
import type { ShownNotice } from "../board/environment.ts";
import { boardFullLabel, NOTICE_TIME, SIDE_PANELS, type SidePanelName } from "../kit/labels.ts";
import { plural, t, translate } from "../language/text.ts";
import { prefer, preference } from "../kit/preferences.ts";
import type { DoneNotice } from "../board/undoable-edit.ts";
import { showLosses } from "./loss-notice.ts";

/** The number of times that this page cleared the board. */
let clears = 0;
/**
 * The number of the toast about losses: one that was dismissed exists until it has faded, and would take the next one
 * with it.
 */
let lossesToast = 0;
/** The number of the only toast about a large edit of this page, for the same reason. */
let doneToast = 0;
/** Whether a lock keeps this page from changing the board: no notice offers it then. */
let isBlocked = false;

/** Shows a toast. The same error again renews its toast instead of adding one. */
export function showNotice(notice: ShownNotice, openPanel: (panel: SidePanelName) => void): void {
  switch (notice.kind) {
    case "error":
      toast.error(translate(notice.text), { id: notice.text, ...offerOf(notice.offer, openPanel) });
      return;
    case "full":
      toast.error(boardFullLabel(), { id: "full" });
      return;
    case "opened":
      toast.success(openedText(notice.count), { id: "opened" });
      return;
    case "void-link":
      forgetLink();
      return;
    case "cleared":
      clears += 1;
      toast.success(translate(notice.text), {
        id: notice.text,
        // A renewed toast starts its time again only when the duration differs.
        duration: NOTICE_TIME + (clears % 2),
        action: { label: t("Undo"), onClick: notice.undo },
      });
      return;
    case "settled":
      toast.dismiss(notice.offer === "cleared" ? TEXTS.cleared : `losses ${lossesToast++}`);
      return;
    case "losses":
      if (!isBlocked) showLosses(notice, `losses ${lossesToast}`);
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
  else toast.error(t(VOID_LINK), { id: VOID_LINK });
}

/** Takes over whether a lock keeps this page from changing the board, and ends the notices that offer it. */
export function setBlocked(blocked: boolean): void {
  isBlocked = blocked;
  if (!blocked) return;
  for (const id of [TEXTS.cleared, `done ${doneToast}`, `losses ${lossesToast++}`])
    toast.dismiss(id);
}

const VOID_LINK = "The link with which you drew is no longer valid. Ask the host for a new one.";

function openedText(count: number): string {
  return plural(
    count,
    "The board is open again: your 1 change is being saved",
    "The board is open again: your {count} changes are being saved",
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
  toast.dismiss(`done ${doneToast}`);
  const id = `done ${++doneToast}`;
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
