import { useSyncExternalStore } from "react";
import type { Controller } from "./controller.ts";

/** Returns whether code that nobody has needed yet is fetched, so that it opens without a network. */
export function useFetchAhead({ fetchAhead, progress }: Controller): boolean {
  const isDue = (): boolean => progress.get() === "ready" && fetchAhead.get();
  // One value for both: a press on a board that is still being loaded renders nothing.
  useSyncExternalStore(fetchAhead.subscribe, isDue);
  return useSyncExternalStore(progress.subscribe, isDue);
}
