import { useSyncExternalStore } from "react";

/** Returns the path of the page, and renders again when it changes. */
export function usePath(): string {
  return useSyncExternalStore(watch, () => location.pathname);
}

/** Watches the path. Where the browser has it, `navigation` also reports paths that other code pushes. */
function watch(listener: () => void): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  addEventListener("popstate", listener, { signal });
  window.navigation?.addEventListener("currententrychange", listener, { signal });
  return () => listening.abort();
}
