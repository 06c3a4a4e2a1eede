import { useSyncExternalStore } from "react";

/** Returns whether a media query matches, and renders again when that changes. `query` must be the same object at each render. */
export function useMedia(query: MediaQueryList): boolean {
  return useSyncExternalStore(
    (changed) => {
      query.addEventListener("change", changed);
      return () => query.removeEventListener("change", changed);
    },
    () => query.matches,
  );
}
