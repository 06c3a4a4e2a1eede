import { execFileSync } from "node:child_process";
import { EventEmitter } from "node:events";
import { Server } from "node:net";
import { expect, test } from "vitest";
import { openFilesLimit, warnOfFewFiles } from "./open-files.ts";

test("SRV-93 a line says when connections leave fewer than 128 files, and again after half of them had ended", () => {
  const server = new Server();
  const lines: unknown[] = [];
  warnOfFewFiles(server, 146, { warn: (message, fields) => lines.push([message, fields]) });
  const open: EventEmitter[] = [];
  const connect = (count: number): void => {
    for (let i = 0; i < count; i++) {
      const socket = new EventEmitter();
      open.push(socket);
      server.emit("connection", socket);
    }
  };
  const close = (count: number): void => {
    for (const socket of open.splice(0, count)) socket.emit("close");
  };
  connect(17);
  expect(lines).toEqual([]);
  connect(3);
  const line = "connections use nearly all open files; the system drops further ones";
  expect(lines).toEqual([[line, { connections: 18, files: 146 }]]);
  close(5);
  connect(5);
  expect(lines).toHaveLength(1);
  close(12);
  connect(10);
  expect(lines).toHaveLength(2);
});

test.runIf(process.platform === "linux")("SRV-93 the limit is the system's", () => {
  const limit = execFileSync("sh", ["-c", "ulimit -n"], { encoding: "utf8" }).trim();
  expect(openFilesLimit()).toBe(limit === "unlimited" ? Infinity : Number(limit));
});
