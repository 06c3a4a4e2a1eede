import { toast } from "sonner";
import type { Notice } from "../sync/port.ts";

/** What the others are told when somebody clears the board. */
const CLEARED_BY_OTHER = "Someone cleared the board";

/** Milliseconds that a toast with a way back stays: one's own clear, and somebody else's. */
const NOTICE_TIME = { cleared: 10_000, clearedByOther: 60_000 } as const;

/** Tells the person by a toast. The same error again renews its toast instead of piling up. */
export function showNotice(notice: Notice): void {
  switch (notice.kind) {
    case "error":
      toast.error(notice.text, { id: notice.text });
      return;
    case "cleared":
      toast.success(notice.text, {
        duration: NOTICE_TIME.cleared,
        action: { label: "Undo", onClick: notice.undo },
      });
      return;
    case "cleared-by-other":
      toast(CLEARED_BY_OTHER, {
        duration: NOTICE_TIME.clearedByOther,
        closeButton: true,
        action: { label: "Restore", onClick: notice.restore },
      });
      return;
  }
}

/** Takes all toasts away: what they offer belongs to a room that is closing. */
export function dismissNotices(): void {
  toast.dismiss();
}
