import { expect, test } from "vitest";
import { type Tool, toolRow, TOOLS } from "./tools.ts";

test("each tool has an id, a name and a key of its own", () => {
  for (const column of ["tool", "name", "key"] as const)
    expect(new Set(TOOLS.map((row) => row[column])).size).toBe(TOOLS.length);
  for (const { key } of TOOLS) expect(key).toMatch(/^[a-z]$/);
});

test("a tool is found by its id, and an unknown one throws", () => {
  for (const row of TOOLS) expect(toolRow(row.tool)).toBe(row);
  expect(() => toolRow("spray" as Tool)).toThrow("There is no tool spray");
});
