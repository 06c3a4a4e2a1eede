/** The metrics of the database, the cluster and the saves. */

import { createDrawingSize } from "./drawing-size.ts";
import type { ServerEnvironment } from "./port.ts";
import type { ReadMetric } from "./process/metrics.ts";
import type { TableStats } from "./table/stats.ts";

export function backendMetrics(
  { cluster, database }: Pick<ServerEnvironment, "cluster" | "database">,
  table: () => TableStats,
): readonly ReadMetric[] {
  const use = () => database.use?.() ?? { open: 1, idle: 0, waiting: 0 };
  return [
    {
      kind: "counter",
      name: "inkpool_saves_total",
      help: "Writes of the drawing: saved, conflict (somebody saved before), refused (by a check or a limit), failed.",
      label: "outcome",
      read: () => ({ ...table().saves }),
    },
    counter(
      "inkpool_save_bytes_total",
      "Bytes of the drawings that were saved.",
      () => table().savedBytes,
    ),
    gauge(
      "inkpool_drawing_bytes",
      "Bytes of the saved drawing, whichever process saved it.",
      createDrawingSize(database),
    ),
    {
      kind: "gauge",
      name: "inkpool_database_connections",
      help: "Connections to the database: in use, and idle.",
      label: "state",
      read: () => ({ used: use().open - use().idle, idle: use().idle }),
    },
    gauge(
      "inkpool_database_waiting",
      "Requests that are queued for the database, and callers that wait for a connection to it.",
      () => table().waiting() + use().waiting,
    ),
    gauge(
      "inkpool_database_log_bytes",
      "Bytes of the embedded database's write-ahead log.",
      () => database.logBytes?.() ?? 0,
    ),
    gauge(
      "inkpool_cluster_up",
      "1 while other processes can be reached, 0 while Redis is away or refuses to pass messages on.",
      () => cluster.stats.up,
    ),
    gauge(
      "inkpool_cluster_peers",
      "Other processes of this installation.",
      () => cluster.stats.peers,
    ),
    counter(
      "inkpool_cluster_published_total",
      "Messages to other processes, each copy counted.",
      () => cluster.stats.published,
    ),
    counter(
      "inkpool_cluster_received_total",
      "Messages from other processes.",
      () => cluster.stats.received,
    ),
    counter(
      "inkpool_cluster_unreadable_total",
      "Messages in our channels that no process of this version writes.",
      () => cluster.stats.unreadable,
    ),
    counter(
      "inkpool_cluster_outdated_total",
      "Broadcasts that were dropped since this process had stood still.",
      () => cluster.stats.outdated,
    ),
  ];
}

type Make = (name: string, help: string, read: () => number | Promise<number>) => ReadMetric;

const gauge: Make = (name, help, read) => ({ kind: "gauge", name, help, read });
const counter: Make = (name, help, read) => ({ kind: "counter", name, help, read });
