/** A thread that hashes and compares passwords. */

import { hashSync, verifySync } from "@node-rs/bcrypt";
import { performTasks } from "../../limits/worker-tasks.ts";

/** A password to hash with a cost, or to compare with a hash. */
export type PasswordTask =
  | { readonly password: string; readonly cost: number }
  | { readonly password: string; readonly hash: string };

performTasks((task: PasswordTask): string | boolean =>
  "hash" in task
    ? verifySync(task.password, task.hash)
    : hashSync(task.password, { cost: task.cost }),
);
