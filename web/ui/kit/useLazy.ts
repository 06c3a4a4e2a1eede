import { startTransition, useEffect, useState } from "react";

export interface LazyOptions {
  /** The name under which a failure is logged. */
  readonly what: string;
  /** A value whose change has the code fetched again after a failure. */
  readonly attempt?: unknown;
  readonly onFailure?: () => void;
}

/**
 * Returns what `load` fetches, once it has arrived; null before. It is fetched when it is `wanted`. `load` and
 * `onFailure` must be the same functions at each render.
 */
export function useLazy<T>(
  load: () => Promise<T>,
  wanted: boolean,
  { what, attempt = null, onFailure }: LazyOptions,
): T | null {
  // The value is in an object, since React would call a function that is set as a state.
  const [loaded, setLoaded] = useState<{ readonly load: unknown; readonly value: T } | null>(null);
  const current = loaded?.load === load ? loaded : null;
  const missing = wanted && current === null;
  useEffect(() => {
    if (!missing) return;
    load().then(
      (value) => startTransition(() => setLoaded({ load, value })),
      (reason: unknown) => {
        console.error(`${what} could not be loaded:`, reason);
        onFailure?.();
      },
    );
  }, [load, missing, what, attempt, onFailure]);
  return current && current.value;
}
