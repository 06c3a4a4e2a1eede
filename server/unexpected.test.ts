/**
 * Tests faults that only we can cause: they are logged with their stack, and neither the log nor the response
 * contains a token or a drawing.
 */

import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, afterEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { startAuthServer } from "../testing/auth/server.ts";
import { startRealtime } from "../testing/servers/realtime.ts";
import { runServer, startServer } from "../testing/servers/server.ts";
import type { ServerEnvironment } from "./port.ts";
import { createHttp } from "./http/create.ts";
import { materialOfSecret } from "./keys/material.ts";
import { createKeyRing } from "./keys/ring.ts";
import { createLogger } from "./process/log.ts";
import { createMetrics } from "./process/metrics.ts";
import { parseSettings } from "./settings/settings.ts";
import { registerTable } from "./table/register.ts";
import { OPEN_BOARD } from "../testing/servers/open-board.ts";

const TOKEN = `eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoiYW5vbiJ9.${"x".repeat(43)}`;
const DRAWING = '{"version":"7.4.0","objects":[{"type":"Path","path":"M 10 20 l 3 4"}]}';

/** Throws an error as a careless library would. */
function leak(): never {
  throw new Error(`cannot handle ${TOKEN} with ${DRAWING}`);
}

const folder = mkdtempSync(join(tmpdir(), "inkpool-unexpected-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

function expectClean(text: string): void {
  for (const secret of ["eyJ", "xxxx", "7.4.0", "Path", "M 10"]) expect(text).not.toContain(secret);
}

/** Expects one line with this message, and with a stack that names this file. */
function expectLogged(lines: readonly string[], message: string): void {
  const found = lines.filter((line) => line.includes(message));
  expect(found.length).toBe(1);
  expect(found[0]).toContain(' error="Error: cannot handle [token] with [data]');
  expect(found[0]).toMatch(/ stack="at leak \(.*unexpected\.test\.ts:\d+:\d+\)/);
  expectClean(lines.join(""));
}

function keepLog(): { readonly lines: string[]; readonly log: ServerEnvironment["log"] } {
  const lines: string[] = [];
  return { lines, log: createLogger("debug", (line) => lines.push(line), Date.now) };
}

function settings(): ServerEnvironment["settings"] {
  const parsed = parseSettings({}, "/");
  if (!parsed.ok) throw new Error(parsed.problems.join());
  return parsed.settings;
}

test("SRV-11 a route that throws: 500 without details, the stack in the log", async () => {
  const { lines, log } = keepLog();
  const app: FastifyInstance = createHttp(settings(), log, createMetrics());
  app.get("/broken", async () => leak());
  const answer = await app.inject("/broken");
  expect([answer.statusCode, answer.json()]).toEqual([
    500,
    { code: "internal_error", message: "Internal server error" },
  ]);
  expectLogged(lines, "a request failed");
  await app.close();
});

test("SRV-11 a table request that fails unexpectedly: 500 without details, the stack in the log", async () => {
  const { lines, log } = keepLog();
  const keys = await createKeyRing(materialOfSecret("x".repeat(40)), Date.now);
  const database = {
    dialect: "sqlite",
    reads: { query: async () => leak() },
  };
  const app = Fastify();
  const deps = { settings: settings(), keys, access: OPEN_BOARD, database, log, clock: Date.now };
  await registerTable(app, deps as unknown as ServerEnvironment);
  const answer = await app.inject({
    url: "/rest/v1/canvas_state",
    headers: { apikey: keys.anonKey },
  });
  expect([answer.statusCode, answer.json()]).toMatchObject([500, { code: "XX000" }]);
  expectClean(answer.body);
  expectLogged(lines, "a table request failed");
  await app.close();
});

test("SRV-11 an auth request that fails unexpectedly: 500 without details, the stack in the log", async () => {
  const server = await startAuthServer();
  closers.push(server.close);
  Object.assign(server.database, { query: async () => leak() });
  const answer = await server.call("/token?grant_type=password", {
    method: "POST",
    body: '{"email":"a@example.org","password":"123456"}',
    headers: { "content-type": "application/json" },
  });
  expect(answer.status).toBe(500);
  expectClean(await answer.text());
  expectLogged(server.log, "an auth request failed");
});

test("SRV-11 a handshake that fails unexpectedly: the socket is closed, the stack is in the log", async () => {
  const server = await startRealtime();
  closers.push(server.stop);
  Object.assign(server.keys, { check: async () => leak() });
  const socket = new WebSocket(`${server.origin.replace("http", "ws")}/realtime/v1/websocket`);
  socket.on("error", () => {});
  await new Promise((resolve) => socket.once("close", resolve));
  expectLogged(server.log, "realtime: a handshake failed");
});

const thrown = `new Error(${JSON.stringify(`cannot handle ${TOKEN} with ${DRAWING}`)})`;

test("SRV-11 a rejected promise that no part handles is logged with its stack, and the server goes on; an exception ends the process with 1", async () => {
  const script = join(folder, "broken.mjs");
  writeFileSync(
    script,
    `process.once("SIGUSR2", () => {
       process.once("SIGUSR2", () => { throw ${thrown}; });
       Promise.reject(${thrown});
     });`,
  );
  const server = await startServer({ env: { NODE_OPTIONS: `--import=${script}` } });
  const stack = /error="Error: cannot handle \[token\] with \[data\]" stack="at /g;
  process.kill(server.pid, "SIGUSR2");
  await expect.poll(() => server.log()).toContain("a rejected promise was not handled");
  expect(server.log().match(stack)).toHaveLength(1);
  expectClean(server.log());
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  process.kill(server.pid, "SIGUSR2");
  await expect.poll(() => server.log()).toContain("an exception was not handled");
  const { code, stderr } = await server.stop();
  expect(code).toBe(1);
  expect(stderr.match(stack)).toHaveLength(2);
  expectClean(stderr);
});

test("a start that fails unexpectedly is logged with a stack that names the sources, of the database's thread too", async () => {
  const dataDir = join(folder, "broken");
  mkdirSync(dataDir);
  const foreign = new Database(join(dataDir, "inkpool.db"));
  foreign.exec("create table canvas_state (something text)");
  foreign.close();
  const { code, stdout, stderr } = await runServer({ dataDir });
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(
    / error the server did not start error="Error \(SQLITE_ERROR\): table canvas_state already exists/,
  );
  const source = /server\/storage\/sqlite\/worker\.ts:\d+:\d+/;
  expect(stderr).toMatch(source);
  expect(existsSync(source.exec(stderr)?.[0].split(":")[0] ?? "")).toBe(true);
  expect(stderr.trimEnd().split("\n").at(-1)).toMatch(/^inkpool: table canvas_state already/);
});
