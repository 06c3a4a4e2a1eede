import type { Logger } from "../process/log.ts";
import { DatabaseUnavailable } from "./faults.ts";

/** The outages of a database, from its first call that worked: a start that fails has a log line of its own. */
export interface Outage {
  /** Notes an error of a call, and returns it. */
  noted(error: unknown): unknown;
  /** Ends an outage after a call that worked. @param written whether rows were written */
  over(written: boolean): void;
}

/**
 * Logs when an outage begins and when it ends, instead of each call that meets it. Reads do not end one of writes.
 * @param hindersWrites whether such an error leaves reads possible
 */
export function createOutage(
  log: Pick<Logger, "error" | "info">,
  hindersWrites: (error: DatabaseUnavailable) => boolean,
): Outage {
  let away: "no" | "all" | "writes" | null = null;
  return {
    noted(error) {
      if (away === null || !(error instanceof DatabaseUnavailable)) return error;
      if (away === "no")
        log.error("the database is unavailable", { reason: error.message, code: error.code });
      if (away !== "writes") away = hindersWrites(error) ? "writes" : "all";
      return error;
    },
    over(written) {
      if (away === "writes" && !written) return;
      if (away === "all" || away === "writes") log.info("the database is available again");
      away = "no";
    },
  };
}
