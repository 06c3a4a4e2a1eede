import { expect, test } from "vitest";
import { createSharedMemory } from "./memory.ts";

const MB = 1024 * 1024;

test("TAB-25 what was given back is used again, once, and nothing else is", () => {
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

test("TAB-25 a small body is no shared memory, and what is kept is bounded", () => {
  const memory = createSharedMemory();
  expect(memory.take(1000).buffer).not.toBeInstanceOf(SharedArrayBuffer);
  const many = Array.from({ length: 5 }, () => memory.take(10 * MB));
  for (const one of many) memory.give(one);
  const again = Array.from({ length: 5 }, () => memory.take(10 * MB).buffer);
  const kept = many.filter(({ buffer }) => again.includes(buffer));
  expect(kept).toHaveLength(1);
});
