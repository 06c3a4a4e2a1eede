import { useSyncExternalStore } from "react";
import type { Signal } from "../../sync/port.ts";

/** Returns a part of the signal's value, and renders again only when that changes: `part` returns the same for the same value. */
export function useSignalPart<T, P>(signal: Signal<T>, part: (value: T) => P): P {
  return useSyncExternalStore(signal.subscribe, () => part(signal.get()));
}
