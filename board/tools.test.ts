import { expect, test } from "vitest";
import { MORE_TOOLS, type Tool, toolRow, TOOLS } from "./tools.ts";

test("each tool has an id, a name and a key of its own", () => {
  const rows = [...TOOLS, ...MORE_TOOLS];
  for (const column of ["tool", "name", "key"] as const)
    expect(new Set(rows.map((row) => row[column])).size).toBe(rows.length);
  for (const { key } of rows) expect(key).toMatch(/^[a-z]$/);
});

test("a tool is found by its id, and an unknown one throws", () => {
  for (const row of [...TOOLS, ...MORE_TOOLS]) expect(toolRow(row.tool)).toBe(row);
  expect(() => toolRow("spray" as Tool)).toThrow("There is no tool spray");
});
