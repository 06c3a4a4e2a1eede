import type { AnswerCounts } from "../installation/answers.ts";
import type { Installation, Processes } from "../installation/open.ts";
import type { Connection, Socket } from "./clients.ts";
import type { Interruption } from "./interruptions.ts";
import type { Ledger, TimedSave } from "./ledger.ts";
import type { Visitor } from "./pages.ts";
import type { Sample } from "./samples.ts";

/** The state of a soak. */
export interface Soak {
  installation: Processes;
  /** The installation, if it can be interrupted; null for one process on the embedded database. */
  interruptible: Installation | null;
  answers: AnswerCounts;
  ledger: Ledger;
  connection: Connection;
  visitors: Visitor[];
  sockets: Socket[];
  samples: Sample[];
  interruptions: Interruption[];
  problems: Map<string, number>;
  /** The faults that assertions found, in words. */
  failed: string[];
  accounts: string[];
  counts: { saves: number; conflicts: number; timed: TimedSave[] };
  /** Megabytes of the heaps of the first page and the first process without garbage, after each clearing of the board. */
  collected: { page: number[]; process: number[] };
  begin: number;
  /** The greatest sizes so far, in MB: of everything on the disk, and of the log of the embedded database. */
  disk: { all: number; log: number };
}
