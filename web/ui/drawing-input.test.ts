import { expect, test } from "vitest";
import type { BoardObject, ObjectId } from "../../board/drawing.ts";
import { readDrawingText, textAsObject } from "./drawing-input.ts";
import { toPlainText } from "./fabric-json.ts";

test("UI-25 a drawing that comes in goes through the parser, and loses our own fields", () => {
  const rect = { type: "Rect", width: 10, height: 5, id: "aaa-1", z: 3, onload: "x" };
  const input = readDrawingText(
    JSON.stringify({ version: "7.4.0", objects: [rect, { type: "Nothing" }, 7] }),
  );
  expect(input).toMatchObject({ ok: true, leftOut: 2 });
  if (!input.ok) return;
  expect(input.objects).toHaveLength(1);
  expect(input.objects[0]).toMatchObject({ type: "Rect", width: 10, height: 5 });
  for (const name of ["id", "z", "stamps", "onload"])
    expect(input.objects[0]).not.toHaveProperty(name);
  expect(input.reasons).toEqual(["unknown type", "not an object"]);
});

test("UI-25 what is no drawing is refused with the reason", () => {
  for (const text of ["", "{", "[]", "null", '"objects"', "{}", '{"objects":{}}'])
    expect(readDrawingText(text)).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/^it is no drawing: /),
    });
  const large = `{"objects":[],"x":"${"a".repeat(10 * 1024 * 1024)}"}`;
  expect(readDrawingText(large)).toEqual({ ok: false, reason: "it is larger than 10 MB" });
});

test("UI-25 a plain text becomes a text, with lines as everywhere", () => {
  expect(textAsObject("a\r\nb\rc\n", "#ff0000")).toMatchObject({
    ...{ type: "IText", text: "a\nb\nc", fill: "#ff0000" },
  });
  expect(textAsObject(" \n\t ", "#ff0000")).toBeNull();
  const long = textAsObject("x\n".repeat(9_999), "#000")?.["text"] as string;
  expect(long.split("\n")).toHaveLength(500);
});

test("UI-25 other programs get the words of texts, else the JSON", () => {
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
