import Fastify from "fastify";
import { expect, test } from "vitest";
import type { ServerEnvironment } from "../../port.ts";
import { materialOfSecret } from "../../keys/material.ts";
import { createKeyRing } from "../../keys/ring.ts";
import { createLogger } from "../../process/log.ts";
import { createSharedMemory } from "./memory.ts";
import { registerTable } from "../register.ts";
import { OPEN_BOARD } from "../../../testing/servers/open-board.ts";

const MB = 1024 * 1024;

test("TAB-24 memory that was given back is used again, once, and nothing else is", () => {
  const memory = createSharedMemory();
  const first = memory.take(MB);
  const second = memory.take(MB);
  expect(second.buffer).not.toBe(first.buffer);
  memory.give(first.subarray(0, 100));
  memory.give(first);
  memory.give(new Uint8Array(new SharedArrayBuffer(MB)));
  memory.give(undefined);
  expect(memory.take(MB - 1).buffer).toBe(first.buffer);
  const third = memory.take(MB);
  expect(third.buffer).not.toBe(first.buffer);
  expect(third.buffer).not.toBe(second.buffer);
});

test("TAB-24 a small body is no shared memory, and retained memory is bounded", () => {
  const memory = createSharedMemory();
  const shared = (size: number): boolean => memory.take(size).buffer instanceof SharedArrayBuffer;
  expect(shared(1000)).toBe(false);
  const many = Array.from({ length: 6 }, () => memory.take(10 * MB));
  const first = many.filter(({ buffer }) => buffer instanceof SharedArrayBuffer);
  expect(first).toHaveLength(4);
  expect(shared(MB)).toBe(false);
  for (const one of many) memory.give(one);
  const again = Array.from({ length: 6 }, () => memory.take(10 * MB).buffer);
  expect(again.filter((buffer) => first.some((one) => one.buffer === buffer))).toHaveLength(4);
});

test("TAB-24 memory of another size is dropped for the size needed now", () => {
  const memory = createSharedMemory();
  for (const one of Array.from({ length: 4 }, () => memory.take(10 * MB))) memory.give(one);
  const small = Array.from({ length: 16 }, () => memory.take(MB).buffer);
  expect(small.every((buffer) => buffer instanceof SharedArrayBuffer)).toBe(true);
});

test("TAB-24 after a request its body's memory is used for the next one", async () => {
  const bodies: unknown[] = [];
  const database = {
    dialect: "sqlite",
    query: async (_sql: string, values: readonly unknown[]) => {
      bodies.push((values[0] as Uint8Array).buffer);
      return { rows: [], rowCount: 0 };
    },
  };
  const keys = await createKeyRing(materialOfSecret("x".repeat(40)), Date.now);
  const log = createLogger("error", () => {}, Date.now);
  const settings = { tableRateLimit: 0, trustProxy: 0 };
  const app = Fastify();
  const deps = { settings, keys, access: OPEN_BOARD, database, log, clock: Date.now };
  await registerTable(app, deps as unknown as ServerEnvironment);
  for (let sent = 0; sent < 2; sent++)
    await app.inject({
      method: "POST",
      url: "/rest/v1/canvas_state",
      headers: { apikey: keys.anonKey, "content-type": "application/json" },
      payload: `{"canvas_json":"${"x".repeat(MB)}"}`,
    });
  expect(bodies[0]).toBeInstanceOf(SharedArrayBuffer);
  expect(bodies[1]).toBe(bodies[0]);
  await app.close();
});
