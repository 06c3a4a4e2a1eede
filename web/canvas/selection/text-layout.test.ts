import { expect, test } from "vitest";
import type { NewObject } from "../../../board/drawing.ts";
import { HOME } from "../view/view.ts";
import { draftOf, writtenText } from "./text-layout.ts";

const DRAFT: NewObject = { type: "IText", text: "", left: 100, top: 50, fontSize: 24 };
const PHONE = { width: 390, height: 764 };

test("CAN-50 on a phone a text wraps at the edge of the view, in every view", () => {
  expect(draftOf(DRAFT, HOME, { width: 700, height: 500 })).toBe(DRAFT);
  expect(draftOf(DRAFT, HOME, PHONE)).toEqual({
    ...DRAFT,
    ...{ type: "Textbox", left: 100, width: 274 },
  });
  const zoomed = { x: -100, y: 0, zoom: 2 };
  expect(draftOf(DRAFT, zoomed, PHONE)).toMatchObject({ left: 100, width: 137 });
  // Near the edge there is too little space for a word.
  expect(draftOf({ ...DRAFT, left: 380 }, HOME, PHONE)).toMatchObject({
    ...{ left: 214, width: 160 },
  });
  expect(draftOf({ ...DRAFT, left: 90 }, HOME, { width: 120, height: 90 })).toMatchObject({
    ...{ left: 16, width: 88 },
  });
});

test("CAN-50 a text that wraps keeps its width, one that does not has none", () => {
  const draft = draftOf(DRAFT, HOME, PHONE);
  expect(writtenText(draft, "a\nb", 2)).toEqual({ ...DRAFT, text: "a\nb" });
  expect(writtenText(draft, "a b", 2)).toEqual({ ...draft, text: "a b" });
  expect(writtenText(DRAFT, "a b", 1)).toEqual({ ...DRAFT, text: "a b" });
  expect(writtenText(draft, "漢字", 2)).toMatchObject({
    ...{ splitByGrapheme: true },
  });
});

test("CAN-55 a text from right to left ends where it was begun, and wraps at the left edge of the view", () => {
  const words = { ...DRAFT, text: "שלום" };
  const fromRight = { direction: "rtl", textAlign: "right", originX: "right" };
  expect(draftOf(words, HOME, { width: 700, height: 500 })).toEqual({
    ...{ ...words, ...fromRight },
  });
  expect(draftOf({ ...words, left: 300 }, HOME, PHONE)).toEqual({
    ...{ ...words, ...fromRight, type: "Textbox", left: 300, width: 284 },
  });
  expect(draftOf(words, HOME, PHONE)).toMatchObject({ left: 176, width: 160 });
  const zoomed = { x: -100, y: 0, zoom: 2 };
  expect(draftOf({ ...words, left: 200 }, zoomed, PHONE)).toMatchObject({
    ...{ left: 200, width: 142 },
  });
});
