import { describe, expect, test } from "vitest";
import { TOOLS } from "../../board/spec.ts";
import { commandFor, type KeyContext, type KeyPress } from "./shortcuts.ts";

const NONE = {
  code: "",
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  repeat: false,
};
const ON_CANVAS: KeyContext = { typing: false, onCanvas: true, tool: "select", selected: 1 };

function press(key: string, more: Partial<KeyPress> = {}, context: Partial<KeyContext> = {}) {
  return commandFor({ ...NONE, key, ...more }, { ...ON_CANVAS, ...context });
}

describe("UI-12 each tool has a key", () => {
  test.each(TOOLS.map(({ tool, key }) => [key, tool] as const))("%s chooses %s", (key, tool) => {
    expect(press(key)).toEqual({ kind: "tool", tool });
    expect(press(key.toUpperCase())).toEqual({ kind: "tool", tool });
  });

  test("not with a modifier, not while typing, and once however long it is held", () => {
    expect(press("v", { altKey: true })).toBeNull();
    expect(press("v", { ctrlKey: true })).toBeNull();
    expect(press("v", { metaKey: true })).toBeNull();
    expect(press("V", { shiftKey: true })).toBeNull();
    expect(press("v", {}, { typing: true })).toBeNull();
    expect(press("r", { repeat: true })).toBeNull();
  });

  test("on a keyboard without Latin letters the key's place counts", () => {
    expect(press("м", { code: "KeyV" })).toEqual({ kind: "tool", tool: "select" });
    expect(press("я", { code: "KeyZ", ctrlKey: true })).toEqual({ kind: "undo" });
  });

  test("on another Latin layout the letter counts", () => {
    expect(press("z", { code: "KeyY", ctrlKey: true })).toEqual({ kind: "undo" });
  });
});

describe("UI-13 undo and redo have the usual keys", () => {
  test.each(["ctrlKey", "metaKey"] as const)("%s", (modifier) => {
    expect(press("z", { [modifier]: true })).toEqual({ kind: "undo" });
    expect(press("z", { [modifier]: true, repeat: true })).toEqual({ kind: "undo" });
    expect(press("Z", { [modifier]: true, shiftKey: true })).toEqual({ kind: "redo" });
    expect(press("y", { [modifier]: true })).toEqual({ kind: "redo" });
  });

  test("a text that is being written keeps its own undo", () => {
    expect(press("z", { ctrlKey: true }, { typing: true })).toBeNull();
  });
});

describe("UI-14 the selection has keys", () => {
  test("Delete and Backspace remove it, Escape lets go of it", () => {
    expect(press("Delete")).toEqual({ kind: "remove" });
    expect(press("Backspace")).toEqual({ kind: "remove" });
    expect(press("Escape")).toEqual({ kind: "clear-selection" });
    expect(press("Backspace", {}, { typing: true })).toBeNull();
    expect(press("Escape", {}, { typing: true })).toBeNull();
  });

  test("Ctrl+A or Command+A selects all with the select tool", () => {
    expect(press("a", { ctrlKey: true })).toEqual({ kind: "select-all" });
    expect(press("a", { metaKey: true })).toEqual({ kind: "select-all" });
    expect(press("a", { ctrlKey: true }, { tool: "draw" })).toBeNull();
  });

  test("the arrows move it by 1 px, with Shift by 10 px", () => {
    expect(press("ArrowLeft")).toEqual({ kind: "nudge", dx: -1, dy: 0 });
    expect(press("ArrowDown", { repeat: true })).toEqual({ kind: "nudge", dx: 0, dy: 1 });
    expect(press("ArrowUp", { shiftKey: true })).toEqual({ kind: "nudge", dx: 0, dy: -10 });
    expect(press("ArrowLeft", {}, { selected: 0 })).toBeNull();
    expect(press("ArrowLeft", {}, { onCanvas: false })).toBeNull();
  });
});

test("a key that is none of ours stays with the browser", () => {
  expect(press("x")).toBeNull();
  expect(press("Tab")).toBeNull();
  expect(press("l", { ctrlKey: true })).toBeNull();
  expect(press("constructor")).toBeNull();
});
