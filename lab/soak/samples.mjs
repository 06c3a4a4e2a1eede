/** The numbers of the processes while a soak runs. */

/**
 * @typedef {object} ProcessSample
 * @property {string} name
 * @property {number} generation How many processes had this port before.
 * @property {number} age Seconds since its start.
 * @property {number} rss MB.
 * @property {number} heap MB in use.
 * @property {number} delay Seconds, the 99th percentile of the event loop's delay.
 * @property {number} cpu Seconds since its start.
 * @property {number} sockets
 * @property {number} files
 * @property {number} pool Connections to the database that are in use.
 * @property {number} waiting Callers that wait for one.
 * @property {number} peers
 * @property {number} saves
 * @property {number} conflicts
 */

/** @typedef {{ minute: number, at: number, processes: ProcessSample[], heaps: number[] }} Sample `heaps`: MB of each page. */

const MB = 1024 * 1024;

/**
 * One number of a text of metrics; 0 when it is missing.
 *
 * @param {string} text @param {string} name With its label in braces, if it has one.
 */
export function metric(text, name) {
  const line = text.split("\n").find((one) => one.startsWith(`${name} `));
  return line === undefined ? 0 : Number(line.slice(name.length + 1));
}

/** @param {import("../installation/server.ts").Server} server @returns {Promise<ProcessSample | null>} Null while it is away. */
export async function sampleOf(server) {
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
