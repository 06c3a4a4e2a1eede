import type { BoardVersions } from "./versions.ts";
import { t } from "../language/text.ts";

/** The texts of a notice, as `restore` takes them. */
type Texts = ReturnType<Parameters<BoardVersions["restore"]>[1]>;

/** Returns the texts of the notice when the version of a time was restored, or what was missing of it. */
export function restoredTexts(time: string, onlyMissing: boolean): Texts {
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
