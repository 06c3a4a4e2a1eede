/** The numbers of the processes while a soak runs. */

import type { Server } from "../installation/server.ts";

export interface ProcessSample {
  name: string;
  /** How many processes had this port before. */
  generation: number;
  /** Seconds since its start. */
  age: number;
  /** MB. */
  rss: number;
  /** MB in use. */
  heap: number;
  /** Seconds, the 99th percentile of the event loop's delay. */
  delay: number;
  /** Seconds since its start. */
  cpu: number;
  sockets: number;
  files: number;
  /** Connections to the database that are in use. */
  pool: number;
  /** Callers that wait for one. */
  waiting: number;
  peers: number;
  saves: number;
  conflicts: number;
}

/** `heaps`: MB of each page. */
export interface Sample {
  minute: number;
  at: number;
  processes: ProcessSample[];
  heaps: number[];
}

const MB = 1024 * 1024;

/**
 * One number of a text of metrics; 0 when it is missing.
 *
 * @param name With its label in braces, if it has one.
 */
export function metric(text: string, name: string) {
  const line = text.split("\n").find((one) => one.startsWith(`${name} `));
  return line === undefined ? 0 : Number(line.slice(name.length + 1));
}

/** @returns Null while it is away. */
export async function sampleOf(server: Server): Promise<ProcessSample | null> {
  try {
    const answer = await fetch(`${server.url}/metrics`, { signal: AbortSignal.timeout(3_000) });
    const text = await answer.text();
    return {
      name: server.name,
      generation: server.generation,
      age: (Date.now() - server.startedAt) / 1000,
      rss: metric(text, "process_resident_memory_bytes") / MB,
      heap: metric(text, "nodejs_heap_size_used_bytes") / MB,
      delay: metric(text, "nodejs_eventloop_lag_p99_seconds"),
      cpu: metric(text, "process_cpu_seconds_total"),
      sockets: metric(text, "inkpool_realtime_connections"),
      files: metric(text, "process_open_fds"),
      pool: metric(text, 'inkpool_database_connections{state="used"}'),
      waiting: metric(text, "inkpool_database_waiting"),
      peers: metric(text, "inkpool_cluster_peers"),
      saves: metric(text, 'inkpool_saves_total{outcome="saved"}'),
      conflicts: metric(text, 'inkpool_saves_total{outcome="conflict"}'),
    };
  } catch {
    return null;
  }
}
