import { afterEach, expect, test } from "vitest";
import { createWorkerPool, type WorkerPool } from "./worker-pool.ts";

/** A thread that answers with a number of its own, waits for a shared flag, fails, or never ends. */
const MODULE = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from "node:worker_threads";
    parentPort.on("message", ({ kind, flag }) => {
      if (kind === "wait") Atomics.wait(flag, 0, 0);
      if (kind === "endless") for (;;);
      if (kind === "memory") for (const all = []; ; ) all.push(new Array(1e5).fill({}));
      parentPort.postMessage(kind === "fail" ? { kind: "failed", message: "bad" } : { kind: "done", result: threadId });
    });
    parentPort.postMessage({ kind: "ready" });
  `)}`,
);

type Task = { readonly kind: string; readonly flag?: Int32Array };

let pool: WorkerPool<Task, number>;

function open(atOnce: number, deadline = 60_000): WorkerPool<Task, number> {
  const refuse = (): Error => new Error("refused");
  const queue = { atOnce, perClient: 1, wait: 60_000, refuse };
  pool = createWorkerPool({ module: MODULE, queue, deadline, heap: 16 });
  return pool;
}

afterEach(() => pool.close());

test("AUTH-41 one client has one thread at a time, another client's task goes on beside it", async () => {
  const { run } = open(2);
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const held = run("greedy", { kind: "wait", flag });
  const next = [1, 2, 3].map(() => run("greedy", { kind: "id" }));
  const other = await run("other", { kind: "id" });
  Atomics.store(flag, 0, 1);
  Atomics.notify(flag, 0);
  const greedy = await Promise.all([held, ...next]);
  expect(greedy[0]).not.toBe(other);
  expect(new Set([...greedy, other]).size).toBe(2);
});

test("AUTH-41 a task that fails, does not end or needs too much memory ends alone", async () => {
  const { run } = open(1, 3_000);
  const first = await run("a", { kind: "id" });
  await expect(run("a", { kind: "fail" })).rejects.toThrow("bad");
  expect(await run("a", { kind: "id" })).toBe(first);
  await expect(run("a", { kind: "endless" })).rejects.toThrow("ended before");
  const second = await run("a", { kind: "id" });
  expect(second).not.toBe(first);
  await expect(run("a", { kind: "memory" })).rejects.toThrow("memory");
  expect(await run("a", { kind: "id" })).not.toBe(second);
  await pool.close();
});
