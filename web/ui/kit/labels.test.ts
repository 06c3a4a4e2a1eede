import { expect, test } from "vitest";
import { selectionLabel } from "./announcer.ts";
import { onlineLabel, saveStateLabel, shortcutLabel } from "./labels.ts";

test("UI-10 the header says how far saving has come", () => {
  expect(saveStateLabel({ state: "loading" })).toBe("Loading...");
  expect(saveStateLabel({ state: "saved" })).toBe("Saved");
  expect(saveStateLabel({ state: "saving" })).toBe("Saving...");
  expect(saveStateLabel({ state: "waiting", changes: 3 })).toBe("Saving soon");
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
  expect(shortcutLabel(["Delete"], false)).toBe("Delete");
  expect(shortcutLabel(["Alt", "←"], true)).toBe("Alt←");
});

test("UI-60 the toolbar says how many objects are selected, and how many of them lie outside", () => {
  expect(selectionLabel(1, 0)).toBe("");
  expect(selectionLabel(3, 0)).toBe("3 selected");
  expect(selectionLabel(3, 1)).toBe("3 selected, 1 outside the view");
  expect(selectionLabel(1200, 1100)).toBe("1,200 selected, 1,100 outside the view");
});
