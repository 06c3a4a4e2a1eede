import { toast } from "sonner";

const FAILED = "This part of the page could not be loaded. Check your connection, then try again.";

/** Says that the code of something that a visitor opened did not arrive. */
export function showLoadFailure(): void {
  toast.error(FAILED, { id: FAILED });
}
