import type { HostAccess, Newcomers } from "./access/port.ts";
import type { Cluster } from "./cluster/port.ts";
import type { Drain } from "./process/drain.ts";
import type { KeyRing } from "./keys/port.ts";
import type { Logger } from "./process/log.ts";
import type { Settings } from "./settings/settings.ts";
import type { Database } from "./storage/port.ts";

/** The environment of the protocol folders (table, realtime, auth). start.ts opens and closes these. */
export interface ServerEnvironment {
  readonly settings: Settings;
  readonly keys: KeyRing;
  readonly access: HostAccess;
  /** The limits of newcomers; null where nothing is limited. */
  readonly newcomers: Newcomers | null;
  readonly database: Database;
  readonly cluster: Cluster;
  readonly log: Logger;
  readonly drain: Drain;
  /** The time in milliseconds since 1970. */
  readonly clock: () => number;
  /** The cost of passwords' bcrypt hashes, of which each step doubles the time; GoTrue's cost without it. */
  readonly passwordCost?: number;
}
