import { useEffect } from "react";
import { toast } from "sonner";
import { keepShell, WORKER } from "../offline/keep-shell.ts";

const READY = "A new version is ready";

/** Milliseconds after the board is ready: nothing of a first visit waits for what the next one needs. */
const DELAY = 1_000;

let started = false;

/** Once for each page: keeps the page on this device, and offers a new build of it when it is ready. */
export function useShell(): void {
  useEffect(() => {
    if (started) return;
    started = true;
    setTimeout(() => {
      if ("requestIdleCallback" in window) requestIdleCallback(start, { timeout: 5 * DELAY });
      else start();
    }, DELAY);
  }, []);
}

function start(): void {
  const isOff = document.querySelector('meta[name="offline"]')?.getAttribute("content") === "off";
  keepShell(
    {
      workers: "serviceWorker" in navigator ? navigator.serviceWorker : undefined,
      caches: "caches" in window ? caches : undefined,
      locks: "locks" in navigator ? navigator.locks : undefined,
      entry: document.querySelector('script[src^="/assets/"]')?.getAttribute("src") ?? null,
      isOff,
      onReturn(listener) {
        const whenVisible = (): void => {
          if (document.visibilityState === "visible") listener();
        };
        addEventListener("online", listener);
        document.addEventListener("visibilitychange", whenVisible);
        return () => {
          removeEventListener("online", listener);
          document.removeEventListener("visibilitychange", whenVisible);
        };
      },
      async isServed() {
        if (!navigator.onLine) return false;
        const { ok, headers } = await fetch(WORKER, { method: "HEAD", cache: "no-store" });
        return ok && (headers.get("content-type") ?? "").includes("javascript");
      },
      now: () => Date.now(),
    },
    () =>
      toast(READY, {
        id: READY,
        duration: Number.POSITIVE_INFINITY,
        closeButton: true,
        action: { label: "Reload", onClick: () => location.reload() },
      }),
  );
}
