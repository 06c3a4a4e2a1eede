import { describe, expect, test } from "vitest";
import type { ChangedRow, RowChange } from "../../storage/port.ts";
import { meets, parseFilter } from "./filter.ts";
import { changePayload, settingsPayload } from "./message.ts";
import { Pace } from "./pace.ts";
import { matching, matchingSettings, parseSubscription } from "./subscription.ts";

const ID = "e8989dd4-eda0-4b40-b21d-086d0332ff79";
const row: ChangedRow = {
  id: ID,
  version: 10,
  updatedAt: "2026-11-21T00:08:09.291+00:00",
  drawing: '{"objects":[]}',
};
const update: RowChange = {
  type: "UPDATE",
  oldId: ID,
  row,
  committedAt: "2026-11-21T00:08:09.300Z",
};
const ALL = ["id", "canvas_json", "updated_at", "version"];

const passes = (filter: string, given: Partial<ChangedRow> = row): boolean => {
  const parsed = parseFilter(filter);
  if (!parsed.ok) throw new Error(parsed.reason);
  return meets({ id: ID, ...given }, parsed.conditions);
};

test.each([
  ["", true],
  [`id=eq.${ID.toUpperCase()}`, true],
  [`id=neq.${ID}`, false],
  [`id=in.(${ID},00000000-0000-4000-8000-000000000000)`, true],
  ["version=eq.10", true],
  ["version=lt.9", false],
  ["version=lt.11", true],
  ["version=lte.10", true],
  ["version=gt.9", true],
  ["version=gte.11", false],
  ["version=in.(1,2,10)", true],
  ["version=in.(1,2)", false],
  ["updated_at=gt.2026-11-21T01:08:09.290+01:00", true],
  ["updated_at=lt.2026-11-21", false],
  [`version=in.(9,10),id=eq.${ID}`, true],
  [`version=eq.10,version=neq.10`, false],
])("RT-52 the filter %s", (filter, expected) => {
  expect(passes(filter)).toBe(expected);
});

test("RT-52 a filter without end is read in one pass", () => {
  // With a lookahead from each comma it would take minutes.
  for (const filter of [",".repeat(500_000), "version=gt.1,".repeat(50_000), ",(".repeat(250_000)])
    expect(parseFilter(filter)).toMatchObject({ ok: false, kind: "parse" });
  expect(parseFilter("version=in.(1,2").ok).toBe(false);
});

test("RT-52 of a removed row only the id is known", () => {
  expect(passes(`id=eq.${ID}`, {})).toBe(true);
  for (const filter of ["version=gte.0", "updated_at=gt.2000-01-01"])
    expect(meets({ id: ID }, parsedOf(filter))).toBe(false);
});

function parsedOf(filter: string) {
  const parsed = parseFilter(filter);
  return parsed.ok ? parsed.conditions : [];
}

describe("RT-51 a subscription that cannot be served says why", () => {
  const table = { event: "*", schema: "public", table: "canvas_state" };
  test.each([
    [{ ...table, filter: "id=foo.hey" }, 'Error parsing `filter` params: ["foo", "hey"]'],
    [{ ...table, filter: "undefined" }, 'Error parsing `filter` params: ["undefined"]'],
    [
      { ...table, table: "secrets" },
      "Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect parameters: [event: *, schema: public, table: secrets, filters: []]",
    ],
    [
      { ...table, schema: "auth" },
      "Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect parameters: [event: *, schema: auth, table: canvas_state, filters: []]",
    ],
    [
      { ...table, filter: "owner=eq.1" },
      "Unable to subscribe to changes with given parameters. An exception happened so please check your connect parameters: [event: *, schema: public, table: canvas_state, filters: [owner=eq.1]]. Exception: ERROR P0001 (raise_exception) invalid column for filter owner",
    ],
    [
      { ...table, filter: "id=eq.7" },
      'Unable to subscribe to changes with given parameters. An exception happened so please check your connect parameters: [event: *, schema: public, table: canvas_state, filters: [id=eq.7]]. Exception: ERROR 22P02 (invalid_text_representation) invalid input syntax for type uuid: "7"',
    ],
    [
      { event: "*", schema: "public", filter: `id=eq.${ID}` },
      "Error parsing `filter` params: a filter needs a table",
    ],
    [
      { ...table, select: ["locked"] },
      "Unable to subscribe to changes with given parameters. An exception happened so please check your connect parameters: [event: *, schema: public, table: canvas_state, filters: []]. Exception: ERROR P0001 (raise_exception) invalid column for select locked",
    ],
    [
      { event: "*" },
      "No subscription params provided. Please provide at least a `schema` or `table` to subscribe to.",
    ],
  ])("%o", (binding, message) => {
    expect(parseSubscription([table, binding])).toEqual({ ok: false, message });
  });

  test("RT-51 the filters of a channel compare at most 100 values", () => {
    const half = Array.from({ length: 50 }, (_, n) => `version=neq.${n}`).join();
    const list = `version=in.(${Array.from({ length: 51 }, (_, n) => n).join()})`;
    const filters = (...all: string[]) =>
      parseSubscription(all.map((filter) => ({ ...table, filter })));
    expect(filters(half, half).ok).toBe(true);
    expect(filters(half, list)).toEqual({
      ok: false,
      message:
        "Error parsing `filter` params: too many values in the filters of a channel. Maximum 100",
    });
  });
});

test("RT-50 a binding gets the events that it asks for, in upper or lower case", () => {
  const parsed = parseSubscription(
    ["*", "insert", "UPDATE", "DELETE"].map((event) => ({ event, schema: "public" })),
  );
  if (!parsed.ok) throw new Error(parsed.message);
  const ids = (change: RowChange): number[] =>
    matching(parsed.bindings, change).map(({ id }) => id);
  expect(ids(update)).toEqual([1, 3]);
  expect(ids({ ...update, type: "INSERT" })).toEqual([1, 2]);
  expect(ids({ ...update, type: "DELETE", row: null })).toEqual([1, 4]);
});

test("RT-52 the removal of a row reaches a binding with a filter of its id, and no columns are all of them", () => {
  const binding = { event: "DELETE", schema: "public", table: "canvas_state", select: [] };
  const parsed = parseSubscription([
    { ...binding, filter: `id=eq.${ID}` },
    { ...binding, filter: `id=neq.${ID}` },
  ]);
  if (!parsed.ok) throw new Error(parsed.message);
  const removal: RowChange = { ...update, type: "DELETE", row: null };
  expect(matching(parsed.bindings, removal)).toMatchObject([{ id: 1, columns: null }]);
});

test("RT-53 a change is a message with columns, record and old record", () => {
  expect(JSON.parse(changePayload(update, [1, 3], ALL))).toEqual({
    ids: [1, 3],
    data: {
      columns: [
        { name: "id", type: "uuid" },
        { name: "canvas_json", type: "json" },
        { name: "updated_at", type: "timestamptz" },
        { name: "version", type: "int8" },
      ],
      commit_timestamp: "2026-11-21T00:08:09.300Z",
      errors: null,
      old_record: { id: ID },
      record: {
        id: ID,
        canvas_json: { objects: [] },
        updated_at: "2026-11-21T00:08:09.291+00:00",
        version: 10,
      },
      schema: "public",
      table: "canvas_state",
      type: "UPDATE",
    },
  });
  const removed = JSON.parse(changePayload({ ...update, type: "DELETE", row: null }, [4], ALL));
  expect(removed.data).toMatchObject({ type: "DELETE", old_record: { id: ID }, errors: null });
  expect(removed.data).not.toHaveProperty("record");
  const inserted = JSON.parse(changePayload({ ...update, type: "INSERT" }, [2], ALL));
  expect(inserted.data).not.toHaveProperty("old_record");
});

test("RT-53 a drawing that is too large is left out and named; a column without rights is absent; invalid JSON cannot forge a message", () => {
  const read = (given: Partial<ChangedRow>, columns: readonly string[]) =>
    JSON.parse(changePayload({ ...update, row: { ...row, ...given } } as RowChange, [1], columns))
      .data;
  const large = read({ drawing: null }, ALL);
  expect(large.record).toEqual({ id: ID, updated_at: row.updatedAt, version: 10 });
  expect(large.errors).toEqual([
    "Error 413: Payload Too Large: canvas_json has more than 65536 bytes",
  ]);
  const few = read({}, ["version"]);
  expect(few).toMatchObject({ record: { version: 10 }, old_record: {}, errors: null });
  expect(few.columns).toEqual([{ name: "version", type: "int8" }]);
  expect(read({}, [])).toMatchObject({ record: {}, errors: ["Error 401: Unauthorized"] });
  expect(read({ drawing: '{}},"schema":"x"' }, ALL).record.canvas_json).toBe(null);
});

test("RT-70 a binding of the settings gets an UPDATE with the columns that it reads, and its filter compares both", () => {
  const table = { event: "*", schema: "public", table: "canvas_settings" };
  const reached = (locked: boolean, asked: object) => {
    const parsed = parseSubscription([{ ...table, ...asked }]);
    return parsed.ok ? matchingSettings(parsed.bindings, locked).length : parsed.message;
  };
  const both = (asked: object) => [reached(true, asked), reached(false, asked)];
  expect(both({})).toEqual([1, 1]);
  expect(both({ event: "update", select: ["id", "locked"] })).toEqual([1, 1]);
  expect(both({ event: "INSERT" })).toEqual([0, 0]);
  expect(both({ table: "canvas_state" })).toEqual([0, 0]);
  expect(both({ table: "*" })).toEqual([1, 1]);
  expect(both({ filter: "locked=eq.true" })).toEqual([1, 0]);
  expect(both({ filter: "id=in.(1,2),locked=neq.true" })).toEqual([0, 1]);
  expect(both({ filter: "id=eq.2" })).toEqual([0, 0]);
  expect(reached(true, { filter: "version=eq.1" })).toContain("invalid column for filter version");
  expect(reached(true, { filter: "locked=eq.1" })).toContain("for type boolean");
  expect(reached(true, { select: ["version"] })).toContain("invalid column for select version");
  expect(JSON.parse(settingsPayload(true, [3], ["locked"]))).toMatchObject({
    ids: [3],
    data: {
      ...{ type: "UPDATE", schema: "public", table: "canvas_settings", errors: null },
      ...{ columns: [{ name: "locked", type: "bool" }], record: { locked: true } },
    },
  });
  const whole = JSON.parse(settingsPayload(false, [3], null));
  expect(whole.data).toMatchObject({ record: { id: 1, locked: false }, old_record: { id: 1 } });
});

test("RT-54 ten changes in a second go at once, of the others the last one", () => {
  let now = 0;
  let timers: { readonly at: number; readonly run: () => void }[] = [];
  const sent: [number, number][] = [];
  const pace = new Pace<number>(
    {
      now: () => now,
      after: (wait, run) => {
        const timer = { at: now + wait, run };
        timers.push(timer);
        return () => {
          timers = timers.filter((one) => one !== timer);
        };
      },
    },
    (n) => sent.push([n, now]),
  );
  const advance = (to: number): void => {
    for (;;) {
      const next = timers.find(({ at }) => at <= to);
      if (next === undefined) break;
      timers = timers.filter((one) => one !== next);
      now = next.at;
      next.run();
    }
    now = to;
  };
  for (let n = 1; n <= 40; n++) {
    pace.offer(n);
    advance(n * 10);
  }
  expect(sent.map(([n]) => n)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  advance(3000);
  expect(sent.slice(10)).toEqual([[40, 1000]]);
  pace.offer(41);
  expect(sent.at(-1)).toEqual([41, 3000]);
  for (let n = 0; n < 20; n++) pace.offer(n);
  pace.dispose();
  expect(timers).toEqual([]);
});
