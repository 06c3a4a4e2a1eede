/** Warns before the system drops connections for lack of files, which it does without telling the process. */

import { readFileSync } from "node:fs";
import type { Server } from "node:net";
import type { Logger } from "./log.ts";

/** Returns the number of files that this process may have open; Infinity where the system does not say. */
export function openFilesLimit(): number {
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Infinity);
  } catch {
    return Infinity;
  }
}

/** Greatest number of files beside connections of clients: about 50 after a start, and those to the database. */
const RESERVED = 128;

/** Logs a line when connections leave few files, and again once half of them had ended. */
export function warnOfFewFiles(server: Server, limit: number, log: Pick<Logger, "warn">): void {
  const many = limit - RESERVED;
  let connections = 0;
  let warned = false;
  server.on("connection", (socket) => {
    connections++;
    socket.once("close", () => {
      connections--;
      if (connections < many / 2) warned = false;
    });
    if (warned || connections < many) return;
    warned = true;
    log.warn("connections use nearly all open files; the system drops further ones", {
      connections,
      files: limit,
    });
  });
}
