/** What the page says of taking back a visitor. */

import type { Doubt } from "../../../board/take-back.ts";
import type { TakeBackPlan } from "../../sync/port.ts";
import { objectsLabel, versionTime } from "../kit/version-labels.ts";

export type { TakeBackPlan };

/** The spans by their names, in milliseconds; null for all of the time. */
export const SPANS = { "10 minutes": 600_000, "An hour": 3_600_000, All: null } as const;

interface TakeBackTexts {
  /** What goes and what returns. */
  readonly sum: string;
  /** The same, when it is done. */
  readonly done: string;
  /** What the host may include as well. */
  readonly doubts: readonly (readonly [Doubt, string])[];
  readonly notes: readonly string[];
  /** Something would go or return. */
  readonly isSomething: boolean;
}

const DOUBTS: Readonly<Record<Doubt, (objects: string) => string>> = {
  shared: (objects) => `Also ${objects} that others have changed since`,
  older: (objects) => `Also ${objects} that may be from before`,
  remover: (objects) => `Bring back ${objects} of which nobody saw who removed them`,
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
    return count === 0 ? [] : [[doubt, DOUBTS[doubt](objectsLabel(count))] as const];
  });
  const notes: string[] = [];
  if (plan.lost > 0)
    notes.push(`${objectsLabel(plan.lost)} cannot return: nobody knows how they were.`);
  if (plan.versions !== "read") {
    const watched = versionTime(new Date(plan.watchedSince).toISOString(), now);
    const reason =
      plan.versions === "none"
        ? "This server keeps no versions of the drawing"
        : "Not all versions could be read";
    notes.push(`${reason}: what this page has seen since ${watched} is known.`);
  }
  const isSomething = goes + returns > 0;
  return {
    sum: isSomething
      ? `Removes ${objectsLabel(goes)} and brings ${returns.toLocaleString("en")} back as before.`
      : "There is nothing to take back.",
    done: `${objectsLabel(goes)} removed, ${returns.toLocaleString("en")} back as before`,
    ...{ doubts, notes, isSomething },
  };
}
