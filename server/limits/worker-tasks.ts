/** The thread's side of a worker pool. */

import { parentPort } from "node:worker_threads";
import type { TaskAnswer } from "./worker-pool.ts";

/** Performs the received tasks, one after the other. @throws Error outside of a worker thread */
export function performTasks<Task, Result>(
  perform: (task: Task) => Result | Promise<Result>,
): void {
  const port = parentPort;
  if (port === null) throw new Error("tasks are performed in a worker thread only");
  const answer = (message: TaskAnswer<Result>): void => port.postMessage(message);
  port.on("message", (task: Task) => {
    Promise.resolve(task)
      .then(perform)
      .then(
        (result) => answer({ kind: "done", result }),
        (error: unknown) =>
          answer({ kind: "failed", message: error instanceof Error ? error.message : "unknown" }),
      )
      .catch(() => answer({ kind: "failed", message: "the result cannot be sent" }));
  });
  answer({ kind: "ready" });
}
