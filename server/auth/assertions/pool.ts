/** Starts the thread that reads responses of identity providers. */

import { createWorkerPool, type WorkerPool } from "../../limits/worker-pool.ts";
import { PROJECT_ROOT } from "../../process/root.ts";
import { AuthFault } from "../http/errors.ts";
import type { SamlResult, SamlTask } from "./verify.ts";

export type SamlPool = WorkerPool<SamlTask, SamlResult>;

/** The compiled worker, since Node 20 starts none from TypeScript. */
const WORKER = new URL("dist/server/server/auth/assertions/worker.js", PROJECT_ROOT);

/** Makes a pool of one thread that reads responses; it starts with the first one. */
export function createSamlPool(): SamlPool {
  return createWorkerPool({
    module: WORKER,
    queue: {
      atOnce: 1,
      perClient: 1,
      wait: 10_000,
      refuse: () => new AuthFault("over_request_rate_limit", "Request rate limit reached"),
    },
    deadline: 10_000,
    heap: 128,
  });
}
