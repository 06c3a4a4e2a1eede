/** Numbers about the running server, for Prometheus. */

import { Counter, Gauge, Registry, collectDefaultMetrics } from "prom-client";

/** A registry of its own for each server, so that several can run in one process. */
export function createMetrics(): Registry {
  return new Registry();
}

/** Milliseconds between two samples of the event loop's delay: at 10, an idle server would use twice the CPU. */
const EVENT_LOOP_SAMPLE_MS = 20;

/** CPU, memory, event loop delay, garbage collection and open files of this process. */
export function registerProcessMetrics(metrics: Registry): void {
  collectDefaultMetrics({ register: metrics, eventLoopMonitoringPrecision: EVENT_LOOP_SAMPLE_MS });
}

/** A number that is kept elsewhere and read when the metrics are requested. */
export interface ReadMetric {
  /** A counter only grows, and its name ends with `_total`. */
  readonly kind: "counter" | "gauge";
  readonly name: string;
  readonly help: string;
  readonly read: () => number;
}

export function registerRead(metrics: Registry, { kind, name, help, read }: ReadMetric): void {
  const registers = [metrics];
  if (kind === "gauge")
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  else
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
}
