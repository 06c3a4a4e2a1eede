/** A thread that reads responses of identity providers. */

import { performTasks } from "../../limits/worker-tasks.ts";
import { performSamlTask } from "./verify.ts";

performTasks(performSamlTask);
