import { useEffect, useState } from "react";
import type { HistoryEntry } from "../../sync/environment/backend.ts";
import type { Controller } from "../controller/controller.ts";
import { clockAhead } from "../kit/server-clock.ts";
import { useSignal } from "../kit/useSignal.ts";
import { versionsOf } from "./versions.ts";

export type VersionList =
  | { readonly state: "loading" }
  /** The backend stores no history. */
  | { readonly state: "none" }
  | { readonly state: "failed" }
  /** The versions. `now`: the time when they were listed, by the server's clock, in milliseconds. */
  | {
      readonly state: "listed";
      readonly versions: readonly HistoryEntry[];
      readonly now: number;
    };

/** Milliseconds after which the list is read again: others save as well, and ages grow. */
const REFRESH = 30_000;

/** Returns the versions, which are read again after each save. `retry` reads them immediately. */
export function useVersionList(controller: Controller): {
  readonly list: VersionList;
  readonly retry: () => void;
} {
  const [list, setList] = useState<VersionList>({ state: "loading" });
  const [reads, setReads] = useState(0);
  const [ahead] = useState(clockAhead);
  const isSaved = useSignal(controller.saveState).state === "saved";
  const [wasSaved, setWasSaved] = useState(isSaved);
  if (isSaved !== wasSaved) {
    setWasSaved(isSaved);
    if (isSaved) setReads(reads + 1);
  }

  useEffect(() => {
    let isCurrent = true;
    Promise.all([versionsOf(controller.board).list(), ahead]).then(
      ([versions, ms]) => {
        if (!isCurrent) return;
        setList(versions ? { state: "listed", versions, now: Date.now() - ms } : { state: "none" });
      },
      (reason: unknown) => {
        console.warn("the versions could not be listed:", reason);
        // An existing list is better than none.
        if (isCurrent) setList((before) => (before.state === "listed" ? before : FAILED));
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [controller, reads, ahead]);

  useEffect(() => {
    const timer = setInterval(() => setReads((count) => count + 1), REFRESH);
    return () => clearInterval(timer);
  }, []);

  const retry = (): void => {
    setList({ state: "loading" });
    setReads((count) => count + 1);
  };
  return { list, retry };
}

const FAILED: VersionList = { state: "failed" };
