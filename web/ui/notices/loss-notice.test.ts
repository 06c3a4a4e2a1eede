import { toast } from "sonner";
import { beforeEach, expect, test, vi } from "vitest";
import { labelOf } from "../../../board/peer-label.ts";
import { amountLabel, lossesLabel } from "./loss-notice.ts";
import { setBlocked, showDone, showNotice } from "./list.ts";

// Other files of this process show toasts too.
beforeEach(() => {
  vi.stubGlobal("requestAnimationFrame", setImmediate);
  vi.stubGlobal("cancelAnimationFrame", clearImmediate);
  toast.dismiss();
});

test("UI-43 a notice of losses names the event, and its author where that is known", () => {
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
  expect(lossesLabel({ ...losses, by })).toBe(`${labelOf("ben")} cleared the board`);
  expect(lossesLabel({ ...losses, by: { ...by, name: "Ben" }, cleared: false })).toBe(
    "Ben removed 12 objects",
  );
  expect(lossesLabel({ ...losses, by: { ...by, name: "דנה" } })).toBe(
    "\u2068דנה\u2069 cleared the board",
  );
  expect(amountLabel(losses)).toBe("12 objects");
  expect(amountLabel({ ...losses, cleared: false })).toBe("");
});

test("UI-43 a notice of losses is shown until it is settled, at once too", async () => {
  const losses = { kind: "losses", count: 12, cleared: false, restore: () => undefined } as const;
  const shown = (): unknown[] => toast.getToasts().map((one) => "title" in one && one.title);
  const panel = (): void => undefined;
  showNotice({ ...losses, by: null }, panel);
  showNotice({ kind: "settled", offer: "losses" }, panel);
  expect(shown()).toEqual([]);
  showNotice({ ...losses, by: { clientId: "ben", name: "Ben" } }, panel);
  await vi.waitFor(() => expect(shown()).toEqual(["Ben removed 12 objects"]));
  showNotice({ kind: "settled", offer: "losses" }, panel);
  expect(shown()).toEqual([]);
});

test("UI-43 losses that follow those that were put right have a toast of their own, which does not fade with the one before", async () => {
  const losses = { kind: "losses", count: 1, cleared: false, by: null, restore() {} } as const;
  const panel = (): void => undefined;
  const ids = async (): Promise<unknown[]> => {
    showNotice(losses, panel);
    await vi.waitFor(() => expect(toast.getToasts()).toHaveLength(1));
    return toast.getToasts().map(({ id }) => id);
  };
  const first = await ids();
  expect(await ids()).toEqual(first);
  showNotice({ kind: "settled", offer: "losses" }, panel);
  expect(await ids()).not.toEqual(first);
  showNotice({ kind: "settled", offer: "losses" }, panel);
});

test("HOST-19 a lock ends the notices that offer to change the board, and none appears while it lasts", async () => {
  const losses = { kind: "losses", count: 12, cleared: false, by: null, restore() {} } as const;
  const shown = (): unknown[] => toast.getToasts().map((one) => "title" in one && one.title);
  const edit = (): void => undefined;
  showNotice({ kind: "cleared", text: "Canvas cleared!", undo: edit }, edit);
  showNotice(losses, edit);
  showDone({ text: "Removed everything", undo: edit, onGone: edit });
  await vi.waitFor(() => expect(shown()).toHaveLength(3));
  setBlocked(true);
  expect(shown()).toEqual([]);
  showNotice(losses, edit);
  showDone({ text: "Restored", undo: edit, onGone: edit });
  expect(shown()).toEqual(["Restored"]);
  expect(toast.getToasts()[0]).toMatchObject({ action: false });
  toast.dismiss();
  setBlocked(false);
  showNotice(losses, edit);
  await vi.waitFor(() => expect(shown()).toEqual(["Someone removed 12 objects"]));
  showNotice({ kind: "settled", offer: "losses" }, edit);
});
