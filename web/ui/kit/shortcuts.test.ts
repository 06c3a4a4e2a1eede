import { describe, expect, test } from "vitest";
import { MORE_TOOLS, TOOLS } from "../../../board/tools.ts";
import { commandFor, isLetter, type KeyContext, type KeyPress } from "./shortcuts.ts";

const NONE = {
  code: "",
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  repeat: false,
};
const ON_CANVAS: KeyContext = {
  typing: false,
  onCanvas: true,
  letters: true,
  inPanel: false,
  previewing: false,
  selected: 1,
};

function press(key: string, more: Partial<KeyPress> = {}, context: Partial<KeyContext> = {}) {
  return commandFor({ ...NONE, key, ...more }, { ...ON_CANVAS, ...context });
}

test("UI-130 the digits' keys choose the pen width where they write something else, as in France", () => {
  for (const keys of [
    ["&", "é", '"'],
    ["١", "٢", "٣"],
  ])
    expect(keys.map((key, at) => press(key, { code: `Digit${at + 1}` }))).toEqual(
      [3, 6, 12].map((width) => ({ kind: "pen-width", width })),
    );
  expect(press("+", { code: "Digit1" })).toMatchObject({ kind: "view" });
});

describe("UI-12 each tool has a key", () => {
  test.each(TOOLS.map(({ tool, key }) => [key, tool] as const))("%s chooses %s", (key, tool) => {
    expect(press(key)).toEqual({ kind: "tool", tool });
    expect(press(key.toUpperCase())).toEqual({ kind: "tool", tool });
  });

  test.each(MORE_TOOLS.map(({ tool, key }) => [key, tool] as const))(
    "%s chooses %s of the second toolbar; T begins a text at once",
    (key, tool) => {
      expect(press(key)).toEqual(tool === "text" ? { kind: "text" } : { kind: "tool", tool });
    },
  );

  test("1, 2 and 3 choose the pen width", () => {
    const widths = ["1", "2", "3"].map((key) => press(key, { code: `Digit${key}` }));
    expect(widths).toEqual([3, 6, 12].map((width) => ({ kind: "pen-width", width })));
    expect(press("1", {}, { letters: false })).toBeNull();
  });

  test("not with a modifier, not while typing, and once however long the key is held", () => {
    expect(press("v", { altKey: true })).toBeNull();
    expect(press("v", { ctrlKey: true })).toBeNull();
    expect(press("v", { metaKey: true })).toBeNull();
    expect(press("V", { shiftKey: true })).toBeNull();
    expect(press("v", {}, { typing: true })).toBeNull();
    expect(press("r", { repeat: true })).toBeNull();
  });

  test("on a keyboard without Latin letters the position of the key counts", () => {
    expect(press("м", { code: "KeyV" })).toEqual({ kind: "tool", tool: "select" });
    expect(press("я", { code: "KeyZ", ctrlKey: true })).toEqual({ kind: "undo" });
  });

  test("and the question mark of Arabic shows the keys", () => {
    expect(press("؟", { code: "Slash", shiftKey: true })).toEqual({ kind: "keys" });
  });

  test("on another Latin layout the letter counts", () => {
    expect(press("z", { code: "KeyY", ctrlKey: true })).toEqual({ kind: "undo" });
  });
});

test("UI-66 P draws and O makes circles, as in other programs", () => {
  expect(press("p")).toEqual({ kind: "tool", tool: "draw" });
  expect(press("o")).toEqual({ kind: "tool", tool: "circle" });
  expect(press("o", {}, { letters: false })).toBeNull();
});

test("UI-67 brackets with Ctrl or Command change the order, with Shift up to its ends", () => {
  const to = (key: string, more: Partial<KeyPress>, context: Partial<KeyContext> = {}) =>
    press(key, more, context);
  expect(to("]", { ctrlKey: true })).toEqual({ kind: "restack", to: "forward" });
  expect(to("[", { metaKey: true })).toEqual({ kind: "restack", to: "backward" });
  expect(to("}", { ctrlKey: true, shiftKey: true })).toEqual({ kind: "restack", to: "front" });
  expect(to("{", { ctrlKey: true, shiftKey: true })).toEqual({ kind: "restack", to: "back" });
  // Other keyboards have letters there, or signs with which a browser zooms.
  expect(to("ъ", { ctrlKey: true, code: "BracketRight" })).toEqual({
    ...{ kind: "restack", to: "forward" },
  });
  expect(to("+", { ctrlKey: true, code: "BracketRight" })).toBeNull();
  expect(to("]", { ctrlKey: true }, { selected: 0 })).toBeNull();
  expect(to("]", { ctrlKey: true }, { inPanel: true })).toBeNull();
  expect(to("]", {})).toBeNull();
});

describe("UI-12 keys of one character can be switched off", () => {
  test("and with them those of the view; PageDown has a name", () => {
    const off = { letters: false };
    expect(press("+", {}, off)).toBeNull();
    expect(press("-", {}, off)).toBeNull();
    expect(press(")", { code: "Digit0", shiftKey: true }, off)).toBeNull();
    expect(press("PageDown", {}, { ...off, onCanvas: true })?.kind).toBe("view");
  });

  test.each(["v", "r", "?"])("%s", (key) => {
    const shiftKey = key === "?";
    expect(press(key, { shiftKey })).not.toBeNull();
    expect(press(key, { shiftKey }, { letters: false })).toBeNull();
    expect(press(key, { shiftKey }, { typing: true })).toBeNull();
  });

  test("not those with a modifier, nor those with a name", () => {
    expect(press("z", { ctrlKey: true }, { letters: false })).toEqual({ kind: "undo" });
    expect(press("Delete", {}, { letters: false })).toEqual({ kind: "remove" });
  });

  test("a letter is a key that writes one, once for each press", () => {
    expect(isLetter({ ...NONE, key: "x" })).toBe(true);
    expect(isLetter({ ...NONE, key: "м" })).toBe(true);
    for (const key of ["?", "1", " ", "Delete", "F1"])
      expect(isLetter({ ...NONE, key })).toBe(false);
    expect(isLetter({ ...NONE, key: "a", ctrlKey: true })).toBe(false);
    expect(isLetter({ ...NONE, key: "a", repeat: true })).toBe(false);
  });
});

describe("UI-12 undo and redo have the usual keys", () => {
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
  test("T begins a text", () => {
    expect(press("t")).toEqual({ kind: "text" });
    expect(press("t", {}, { letters: false })).toBeNull();
    expect(press("t", {}, { previewing: true })).toBeNull();
  });

  test("Ctrl+D duplicates it; without one the browser keeps the key", () => {
    expect(press("d", { ctrlKey: true }, { selected: 1 })).toEqual({ kind: "duplicate" });
    expect(press("d", { metaKey: true }, { selected: 3 })).toEqual({ kind: "duplicate" });
    expect(press("d", { ctrlKey: true }, { selected: 0 })).toBeNull();
    expect(press("D", { ctrlKey: true, shiftKey: true }, { selected: 1 })).toBeNull();
    expect(press("d", { ctrlKey: true }, { selected: 1, inPanel: true })).toBeNull();
  });

  test("Delete and Backspace remove it, Escape clears it", () => {
    expect(press("Delete")).toEqual({ kind: "remove" });
    expect(press("Backspace")).toEqual({ kind: "remove" });
    expect(press("Escape")).toEqual({ kind: "clear-selection" });
    expect(press("Backspace", {}, { typing: true })).toBeNull();
    expect(press("Escape", {}, { typing: true })).toBeNull();
  });

  test("Ctrl+A or Command+A selects all", () => {
    expect(press("a", { ctrlKey: true })).toEqual({ kind: "select-all" });
    expect(press("a", { metaKey: true })).toEqual({ kind: "select-all" });
    expect(press("A", { ctrlKey: true, shiftKey: true })).toBeNull();
  });

  test("the arrows move it by 1 px, with Shift by 10 px", () => {
    expect(press("ArrowLeft")).toEqual({ kind: "nudge", dx: -1, dy: 0 });
    expect(press("ArrowDown", { repeat: true })).toEqual({ kind: "nudge", dx: 0, dy: 1 });
    expect(press("ArrowUp", { shiftKey: true })).toEqual({ kind: "nudge", dx: 0, dy: -10 });
    expect(press("ArrowLeft", {}, { selected: 0 })).toBeNull();
    expect(press("ArrowLeft", {}, { onCanvas: false })).toBeNull();
  });
});

describe("UI-44 the selection is resized and turned by keys", () => {
  test("Ctrl or Command and Shift and an arrow resize it by 10 px", () => {
    for (const modifier of ["ctrlKey", "metaKey"])
      expect(press("ArrowUp", { [modifier]: true, shiftKey: true })).toEqual({
        kind: "resize",
        dx: 0,
        dy: -10,
      });
    expect(press("ArrowUp", { ctrlKey: true })).toBeNull();
    expect(press("ArrowUp", { ctrlKey: true, shiftKey: true }, { selected: 0 })).toBeNull();
  });

  test("Alt and an arrow to the side turn it by 15 degrees; without a selection they are the browser's", () => {
    expect(press("ArrowLeft", { altKey: true })).toEqual({ kind: "turn", degrees: -15 });
    expect(press("ArrowRight", { altKey: true, repeat: true })).toEqual({
      kind: "turn",
      degrees: 15,
    });
    expect(press("ArrowUp", { altKey: true })).toBeNull();
    expect(press("ArrowLeft", { altKey: true }, { selected: 0 })).toBeNull();
    expect(press("ArrowLeft", { altKey: true, ctrlKey: true })).toBeNull();
  });
});

test("the page leaves any other key to the browser", () => {
  expect(press("x")).toBeNull();
  expect(press("Tab")).toBeNull();
  expect(press("l", { ctrlKey: true })).toBeNull();
  expect(press("constructor")).toBeNull();
});

test("a menu or panel with the focus has all keys but undo and redo", () => {
  const inPanel = { onCanvas: false, inPanel: true };
  for (const key of ["v", "Delete", "Backspace", "Escape", "ArrowLeft"])
    expect(press(key, {}, inPanel)).toBeNull();
  expect(press("a", { ctrlKey: true }, inPanel)).toBeNull();
  expect(press("z", { ctrlKey: true }, inPanel)).toEqual({ kind: "undo" });
  expect(press("y", { ctrlKey: true }, inPanel)).toEqual({ kind: "redo" });
});

test("no key edits the board while an earlier version is shown", () => {
  for (const key of ["v", "r", "Delete", "Escape", "ArrowLeft"])
    expect(press(key, {}, { previewing: true })).toBeNull();
  for (const key of ["z", "y", "a"])
    expect(press(key, { ctrlKey: true }, { previewing: true })).toBeNull();
});

describe("CAN-42 the view has keys", () => {
  test("+ and - zoom, PageUp and PageDown pan, Shift and a digit go to a view", () => {
    expect(press("+", { shiftKey: true })).toMatchObject({ move: { kind: "zoom", factor: 1.25 } });
    expect(press("=")).toMatchObject({ move: { factor: 1.25 } });
    expect(press("-", { repeat: true })).toMatchObject({ move: { factor: 0.8 } });
    expect(press("PageUp")).toMatchObject({ move: { kind: "pan", dx: 0, dy: 0.5 } });
    expect(press("PageDown", { shiftKey: true })).toMatchObject({ move: { dx: -0.5, dy: 0 } });
    for (const [code, kind] of [
      ["Digit0", "home"],
      ["Digit1", "all"],
      ["Digit2", "selection"],
    ] as const)
      expect(press(")", { code, shiftKey: true })).toEqual({ kind: "view", move: { kind } });
  });

  test("also while an earlier version is shown; not with Ctrl or Command, in a panel or a field", () => {
    expect(press("-", {}, { previewing: true })).toMatchObject({ kind: "view" });
    expect(press("-", { ctrlKey: true })).toBeNull();
    expect(press("+", { metaKey: true })).toBeNull();
    expect(press("0", { code: "Digit0" })).toBeNull();
    expect(press("-", {}, { inPanel: true })).toBeNull();
    expect(press("-", {}, { typing: true })).toBeNull();
    expect(press("PageUp", {}, { onCanvas: false })).toBeNull();
  });
});
