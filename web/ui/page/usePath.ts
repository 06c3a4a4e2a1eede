import { useSyncExternalStore } from "react";

/** Returns the path of the page, and renders again when it changes. */
export function usePath(): string {
  return useSyncExternalStore(watch, () => location.pathname);
}

/** Goes to a path of this page without reloading it. */
export function goTo(path: string): void {
  history.pushState(null, "", path);
  // The browser itself sends this event only when somebody goes back or forward.
  dispatchEvent(new PopStateEvent("popstate"));
}

/** Watches the path. Where the browser has it, `navigation` also reports paths that other code pushes. */
function watch(listener: () => void): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  addEventListener("popstate", listener, { signal });
  window.navigation?.addEventListener("currententrychange", listener, { signal });
  return () => listening.abort();
}
