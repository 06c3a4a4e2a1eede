/** The whole server on a disk that is full. */

import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { canMount, fillDisk, mountDisk, noMount } from "../testing/servers/disk.ts";
import { startServer, type TestServer } from "../testing/servers/server.ts";
import { callTable } from "../testing/servers/table-client.ts";

const MB = 1024 * 1024;

async function open(dataDir: string): Promise<TestServer> {
  const server = await startServer({ dataDir });
  onTestFinished(async () => void (await server.stop()));
  return server;
}

/** Returns the status. */
async function save(server: TestServer, method: "POST" | "PATCH", bytes: number): Promise<number> {
  const body = JSON.stringify({ canvas_json: { objects: ["x".repeat(bytes)] } });
  const path = method === "POST" ? "canvas_state" : "canvas_state?version=gte.0";
  return (await callTable(server, path, { method, body })).status;
}

async function lengthOf(server: TestServer): Promise<number> {
  return (await callTable(server, "canvas_state?select=canvas_json")).text.length;
}

test.skipIf(!canMount)(
  `STO-22 after kill -9 on a full disk the server starts, is read, and saves when there is space${noMount}`,
  async () => {
    const disk = mountDisk(128 * MB);
    const dataDir = join(disk, "data");
    const first = await open(dataDir);
    expect(await save(first, "POST", 5 * MB)).toBe(201);
    const length = await lengthOf(first);
    const free = fillDisk(disk);
    expect(await save(first, "PATCH", 10 * MB - 100)).toBe(503);
    expect(await lengthOf(first)).toBe(length);
    await first.kill();
    const second = await open(dataDir);
    expect(await lengthOf(second)).toBe(length);
    expect(await save(second, "PATCH", 10 * MB - 100)).toBe(503);
    const ready = await fetch(`${second.url}/readyz`);
    expect([ready.status, await ready.json()]).toMatchObject([503, { status: "disk full" }]);
    free();
    expect(await save(second, "PATCH", 10 * MB - 100)).toBe(204);
  },
  120_000,
);
