import { useEffectEvent, useLayoutEffect } from "react";

/**
 * Calls `run` while the elements around it still exist. The library's own event arrives a task later, when a person may
 * have continued elsewhere.
 */
export function BeforeRemoval({ run }: { readonly run: () => void }) {
  const latest = useEffectEvent(run);
  useLayoutEffect(() => () => latest(), []);
  return null;
}
