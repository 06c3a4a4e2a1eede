import { toast } from "sonner";
import { expect, test, vi } from "vitest";
import type { BoardObject, ObjectId } from "../../../board/drawing.ts";
import { textAsObject } from "./plain-text.ts";
import { toPlainText } from "../../formats/fabric-json.ts";

test("UI-55 a plain text becomes a text, with lines as everywhere", () => {
  expect(textAsObject("a\r\nb\rc\n", "#ff0000")).toMatchObject({
    ...{ type: "IText", text: "a\nb\nc", fill: "#ff0000" },
  });
  expect(textAsObject(" \n\t ", "#ff0000")).toBeNull();
  const lines = "x\n".repeat(1_000).trim();
  expect(textAsObject(lines, "#000")).toMatchObject({ text: lines });
});

test("DAT-6 of words over the limit of a text the rest is left out, and a notice says so", () => {
  const said = vi.spyOn(toast, "error");
  expect(textAsObject("x".repeat(10_000), "#000")).toMatchObject({ text: "x".repeat(10_000) });
  expect(said).not.toHaveBeenCalled();
  // No half of an emoji stays.
  expect(textAsObject(`${"x".repeat(9_999)}😀😀`, "#000")).toMatchObject({
    text: "x".repeat(9_999),
  });
  said.mockClear();
  expect(textAsObject("x".repeat(10_001), "#000")).toMatchObject({ text: "x".repeat(10_000) });
  const notice = "A text has at most 10,000 characters; the rest was left out.";
  expect(said).toHaveBeenCalledExactlyOnceWith(notice, expect.anything());
});

test("CAN-55 words from right to left end at their right edge", () => {
  expect(textAsObject("שלום", "#ff0000")).toMatchObject({
    ...{ direction: "rtl", textAlign: "right", originX: "right" },
  });
  expect(textAsObject("hello", "#ff0000")).not.toHaveProperty("direction");
});

test("UI-55 other programs get the words of texts, else the JSON", () => {
  const object = (props: Partial<BoardObject>): BoardObject => ({
    ...{ type: "Rect", id: "aaa-1" as ObjectId, z: 1 },
    ...props,
  });
  const text = object({ type: "IText", text: "hello" });
  expect(toPlainText([object({}), text, text], "white")).toBe("hello\nhello");
  expect(JSON.parse(toPlainText([object({})], "white"))).toMatchObject({
    objects: [{ type: "Rect" }],
  });
});
