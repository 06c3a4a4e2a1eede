import { expect, test } from "vitest";
import { idOf, nextIdOf, only } from "./only-toast.ts";

test("UI-174 a notice renews the same one until that begins to fade, and is a new one from then on", () => {
  const first = only("full");
  expect(only("full").id).toBe(first.id);
  expect(only("cut").id).not.toBe(first.id);
  first.onAutoClose();
  const second = only("full");
  expect(second.id).not.toBe(first.id);
  // The library says so twice of one that is closed while it fades.
  first.onDismiss();
  expect(idOf("full")).toBe(second.id);
  second.onDismiss();
  expect(only("full").id).not.toBe(second.id);
  const third = nextIdOf("full");
  expect([first.id, second.id]).not.toContain(third);
  expect(idOf("full")).toBe(third);
});
