/** The texts about taking back a visitor. */

import type { Doubt } from "../../../board/take-back.ts";
import type { TakeBackPlan } from "../../sync/port.ts";
import { versionTime } from "../kit/version-labels.ts";
import { plural, t } from "../language/text.ts";

export type { TakeBackPlan };

/** The spans by name, in milliseconds; null for all of the time. */
export const SPANS = { "10 minutes": 600_000, "An hour": 3_600_000, All: null } as const;

interface TakeBackTexts {
  /** A sentence about what would be removed and what would return. */
  readonly sum: string;
  /** The same sentence when it is done. */
  readonly done: string;
  /** The doubtful objects that the host may include as well. */
  readonly doubts: readonly (readonly [Doubt, string])[];
  readonly notes: readonly string[];
  /** Whether anything would be removed or returned. */
  readonly isSomething: boolean;
}

const DOUBTS: Readonly<Record<Doubt, (count: number) => string>> = {
  shared: (count) =>
    plural(
      count,
      "Also 1 object that others have changed since",
      "Also {count} objects that others have changed since",
    ),
  older: (count) =>
    plural(
      count,
      "Also 1 object that may be from before",
      "Also {count} objects that may be from before",
    ),
  remover: (count) =>
    plural(
      count,
      "Bring back 1 object of which nobody saw who removed them",
      "Bring back {count} objects of which nobody saw who removed them",
    ),
};

export function takeBackTexts(
  plan: TakeBackPlan,
  includes: ReadonlySet<Doubt>,
  now = Date.now(),
): TakeBackTexts {
  let { goes, returns } = plan;
  for (const doubt of includes) {
    goes += plan.doubts[doubt].goes;
    returns += plan.doubts[doubt].returns;
  }
  const doubts = (Object.keys(DOUBTS) as Doubt[]).flatMap((doubt) => {
    const count = plan.doubts[doubt].goes + plan.doubts[doubt].returns;
    return count === 0 ? [] : [[doubt, DOUBTS[doubt](count)] as const];
  });
  const notes: string[] = [];
  if (plan.lost > 0)
    notes.push(
      plural(
        plan.lost,
        "1 object cannot return: nobody knows how they were.",
        "{count} objects cannot return: nobody knows how they were.",
      ),
    );
  if (plan.versions !== "read") {
    const watched = versionTime(new Date(plan.watchedSince).toISOString(), now);
    notes.push(
      plan.versions === "none"
        ? t(
            "This server keeps no versions of the drawing: what this page has seen since {watched} is known.",
            { watched },
          )
        : t("Not all versions could be read: what this page has seen since {watched} is known.", {
            watched,
          }),
    );
  }
  const isSomething = goes + returns > 0;
  return {
    sum: isSomething
      ? plural(
          goes,
          "Removes 1 object and brings {returns} back as before.",
          "Removes {count} objects and brings {returns} back as before.",
          { returns },
        )
      : t("There is nothing to take back."),
    done: plural(
      goes,
      "1 object removed, {returns} back as before",
      "{count} objects removed, {returns} back as before",
      { returns },
    ),
    ...{ doubts, notes, isSomething },
  };
}
