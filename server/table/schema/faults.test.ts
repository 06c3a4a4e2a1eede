import Fastify from "fastify";
import { expect, test } from "vitest";
import type { ServerEnvironment } from "../../port.ts";
import { materialOfSecret } from "../../keys/material.ts";
import { createKeyRing } from "../../keys/ring.ts";
import { createLogger } from "../../process/log.ts";
import { StorageFault } from "../../storage/faults.ts";
import { registerTable } from "../register.ts";
import { OPEN_BOARD } from "../../../testing/servers/open-board.ts";

/** Returns the response to a query while the database throws `fault`, and what is logged. */
async function ask(fault: unknown) {
  const lines: string[] = [];
  const keys = await createKeyRing(materialOfSecret("x".repeat(40)), Date.now);
  const log = createLogger("error", (line) => void lines.push(line), Date.now);
  const query = async (): Promise<never> => {
    throw fault;
  };
  const app = Fastify();
  const deps = {
    settings: { tableRateLimit: 0, trustProxy: 0 },
    keys,
    access: OPEN_BOARD,
    database: { dialect: "sqlite", reads: { query } },
    log,
    clock: Date.now,
  };
  await registerTable(app, deps as unknown as ServerEnvironment);
  const url = "/rest/v1/canvas_state?select=id";
  const answer = await app.inject({ url, headers: { apikey: keys.anonKey } });
  await app.close();
  return { status: answer.statusCode, body: answer.json<unknown>(), lines };
}

test("a fault inside the server is logged, and its caller gets nothing of it", async () => {
  for (const fault of [new Error("disk on fire"), Object.assign(new Error("x"), { code: "23505" })])
    expect(await ask(fault)).toMatchObject({
      status: 500,
      body: { code: "XX000", details: null, hint: null, message: "Internal server error" },
      lines: [expect.stringContaining(fault.message)],
    });
});

test("TAB-15 a database refusal goes to its caller with the database's code", async () => {
  for (const [code, status] of [
    ["23505", 409],
    ["23514", 400],
    ["42501", 401],
    ["57014", 500],
  ] as const)
    expect(await ask(new StorageFault(code, "refused"))).toMatchObject({
      ...{ status, body: { code, message: "refused" }, lines: [] },
    });
});
