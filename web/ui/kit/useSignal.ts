import { useSyncExternalStore } from "react";
import type { Signal } from "../../sync/port.ts";

/** Renders again whenever the signal's value changes. */
export function useSignal<T>(signal: Signal<T>): T {
  return useSyncExternalStore(signal.subscribe, signal.get);
}
