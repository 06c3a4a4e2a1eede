import { toast } from "sonner";
import { NOTICE_TIME } from "./labels.ts";
import { t } from "../language/text.ts";

const FAILED = "This part of the page could not be loaded. Check your connection, then try again.";

/**
 * Shows that the code of something that a visitor opened did not arrive. Where a new build has replaced it on the
 * server, only a reload helps.
 */
export function showLoadFailure(): void {
  toast.error(t(FAILED), {
    id: FAILED,
    duration: NOTICE_TIME,
    action: { label: t("Reload"), onClick: () => location.reload() },
  });
}
