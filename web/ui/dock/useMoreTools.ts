import { useState, useSyncExternalStore } from "react";
import type { Controller } from "../controller/controller.ts";
import { prefer, preference } from "../kit/preferences.ts";
import { useLazy } from "../kit/useLazy.ts";
import { useMedia } from "../kit/useMedia.ts";

const loadMoreTools = () => import("./MoreTools.tsx");

/** Matches a window in which the second toolbar fits beside the canvas. */
const WIDE = matchMedia("(width >= 1200px) and (height >= 560px)");

/**
 * Returns the state of the second toolbar: whether it is open, as this device left it. At the first visit it is open
 * in a wide window.
 */
export function useMoreTools({ progress }: Controller) {
  const isWide = useMedia(WIDE);
  const [choice, setChoice] = useState(() => preference("more-tools"));
  const isOpen = choice === "" ? isWide : choice === "open";
  const isWanted = useSyncExternalStore(
    progress.subscribe,
    () => isOpen && progress.get() === "ready",
  );
  const code = useLazy(loadMoreTools, isWanted, { what: "more tools", attempt: isOpen });
  return {
    isOpen,
    isWide,
    code: isOpen ? code : null,
    toggle: () => {
      const next = isOpen ? "closed" : "open";
      prefer("more-tools", next);
      setChoice(next);
    },
  };
}
