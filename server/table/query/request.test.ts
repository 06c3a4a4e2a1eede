import { expect, test } from "vitest";
import { TableFault } from "../schema/faults.ts";
import { parsePlan } from "./request.ts";
import { TABLES, type Table } from "../schema/tables.ts";

const [STATE, HISTORY] = ["canvas_state", "canvas_history"].map((name) => TABLES.get(name)) as [
  Table,
  Table,
];

/** Returns the code with which a query is refused, or undefined. */
function refused(query: string): string | undefined {
  try {
    parsePlan(STATE, query);
    return undefined;
  } catch (fault) {
    if (fault instanceof TableFault) return fault.body.code;
    throw fault;
  }
}

const times = (count: number, text: string): string[] => Array.from({ length: count }, () => text);

test("TAB-9 nulls count as greater than everything, unless the order says where they are", () => {
  const order = "id,bytes.desc,loss.asc.nullsfirst,objects.desc.nullslast";
  const plan = parsePlan(HISTORY, `order=${order}`);
  expect(
    plan.order.map(({ field, descending, nullsFirst }) => [
      field.column.name,
      descending,
      nullsFirst,
    ]),
  ).toEqual([
    ["id", false, false],
    ["bytes", true, true],
    ["loss", false, true],
    ["objects", true, false],
  ]);
});

test("TAB-15 a query has bounds: of nesting, conditions, listed values, steps, and columns", () => {
  const nested = (depth: number): string =>
    depth === 1 ? "(id.is.null)" : `(and${nested(depth - 1)})`;
  const bounds: readonly (readonly [max: number, query: (count: number) => string])[] = [
    [8, (count) => `and=${nested(count)}`],
    [100, (count) => times(count, "id=is.null").join("&")],
    [100, (count) => `or=(${times(count, "id.is.null").join(",")})`],
    [1000, (count) => `canvas_json->>a=in.(${times(count, "b").join(",")})`],
    [10, (count) => `select=canvas_json${times(count, "->a").join("")}`],
    [100, (count) => `select=${times(count, "id").join(",")}`],
    [10, (count) => `order=${times(count, "id").join(",")}`],
  ];
  for (const [max, query] of bounds) {
    expect(refused(query(max)), query(1)).toBeUndefined();
    expect(refused(query(max + 1)), query(1)).toBe("PGRST100");
  }
  expect(refused("select=canvas_json->>a->b")).toBe("PGRST100");
  expect(refused("order=.desc")).toBe("PGRST100");
});
