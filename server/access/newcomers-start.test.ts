import { expect, test } from "vitest";
import type { Row } from "../storage/port.ts";
import { openNewcomers } from "./newcomers.ts";

test("HOST-52 a change of the row beside the first read of it is known", async () => {
  let rows: Row[] = [];
  const newcomers = await openNewcomers({
    limits: { objects: 1, bytes: 0 },
    database: {
      dialect: "sqlite",
      longReads: { query: async () => ({ rows, rowCount: rows.length }) },
      rowChanges: {
        readable: async () => [],
        // Another process changes the row before this one follows its changes.
        watch: async () => {
          rows = [{ id: "a", bytes: 10, count: 9, objects: 9 }];
          return { stop: () => {} };
        },
      },
    } as never,
    access: { roleOf: () => null },
    clock: () => 0,
  });
  const drawing = { objects: [{ id: "a", bytes: 10, count: 9 }], bytes: 10, isForeign: false };
  const who = { client: "192.0.2.1", claims: { role: "anon" } as never };
  expect(newcomers?.announce(who, drawing)).toBe(true);
});
