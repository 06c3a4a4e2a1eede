import type { DoneTexts } from "../board/undoable-edit.ts";
import { t } from "../language/text.ts";

/** Returns the texts of the notice when the version of a time was restored, or what was missing of it. */
export function restoredTexts(time: string, onlyMissing: boolean): DoneTexts {
  return onlyMissing
    ? {
        text: t("What was missing from the version of {time} is back", { time }),
        unchanged: t("Nothing is missing from the version of {time}", { time }),
      }
    : {
        text: t("Version of {time} restored", { time }),
        unchanged: t("The board is as it was at {time}", { time }),
      };
}
