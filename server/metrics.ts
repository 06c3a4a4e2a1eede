/** Numbers about the running server, in Prometheus' text format 0.0.4. */

export type Labels = Readonly<Record<string, string>>;

export interface Counter {
  /** @param labels few and bounded: never an address, a token or a path from a request */
  add(amount?: number, labels?: Labels): void;
}

export interface Metrics {
  /** A number that only grows. The same name answers the same counter. */
  counter(name: string, help: string): Counter;
  /** A number that is asked for when somebody reads the metrics. */
  gauge(name: string, help: string, read: () => number): void;
  render(): string;
}

interface Series {
  readonly help: string;
  readonly kind: "counter" | "gauge";
  /** From `{a="b"}` to the value. */
  values(): Iterable<readonly [labels: string, value: number]>;
}

export function createMetrics(): Metrics {
  const series = new Map<string, Series>();
  const counters = new Map<string, Counter>();
  return {
    counter: (name, help) => {
      const known = counters.get(name);
      if (known !== undefined) return known;
      const values = new Map<string, number>();
      const counter: Counter = {
        add: (amount = 1, labels = {}) => {
          const key = labelText(labels);
          values.set(key, (values.get(key) ?? 0) + amount);
        },
      };
      counters.set(name, counter);
      series.set(name, { help, kind: "counter", values: () => values });
      return counter;
    },
    gauge: (name, help, read) => {
      series.set(name, { help, kind: "gauge", values: () => [["", read()]] });
    },
    render: () => [...series].map(([name, one]) => renderSeries(name, one)).join(""),
  };
}

function labelText(labels: Labels): string {
  const parts = Object.entries(labels)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}="${value.replace(/["\\\n]/g, "_")}"`);
  return parts.length === 0 ? "" : `{${parts.join(",")}}`;
}

function renderSeries(name: string, { help, kind, values }: Series): string {
  let text = `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n`;
  for (const [labels, value] of values()) text += `${name}${labels} ${value}\n`;
  return text;
}

/** What every Node process can tell of itself. */
export function registerProcessMetrics(metrics: Metrics): void {
  metrics.gauge("process_resident_memory_bytes", "Memory in use.", () => process.memoryUsage.rss());
  metrics.gauge("process_cpu_seconds", "User and system CPU time spent.", () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  metrics.gauge("process_uptime_seconds", "Time since the start.", () => process.uptime());
}
