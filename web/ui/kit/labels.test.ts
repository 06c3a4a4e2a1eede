import { expect, test } from "vitest";
import { onlineLabel, saveStateLabel, shortcutLabel } from "./labels.ts";

test("UI-10 the header says how far saving has come", () => {
  expect(saveStateLabel({ state: "loading" })).toBe("Loading...");
  expect(saveStateLabel({ state: "saved" })).toBe("Saved");
  expect(saveStateLabel({ state: "saving" })).toBe("Saving...");
  expect(saveStateLabel({ state: "unsaved", changes: 1 })).toBe("1 change not saved yet");
  expect(saveStateLabel({ state: "unsaved", changes: 3 })).toBe("3 changes not saved yet");
  expect(saveStateLabel({ state: "offline", changes: 3 })).toBe("Offline: kept on this device");
});

test("UI-2 the badge counts the users online, the visitor of this page included", () => {
  expect(onlineLabel(1)).toBe("1 user online");
  expect(onlineLabel(2)).toBe("2 users online");
  expect(onlineLabel(120)).toBe("120 users online");
  expect(onlineLabel(0)).toBe("1 user online");
});

test("a shortcut is written as the platform writes it", () => {
  expect(shortcutLabel(["v"], false)).toBe("V");
  expect(shortcutLabel(["Shift", "Mod", "z"], false)).toBe("Shift+Ctrl+Z");
  expect(shortcutLabel(["Shift", "Mod", "z"], true)).toBe("⇧⌘Z");
});
