/** Sends clients that just joined what they cannot have received: the edits that no row contains yet. */

import type { Environment } from "../environment/environment.ts";
import { createTimer } from "../environment/timing.ts";
import type { LiveSender } from "../presence/live-sender.ts";
import type { Outbox } from "./outbox.ts";

/** Milliseconds. Clients send their pending edits to a newcomer, but not all at the same moment. */
const DELAY = 500;

export interface Newcomers {
  readonly joined: () => void;
  readonly stop: () => void;
}

export interface NewcomersDependencies {
  readonly env: Pick<Environment, "clock" | "random">;
  readonly outbox: Outbox;
  readonly sender: LiveSender;
}

/** Nobody has joined yet. */
export function createNewcomers(dependencies: NewcomersDependencies): Newcomers {
  const { env, outbox, sender } = dependencies;
  const timer = createTimer(env.clock);
  return {
    joined() {
      sender.repeatStyles();
      if (timer.isSet) return;
      timer.set(DELAY * env.random(), () => {
        outbox.addPending();
        sender.repeatSelection();
      });
    },
    stop: timer.clear,
  };
}
