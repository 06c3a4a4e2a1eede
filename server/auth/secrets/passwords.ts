/**
 * Hashes passwords in threads of their own: files and host names wait for those of libuv, and everything else for the
 * event loop.
 */

import { addressKey } from "../../limits/client-key.ts";
import { createWorkerPool } from "../../limits/worker-pool.ts";
import { PROJECT_ROOT } from "../../process/root.ts";
import { AuthFault } from "../http/errors.ts";
import type { PasswordTask } from "./password-worker.ts";

export interface Passwords {
  /**
   * Returns the bcrypt hash; takes about 50 ms of a thread. @throws AuthFault over_request_rate_limit when no thread
   * is free in time
   */
  readonly hash: (ip: string, password: string) => Promise<string>;
  /**
   * Whether a password has this hash. Without a hash it takes the same time, and is false. @throws AuthFault
   * over_request_rate_limit
   */
  readonly matches: (ip: string, password: string, stored: string | null) => Promise<boolean>;
  readonly close: () => Promise<void>;
}

/** The compiled worker, since Node 20 starts none from TypeScript. */
const WORKER = new URL("dist/server/server/auth/secrets/password-worker.js", PROJECT_ROOT);

/** GoTrue's cost, so that its hashes and ours take the same time. */
const BCRYPT_COST = 10;

/** Returns the hash of a random password that nobody has, so that a check against it takes as long as one against a user's. */
const decoy = (cost: number) =>
  `$2b$${String(cost).padStart(2, "0")}$sHxqIsq6kwBh8S84CE6vT.lLoIZ19/fD.F8c5zoJG3T1feRdUc2KW`;

/**
 * Makes the passwords; the threads start with the first ones. A client occupies only one of the two, so that another
 * client finds the other one free.
 * @param cost From 4 to 31.
 */
export function createPasswords(cost = BCRYPT_COST): Passwords {
  const pool = createWorkerPool<PasswordTask, string | boolean>({
    module: WORKER,
    queue: {
      atOnce: 2,
      perClient: 1,
      wait: 10_000,
      refuse: () => new AuthFault("over_request_rate_limit", "Request rate limit reached"),
    },
    deadline: 60_000,
    heap: 32,
  });
  return {
    hash: async (ip, password) => String(await pool.run(addressKey(ip), { password, cost })),
    matches: async (ip, password, stored) => {
      const right = await pool.run(addressKey(ip), { password, hash: stored ?? decoy(cost) });
      return right === true && stored !== null;
    },
    close: pool.close,
  };
}
