/**
 * Calls `store` when the page becomes hidden or leaves, since it may never be shown again, until `signal` is aborted.
 * The sync client sends afterwards what was stored.
 */
export function whenLeaving(store: () => void, signal: AbortSignal): void {
  const options = { signal, capture: true };
  // The sync client receives `pagehide` first, so the change is then in its journal alone; Safari on phones has no
  // `beforeunload`.
  for (const name of ["beforeunload", "pagehide"]) window.addEventListener(name, store, options);
  const onVisibility = (): void => {
    if (document.visibilityState === "hidden") store();
  };
  window.addEventListener("visibilitychange", onVisibility, options);
}
