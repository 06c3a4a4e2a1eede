import { useSyncExternalStore } from "react";
import type { Signal } from "../../sync/port.ts";

/** Returns the signal's value, and renders again whenever it changes. */
export function useSignal<T>(signal: Signal<T>): T {
  return useSyncExternalStore(signal.subscribe, signal.get);
}
