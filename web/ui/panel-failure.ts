import { toast } from "sonner";

const FAILED = "The panel could not be loaded. Check your connection, then try again.";

/** Says that the code of something that a visitor opened did not arrive. */
export function showPanelFailure(): void {
  toast.error(FAILED, { id: FAILED });
}
