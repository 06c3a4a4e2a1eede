import { useSyncExternalStore } from "react";

/** Returns the path of the page, and renders again when somebody goes back or forward to another one. */
export function usePath(): string {
  return useSyncExternalStore(watch, () => location.pathname);
}

function watch(listener: () => void): () => void {
  addEventListener("popstate", listener);
  return () => removeEventListener("popstate", listener);
}
