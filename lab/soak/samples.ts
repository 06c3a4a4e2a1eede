/** Samples the numbers of the processes during a soak. */

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Server } from "../installation/server.ts";

export interface ProcessSample {
  name: string;
  /** The number of processes that had this port before. */
  generation: number;
  /** Seconds since its start. */
  age: number;
  /** The resident memory in MB. */
  rss: number;
  /** The used heap in MB. */
  heap: number;
  /** The 99th percentile of the event loop's delay, in seconds. */
  delay: number;
  /** The CPU time since its start, in seconds. */
  cpu: number;
  sockets: number;
  files: number;
  /** The number of used connections to the database. */
  pool: number;
  /** The number of callers that wait for one. */
  waiting: number;
  peers: number;
  saves: number;
  conflicts: number;
  /** The size of the embedded database's log in MB. */
  log: number;
}

/** A sample. `heaps`: MB of each page. */
export interface Sample {
  minute: number;
  at: number;
  processes: ProcessSample[];
  heaps: number[];
}

const MB = 1024 * 1024;

/**
 * Returns one number of a text of metrics; 0 when it is missing.
 *
 * @param name With its label in braces, if it has one.
 */
export function metric(text: string, name: string) {
  const line = text.split("\n").find((one) => one.startsWith(`${name} `));
  return line === undefined ? 0 : Number(line.slice(name.length + 1));
}

/** Returns the MB of all files below a folder. A file that disappears meanwhile counts as empty. */
export function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const sizes = files.map((name) => {
    const found = statSync(join(folder, name), { throwIfNoEntry: false });
    return found?.isFile() === true ? found.size : 0;
  });
  return sizes.reduce((sum, size) => sum + size, 0) / MB;
}

/**
 * Samples a process.
 * @returns Null while it is away.
 */
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
      log: metric(text, "inkpool_database_log_bytes") / MB,
    };
  } catch {
    return null;
  }
}
