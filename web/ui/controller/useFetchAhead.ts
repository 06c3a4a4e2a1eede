import { useSignal } from "../kit/useSignal.ts";
import type { Controller } from "./controller.ts";

/** Returns whether code that nobody has needed yet is fetched, so that it opens without a network. */
export function useFetchAhead({ fetchAhead, progress }: Controller): boolean {
  const may = useSignal(fetchAhead);
  return useSignal(progress) === "ready" && may;
}
