import { startTransition, useEffect, useState } from "react";

export interface LazyOptions {
  /** The name under which a failure is logged. */
  readonly what: string;
  /** A value whose change has the code fetched again immediately after a failure. */
  readonly attempt?: unknown;
  readonly onFailure?: () => void;
}

/** The first and the longest pause before another attempt, in milliseconds. */
const PAUSE = 1_000;
const MAX_PAUSE = 30_000;

// The next attempt of Vite's helper fetches the script alone, so a style sheet is fetched again here.
addEventListener(
  "error",
  ({ target }) => {
    if (target instanceof HTMLLinkElement)
      setTimeout(() => target.replaceWith(target.cloneNode()), 2 * PAUSE);
  },
  true,
);

/**
 * Returns what `load` fetches, once it has arrived; null before. It is fetched when it is `wanted`, and again after a
 * failure. `load` and `onFailure` must be the same functions at each render.
 */
export function useLazy<T>(
  load: () => Promise<T>,
  wanted: boolean,
  { what, attempt = null, onFailure }: LazyOptions,
): T | null {
  // The value is in an object, since React would call a function that is set as a state.
  const [loaded, setLoaded] = useState<{ readonly load: unknown; readonly value: T } | null>(null);
  const [failures, setFailures] = useState(0);
  const current = loaded?.load === load ? loaded : null;
  const missing = wanted && current === null;
  useEffect(() => {
    if (!missing) return;
    let timer: ReturnType<typeof setTimeout>;
    load().then(
      (value) => startTransition(() => setLoaded({ load, value })),
      (reason: unknown) => {
        console.error(`${what} could not be loaded:`, reason);
        onFailure?.();
        const pause = Math.min(PAUSE * 2 ** failures, MAX_PAUSE);
        timer = setTimeout(() => setFailures(failures + 1), pause);
      },
    );
    return () => clearTimeout(timer);
  }, [load, missing, what, attempt, failures, onFailure]);
  return current && current.value;
}
