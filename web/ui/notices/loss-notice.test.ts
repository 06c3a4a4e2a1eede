import { expect, test } from "vitest";
import { labelOf } from "../../../board/peer-label.ts";
import { culpritLabel, lossesLabel } from "./loss-notice.ts";

test("UI-43 a notice of losses says what happened, and who it was where that is known", () => {
  const losses = {
    kind: "losses",
    count: 12,
    cleared: true,
    by: null,
    restore: () => undefined,
  } as const;
  const by = { clientId: "ben", name: undefined };
  expect(lossesLabel(losses)).toBe("Someone cleared the board");
  expect(lossesLabel({ ...losses, cleared: false })).toBe("Someone removed 12 objects");
  expect(culpritLabel(losses)).toBe("");
  expect(culpritLabel({ ...losses, by })).toBe(`${labelOf("ben")}, 12 objects`);
  expect(culpritLabel({ ...losses, by: { ...by, name: "Ben" }, cleared: false })).toBe("Ben");
  expect(culpritLabel({ ...losses, by: { ...by, name: "דנה" } })).toBe(
    "\u2068דנה\u2069, 12 objects",
  );
});
