/** Numbers about the running server, for Prometheus. */

import { Counter, Gauge, Registry, collectDefaultMetrics } from "prom-client";

/** Creates a registry of its own for each server, so that several can run in one process. */
export function createMetrics(): Registry {
  return new Registry();
}

/** Milliseconds between two samples of the event loop's delay: at 10, an idle server would use twice the CPU. */
const EVENT_LOOP_SAMPLE_MS = 20;

/** Registers CPU, memory, event loop delay, garbage collection and open files of this process. */
export function registerProcessMetrics(metrics: Registry): void {
  collectDefaultMetrics({ register: metrics, eventLoopMonitoringPrecision: EVENT_LOOP_SAMPLE_MS });
}

type Numbers = number | Readonly<Record<string, number>>;

/** A number that is stored elsewhere and read when the metrics are requested. */
export interface ReadMetric {
  /** The kind. A counter only grows, and its name ends with `_total`. */
  readonly kind: "counter" | "gauge";
  readonly name: string;
  readonly help: string;
  /** Returns one number, or one for each value of `label`; the values are from our tables, so that they are few. */
  readonly read: () => Numbers | Promise<Numbers>;
  readonly label?: string;
}

export function registerRead(metrics: Registry, metric: ReadMetric): void {
  const { kind, name, help, read, label } = metric;
  const own = { name, help, registers: [metrics], labelNames: label === undefined ? [] : [label] };
  const each = async (set: (labels: Record<string, string>, value: number) => void) => {
    const found = await read();
    if (typeof found === "number") return set({}, found);
    for (const [value, count] of Object.entries(found)) set({ [label ?? ""]: value }, count);
  };
  if (kind === "gauge")
    new Gauge({
      ...own,
      async collect() {
        await each((labels, value) => this.set(labels, value));
      },
    });
  else
    new Counter({
      ...own,
      async collect() {
        this.reset();
        await each((labels, value) => this.inc(labels, value));
      },
    });
}
