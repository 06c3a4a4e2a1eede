/** Tests the whole server on a disk that is full or turns read-only, and where a folder or file cannot be or stay. */

import { spawnSync } from "node:child_process";
import { copyFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { canMount, fillDisk, mountDisk, noMount } from "../testing/servers/disk.ts";
import {
  canFail,
  forbidWrites,
  mountFailingDisk,
  noFailing,
} from "../testing/servers/failing-disk.ts";
import { runServer, startServer, type TestServer } from "../testing/servers/server.ts";
import { callTable } from "../testing/servers/table-client.ts";

const MB = 1024 * 1024;

async function open(dataDir: string): Promise<TestServer> {
  const server = await startServer({ dataDir });
  onTestFinished(async () => void (await server.stop()));
  return server;
}

/** Saves a drawing and returns the status. */
async function save(server: TestServer, method: "POST" | "PATCH", bytes: number): Promise<number> {
  const body = JSON.stringify({ canvas_json: { objects: ["x".repeat(bytes)] } });
  const path = method === "POST" ? "canvas_state" : "canvas_state?version=gte.0";
  return (await callTable(server, path, { method, body })).status;
}

async function lengthOf(server: TestServer): Promise<number> {
  return (await callTable(server, "canvas_state?select=canvas_json")).text.length;
}

test.skipIf(process.platform === "win32")(
  "SRV-8 a current folder that was removed ends each command with one line",
  () => {
    const command = fileURLToPath(new URL("../bin/inkpool.mjs", import.meta.url));
    const script = 'folder=$(mktemp -d) && cd "$folder" && rmdir "$folder" && exec "$@"';
    const { status, stderr } = spawnSync("sh", ["-c", script, "sh", process.execPath, command], {
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([
      1,
      "inkpool: the current folder was removed; expected a start in one that exists\n",
    ]);
  },
);

test.skipIf(process.platform === "win32")(
  "STO-41 a database file or its write-ahead log, which alone has the last saves, that is moved or replaced under the server takes no write until it is back, and reads continue",
  async () => {
    const server = await startServer();
    onTestFinished(async () => void (await server.stop()));
    expect(await save(server, "POST", 100)).toBe(201);
    const length = await lengthOf(server);
    const [file, moved] = [join(server.dataDir, "inkpool.db"), join(server.dataDir, "moved.db")];
    renameSync(file, moved);
    expect(await save(server, "PATCH", 200)).toBe(503);
    copyFileSync(moved, file);
    expect(await save(server, "PATCH", 200)).toBe(503);
    expect(await lengthOf(server)).toBe(length);
    const ready = await fetch(`${server.url}/readyz`);
    expect([ready.status, await ready.json()]).toMatchObject([
      503,
      { status: "database unavailable" },
    ]);
    renameSync(moved, file);
    expect(await save(server, "PATCH", 200)).toBe(204);
    const longer = await lengthOf(server);
    expect(longer).toBe(length + 100);
    const log = join(server.dataDir, "inkpool.db-wal");
    renameSync(log, `${log}.moved`);
    expect(await save(server, "PATCH", 300)).toBe(503);
    copyFileSync(`${log}.moved`, log);
    expect(await save(server, "PATCH", 300)).toBe(503);
    expect(await lengthOf(server)).toBe(longer);
    renameSync(`${log}.moved`, log);
    expect(await save(server, "PATCH", 300)).toBe(204);
  },
);

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

test.skipIf(!canMount)(
  `SRV-8 a disk without space for a first database ends the start with one line that names the folder${noMount}`,
  async () => {
    const dataDir = join(mountDisk(200 * 1024), "data");
    const ended = await runServer({ dataDir });
    expect([ended.code, ended.stdout]).toEqual([1, ""]);
    expect(ended.stderr.split("\n").filter((line) => !line.includes(" info "))).toEqual([
      `inkpool: DATA_DIR "${dataDir}" cannot be written (database or disk is full); expected a folder with free space that may be written`,
      "",
    ]);
  },
);

test.skipIf(!canFail)(
  `SRV-91 on a disk that turns read-only amid saves all but writes goes on, and no save that was acknowledged is lost${noFailing}`,
  async () => {
    const disk = mountFailingDisk();
    const dataDir = join(disk.folder, "data");
    const first = await open(dataDir);
    expect(await save(first, "POST", MB)).toBe(201);
    const empty = (await lengthOf(first)) - MB;
    let acknowledged = 0;
    let refused = 0;
    const saving = (async () => {
      // Each drawing is one byte longer than the one before.
      while (refused === 0) {
        const status = await save(first, "PATCH", MB + acknowledged + 1);
        if (status === 204) acknowledged++;
        else refused = status;
      }
    })();
    await vi.waitUntil(() => acknowledged >= 5, 60_000);
    disk.fail();
    await saving;
    expect(refused).toBe(503);
    const saved = (await lengthOf(first)) - empty - MB;
    // The save that was answered with 503 may or may not be there.
    expect([acknowledged, acknowledged + 1]).toContain(saved);
    expect(await save(first, "PATCH", MB)).toBe(503);
    const headers = { apikey: first.anonKey, "content-type": "application/json" };
    const post = async (path: string, body: object): Promise<number> =>
      (await fetch(first.url + path, { method: "POST", headers, body: JSON.stringify(body) }))
        .status;
    const account = { email: "a@example.org", password: "a long password" };
    expect(await post("/auth/v1/signup", account)).toBe(503);
    const message = { topic: "canvas-room", event: "canvas-update", payload: {} };
    expect(await post("/realtime/v1/api/broadcast", { messages: [message] })).toBe(202);
    const statuses = ["/", "/healthz"].map(async (path) => (await fetch(first.url + path)).status);
    expect(await Promise.all(statuses)).toEqual([200, 200]);
    const ready = await fetch(`${first.url}/readyz`);
    const said = [ready.status, await ready.json()];
    expect(said).toMatchObject([503, { status: "database unavailable" }]);
    expect((await first.stop()).code).toBe(0);
    disk.repair();
    const second = await open(dataDir);
    // That save may also be there since the restart, when the log had all of it but not yet for certain.
    expect([saved, acknowledged + 1]).toContain((await lengthOf(second)) - empty - MB);
    expect(await save(second, "PATCH", MB)).toBe(204);
    // These files may not be written for a while, and then may again.
    const files = ["inkpool.db", "inkpool.db-wal"].map((name) => join(dataDir, name));
    forbidWrites(files, true);
    expect(await save(second, "PATCH", MB + 7)).toBe(503);
    expect((await lengthOf(second)) - empty).toBe(MB);
    forbidWrites(files, false);
    expect(await save(second, "PATCH", MB + 7)).toBe(204);
    expect((await lengthOf(second)) - empty).toBe(MB + 7);
  },
  120_000,
);
