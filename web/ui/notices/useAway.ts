import { useEffect } from "react";
import { toast } from "sonner";
import { awayLabel, awayTitle, createAwayChanges } from "./away-changes.ts";
import type { Controller } from "../controller/controller.ts";
import { NOTICE_TIME } from "../kit/labels.ts";
import { only } from "../kit/only-toast.ts";

/** Milliseconds in which a page that is shown again may still receive what it missed. */
const SETTLE = 1_500;

const isHidden = (): boolean => document.visibilityState === "hidden";

/** Counts the changes of peers while the page is hidden: in the title meanwhile, and in a notice when it is shown again. */
export function useAway(controller: Controller): void {
  useEffect(() => {
    const away = createAwayChanges();
    let counting = isHidden();
    let cancel = (): void => undefined;

    const retitle = (): void => {
      document.title = awayTitle(controller.productName.get(), away.count, isHidden());
    };
    const notify = (): void => {
      counting = false;
      const text = awayLabel(away.take());
      if (text) toast(text, { ...only("away"), closeButton: true, duration: NOTICE_TIME });
    };
    const follow = (): void => {
      cancel();
      retitle();
      if (isHidden()) counting = true;
      else if (counting) cancel = controller.startTimer(notify, SETTLE);
    };
    const stop = controller.actions.listen((action) => {
      if (!counting || action.kind !== "edit" || action.origin !== "remote") return;
      away.add(action.changes);
      retitle();
    });
    document.addEventListener("visibilitychange", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      stop();
      cancel();
      document.title = controller.productName.get();
    };
  }, [controller]);
}
