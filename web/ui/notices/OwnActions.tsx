import { useEffect, useState } from "react";
import { actionKind, actionLabel } from "./action-label.ts";
import type { Controller } from "../controller/controller.ts";
import { selectionLabel } from "../kit/announcer.ts";
import { t } from "../language/text.ts";
import { createSpeaker } from "./speaker.ts";

/**
 * Announces this visitor's actions, and the end of a lock, to screen readers: a sentence a second. Each one is a new
 * element, so that an equal one is read too.
 */
export function OwnActions({ controller }: { readonly controller: Controller }) {
  const [{ sentence, count }, setSaid] = useState({ sentence: "", count: 0 });
  useEffect(() => {
    const speaker = createSpeaker(
      (said) => setSaid((before) => ({ sentence: said, count: before.count + 1 })),
      controller.startTimer,
    );
    const stop = controller.actions.listen((action) => {
      if (action.kind === "edit" && action.origin === "remote") return;
      speaker.add(actionKind(action), () =>
        actionLabel(action, controller.objects(), controller.selected.get()),
      );
    });
    const stopSelecting = controller.selected.subscribe(() =>
      speaker.add("selected", () =>
        selectionLabel(controller.selected.get(), controller.selectionFrame.get()?.outside ?? 0),
      ),
    );
    const stopLock = controller.locked.subscribe(() =>
      speaker.add("lock", () => (controller.locked.get() ? "" : t("Everybody draws."))),
    );
    return () => {
      stop();
      stopSelecting();
      stopLock();
      speaker.dispose();
    };
  }, [controller]);
  return (
    <div className="unseen" aria-live="polite" data-own-actions>
      <p key={count}>{sentence}</p>
    </div>
  );
}
