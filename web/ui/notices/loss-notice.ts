/** The notice of losses through peers. */

import { toast } from "sonner";
import { OFFER_TIME } from "../../../board/losses.ts";
import { nameOf } from "../../../board/peer-label.ts";
import type { Notice } from "../../sync/port.ts";
import { plural, t } from "../language/text.ts";
import { objectsLabel } from "../kit/version-labels.ts";

type Losses = Extract<Notice, { readonly kind: "losses" }>;

/** Shows the only toast about losses, with this id; it replaces an earlier one. */
export function showLosses(losses: Losses, id: string): void {
  toast(lossesLabel(losses), {
    id,
    description: amountLabel(losses),
    duration: OFFER_TIME,
    closeButton: true,
    action: { label: t("Restore"), onClick: losses.restore },
  });
}

/** Describes the losses and their author in one sentence; "Someone" where the author is unknown. */
export function lossesLabel({ by, count, cleared }: Losses): string {
  const name = by ? isolated(nameOf(by)) : t("Someone");
  return cleared
    ? t("{name} cleared the board", { name })
    : plural(count, "{name} removed an object", "{name} removed {count} objects", { name });
}

/** Returns how much was cleared; empty where the sentence says it. */
export function amountLabel({ count, cleared }: Losses): string {
  return cleared ? objectsLabel(count) : "";
}

/** Isolates a name, so that one written from right to left keeps its position in the sentence. */
export function isolated(name: string): string {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
