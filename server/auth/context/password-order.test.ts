/**
 * Tests the order in which passwords are hashed: with the threads' queue and all its settings, and in place of the
 * threads the test, which ends a guess when it likes.
 */

import { hashSync, verifySync } from "@node-rs/bcrypt";
import { expect, test, vi } from "vitest";
import { PASSWORD, freshEmail, person } from "../../../testing/auth/people.ts";
import { freshAddress, startAuthServer, type AuthServer } from "../../../testing/auth/server.ts";
import { createFairQueue, type FairQueue } from "../../limits/fair-queue.ts";
import type { WorkerPool, WorkerPoolOptions } from "../../limits/worker-pool.ts";
import type { PasswordTask } from "../secrets/password-worker.ts";

/** The passwords that were begun, in order. */
const begun: string[] = [];
/** Ends the guesses that have begun, the oldest first. */
const ends: (() => void)[] = [];
/** The queue of the passwords; other pools have their own. */
let queue: FairQueue;

vi.mock("../../limits/worker-pool.ts", () => ({
  createWorkerPool(options: WorkerPoolOptions): WorkerPool<PasswordTask, string | boolean> {
    const own = createFairQueue({ ...options.queue, serial: false, wait: 600_000 });
    if (options.module.pathname.includes("password")) queue = own;
    const perform = async (task: PasswordTask): Promise<string | boolean> => {
      begun.push(task.password);
      if (!("hash" in task)) return hashSync(task.password, { cost: 4 });
      if (!task.password.startsWith("guess")) return verifySync(task.password, task.hash);
      await new Promise<void>((resolve) => ends.push(resolve));
      return false;
    };
    return {
      run: (client, task) => own.run(client, () => perform(task)),
      close: () => Promise.resolve(),
    };
  },
}));

async function attempt(
  server: AuthServer,
  email: string,
  password: string,
  ip: string,
): Promise<string> {
  const { error } = await server.client({ ip }).auth.signInWithPassword({ email, password });
  return error === null ? "in" : (error.code ?? "");
}

/** Begins `count` guesses from one address; resolves to their ends when all are in the queue. */
async function guess(server: AuthServer, name: string, count: number): Promise<Promise<string>[]> {
  const before = queue.waiting + ends.length;
  const ip = freshAddress();
  const all = Array.from({ length: count }, (_, n) =>
    attempt(server, freshEmail(), `guess ${name}${n}`, ip),
  );
  await expect.poll(() => queue.waiting + ends.length).toBe(before + count);
  return all;
}

/** Ends the guesses one after the other, and expects that all were wrong. */
async function endAll(guesses: readonly Promise<string>[]): Promise<void> {
  let ended = false;
  const all = Promise.all(guesses).finally(() => (ended = true));
  while (!ended) {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(new Set(await all)).toEqual(new Set(["invalid_credentials"]));
}

test("AUTH-41 a sign-in beside one client's 60 passwords waits for none of them", async () => {
  const server = await startAuthServer();
  const someone = await person(server);
  begun.length = 0;
  const guesses = await guess(server, "", 60);
  expect(begun).toHaveLength(1);
  expect(await attempt(server, someone.email, PASSWORD, freshAddress())).toBe("in");
  expect(begun.slice(1)).toEqual([PASSWORD]);
  await endAll(guesses);
  await server.close();
});

test("AUTH-41 beside two clients' 60 passwords, which have both threads, a sign-in is the next", async () => {
  const server = await startAuthServer();
  const someone = await person(server);
  begun.length = 0;
  const guesses = [...(await guess(server, "a", 30)), ...(await guess(server, "b", 30))];
  expect(begun).toHaveLength(2);
  const signedIn = attempt(server, someone.email, PASSWORD, freshAddress());
  await expect.poll(() => queue.waiting).toBe(59);
  ends.shift()?.();
  expect(await signedIn).toBe("in");
  expect(begun[2]).toBe(PASSWORD);
  await endAll(guesses);
  await server.close();
});
