/** Runs work that would block the event loop, or libuv's threads, in threads with a fair queue of the clients. */

import { Worker } from "node:worker_threads";
import { createFairQueue, type FairQueueOptions } from "./fair-queue.ts";

export interface WorkerPool<Task, Result> {
  /**
   * Performs a task when the client is served.
   * @throws the error that `refuse` returns, and Error when the task fails or is not done before the deadline
   */
  readonly run: (client: string, task: Task) => Promise<Result>;
  /** Ends the threads; running tasks reject. */
  readonly close: () => Promise<void>;
}

export interface WorkerPoolOptions {
  /** The queue: how many tasks run at the same time, and how long one waits. */
  readonly queue: Omit<FairQueueOptions, "serial">;
  /** The compiled module of the threads; it calls `performTasks`. */
  readonly module: URL;
  /** Milliseconds that a task may take before its thread is ended. */
  readonly deadline: number;
  /** Megabytes of a thread's heap; a task that needs more ends its thread. */
  readonly heap: number;
}

/** A thread's answer to a task, and `ready` once it has loaded its module. */
export type TaskAnswer<Result> =
  | { readonly kind: "ready" }
  | { readonly kind: "done"; readonly result: Result }
  | { readonly kind: "failed"; readonly message: string };

/** Makes a pool. It starts a thread when there is a task and none is idle, at most `atOnce`. */
export function createWorkerPool<Task, Result>(
  options: WorkerPoolOptions,
): WorkerPool<Task, Result> {
  const queue = createFairQueue({ ...options.queue, serial: false });
  const all = new Set<Worker>();
  const idle: Worker[] = [];
  const start = async (): Promise<Worker> => {
    const worker = new Worker(options.module, {
      execArgv: ["--enable-source-maps"],
      resourceLimits: { maxOldGenerationSizeMb: options.heap },
    });
    all.add(worker);
    const forget = (): void => {
      all.delete(worker);
      const at = idle.indexOf(worker);
      if (at >= 0) idle.splice(at, 1);
    };
    worker.on("error", forget).on("exit", forget);
    await answerOf<Result>(worker);
    return worker;
  };
  const perform = async (task: Task): Promise<Result> => {
    const worker = idle.pop() ?? (await start());
    worker.ref();
    const deadline = setTimeout(() => void worker.terminate(), options.deadline);
    try {
      const answer = answerOf<Result>(worker);
      worker.postMessage(task);
      const got = await answer;
      if (got.kind === "done") return got.result;
      throw new Error(got.kind === "failed" ? got.message : "the thread began again");
    } finally {
      clearTimeout(deadline);
      worker.unref();
      if (all.has(worker)) idle.push(worker);
    }
  };
  return {
    run: (client, task) => queue.run(client, () => perform(task)),
    close: async () => {
      await Promise.all([...all].map((worker) => worker.terminate()));
    },
  };
}

/** Returns the next answer of a thread. @throws Error when the thread ends before it */
function answerOf<Result>(worker: Worker): Promise<TaskAnswer<Result>> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      worker.off("message", answered).off("error", failed).off("exit", ended);
    };
    const answered = (answer: TaskAnswer<Result>): void => {
      leave();
      resolve(answer);
    };
    const failed = (error: Error): void => {
      leave();
      reject(error);
    };
    const ended = (): void => failed(new Error("the thread ended before its task was done"));
    worker.on("message", answered).on("error", failed).on("exit", ended);
  });
}
