import type { Logger } from "../process/log.ts";
import type { freshStats } from "./stats.ts";

/**
 * Logs the beginning of an outage of Redis once, however often the connection is tried again, and its end. A refusal by
 * Redis itself is logged even during an outage, since it lasts when the network works again.
 */
export class Outage {
  readonly #log: Logger;
  readonly #stats: ReturnType<typeof freshStats>;
  #away: "no" | "lost" | "refused" = "no";
  /** The heartbeat that ends the outage: earlier ones may still be on their way. */
  #until = 0;

  constructor(log: Logger, stats: ReturnType<typeof freshStats>) {
    this.#log = log;
    this.#stats = stats;
  }

  /** Notes an outage. @param beat The number of the last heartbeat that was sent */
  begin(away: "lost" | "refused", reason: string, beat: number): void {
    if (this.#away === "refused" || this.#away === away) return;
    this.#away = away;
    this.#until = beat + 1;
    this.#stats.up = 0;
    this.#log.warn("cluster: Redis is away, other processes are not reached", { reason });
  }

  /** Notes that a heartbeat of this process came back, which alone shows that messages are passed on. */
  returned(beat: number): void {
    if (this.#away === "no" || beat < this.#until) return;
    this.#away = "no";
    this.#stats.up = 1;
    this.#log.info("cluster: Redis is back");
  }
}
