import { useEffect } from "react";
import { toast } from "sonner";
import { keepShell, WORKER } from "../offline/keep-shell.ts";
import type { Controller } from "./controller/controller.ts";
import { useFetchAhead } from "./controller/useFetchAhead.ts";
import { attempt } from "./page/attempt.ts";
import { BASE_PATH } from "./page/base-path.ts";
import { t } from "./language/text.ts";

const READY = "A new version is ready";

/**
 * Milliseconds after which other code may be fetched ahead, so that nothing of a first visit waits for what the next
 * one needs.
 */
const DELAY = 1_000;

let started = false;

/** Stores the page on this device, once for each page, and offers a new build of it when that is ready. */
export function useShell(controller: Controller): void {
  const may = useFetchAhead(controller);
  useEffect(() => {
    if (started || !may) return;
    started = true;
    setTimeout(() => {
      if ("requestIdleCallback" in window) requestIdleCallback(start, { timeout: 5 * DELAY });
      else start();
    }, DELAY);
  }, [may]);
}

function start(): void {
  const workers = attempt(() => navigator.serviceWorker);
  const isOff = document.querySelector('meta[name="offline"]')?.getAttribute("content") === "off";
  keepShell(
    {
      workers,
      caches: attempt(() => caches),
      locks: attempt(() => navigator.locks),
      basePath: BASE_PATH,
      entry:
        document.querySelector(`script[src^="${BASE_PATH}assets/"]`)?.getAttribute("src") ?? null,
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
        const { ok, headers } = await fetch(BASE_PATH + WORKER, {
          method: "HEAD",
          cache: "no-store",
        });
        return ok && (headers.get("content-type") ?? "").includes("javascript");
      },
      now: () => Date.now(),
    },
    () =>
      toast(t(READY), {
        id: READY,
        duration: Number.POSITIVE_INFINITY,
        closeButton: true,
        action: { label: t("Reload"), onClick: () => location.reload() },
      }),
  );
}
