import { expect, test } from "vitest";
import { compareWire, fieldsOf, rowsOf } from "./wire.ts";

const source = `
  export interface Message {
    readonly clientId: string;
    /** A comment: text. */
    readonly saved?: { readonly at: string; readonly n?: number };
    readonly k?: readonly (readonly [string, { inner: number }])[];
  }
`;
const fields = [
  { field: "clientId", optional: false },
  { field: "saved.at", optional: false },
  { field: "saved.n", optional: true },
  { field: "k", optional: true },
].map((field) => ({ message: "m", ...field }));

const spec = [
  "### Broadcast messages",
  "",
  "| message | field | type | meaning |",
  "| --- | --- | --- | --- |",
  "| `m` | `clientId` | text | the sender |",
  "| `m` | `saved.at` | text, optional | its time |",
  "| `m` | `saved.n` | number, optional | a number |",
  "| `m` | `k` | list, optional | ink |",
  "",
  "## Next",
  "| `m` | `other` | of another table | |",
].join("\n");

test("the fields of a message are found, nested ones too", () => {
  expect(fieldsOf("a.ts", source, "Message")).toEqual(
    fields.map(({ field, optional }) => ({ field, optional })),
  );
  expect(fieldsOf("a.ts", source, "Gone")).toBeNull();
});

test("fields and rows that are alike are no problem", () => {
  expect(compareWire(fields, rowsOf(spec))).toEqual([]);
});

test.each([
  ["a field without a row", spec.replace(/.*saved\.at.*\n/, ""), "no row for m: saved.at"],
  ["no table", "", "no row for m: clientId"],
  [
    "a row without a field",
    spec.replace("`k`", "`gone`"),
    "a row for m: gone, which no message has",
  ],
  [
    "a row given twice",
    spec.replace("\n\n## ", "\n| `m` | `k` | optional | |\n\n## "),
    "two rows for m: k",
  ],
  ["an optional field", spec.replace("list, optional", "list"), "m: k is optional"],
  [
    "a field that must be there",
    spec.replace("| text |", "| text, optional |"),
    "m: clientId is not",
  ],
])("%s is a problem", (_name, changed, problem) => {
  expect(compareWire(fields, rowsOf(changed)).join("\n")).toContain(problem);
});
