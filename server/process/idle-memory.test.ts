import { expect, test } from "vitest";
import { collectGarbage, createIdleMemory } from "./idle-memory.ts";

const MB = 1024 * 1024;

test("SRV-90 garbage of over 64 MB of buffers is collected in an idle minute, and memory in use causes one collection", () => {
  const state = { garbage: 0, live: 10, busy: 0, collections: 0 };
  const look = createIdleMemory({
    buffers: () => (state.garbage + state.live) * MB,
    busy: () => state.busy,
    collect: () => {
      state.garbage = 0;
      state.collections++;
    },
  });
  const after = (change: Partial<typeof state>): number => {
    Object.assign(state, change);
    look();
    return state.collections;
  };
  expect(after({ garbage: 50 })).toBe(0);
  // Somebody is served, so a pause would be noticed.
  expect(after({ garbage: 400, busy: 0.5 })).toBe(0);
  expect(after({ busy: 0.01 })).toBe(1);
  expect(after({})).toBe(1);
  // The memory is in use: collecting again would change nothing.
  expect(after({ live: 200 })).toBe(2);
  expect(after({})).toBe(2);
  expect(after({ garbage: 70 })).toBe(3);
  // The memory in use is freed, and later there is garbage again.
  expect(after({ live: 5 })).toBe(3);
  expect(after({ garbage: 70 })).toBe(4);
});

test("SRV-90 a collection frees buffers that nobody refers to", async () => {
  const dropped = (): WeakRef<Buffer> => new WeakRef(Buffer.alloc(MB, 1));
  const one = dropped();
  expect(one.deref()?.length).toBe(MB);
  // Objects that a task has looked at stay until its end.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect(one.deref()).toBeUndefined();
});
