/** Tests a visitor whom a host pauses, on both databases, through the whole server. */

import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import {
  BOARD,
  broadcast,
  exchange,
  onBothDatabases,
  save,
} from "../../testing/servers/board-host.ts";
import { openClient, type BareClient } from "../../testing/servers/realtime.ts";
import { startInProcess, type InProcessServer } from "../../testing/servers/in-process.ts";
import { callTable } from "../../testing/servers/table-client.ts";

const SENTENCE = "The host has paused your drawing for up to an hour";
const DRAWING = { version: "7.4.0", objects: [] };

interface Listed {
  readonly status: number;
  readonly pauses: readonly {
    readonly page: string;
    readonly name: string;
    readonly until: number;
  }[];
}

await onBothDatabases("paused visitors", examine);

/** Resolves when the condition holds; the test's own time limit ends the wait. */
async function until(isMet: () => Promise<boolean>): Promise<void> {
  while (!(await isMet())) await new Promise((resolve) => setTimeout(resolve, 50));
}

function examine(makeEnv: () => Promise<Record<string, string>>): void {
  let env: Record<string, string>;
  let server: InProcessServer;
  let host: string;
  let editor: string;
  const open: BareClient[] = [];

  type Visitor = BareClient & { readonly joinRef: string };
  /**
   * Joins the channel as a page.
   * @param page its presence key
   */
  const enter = async (page: string, headers = {}, token?: string): Promise<Visitor> => {
    const keys = { anonKey: server.anonKey };
    const client = await openClient({ port: server.port, keys }, { headers });
    open.push(client);
    const config = { broadcast: { ack: true }, presence: { key: page } };
    const joinRef = await client.join(
      BOARD,
      config,
      token === undefined ? {} : { access_token: token },
    );
    return Object.assign(client, { joinRef });
  };
  const draws = (client: Visitor) =>
    broadcast(client, "canvas-update", { json: DRAWING, clientId: "v" });
  const pause = async (change: object, token = host): Promise<Listed> => {
    const response = await fetch(`${server.url}/host/v1/pauses`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify(change),
    });
    const body = (await response.json()) as Partial<Listed>;
    return { status: response.status, pauses: body.pauses ?? [] };
  };
  const writes = async (headers: Readonly<Record<string, string>>, to = server) => {
    const { status, json } = await callTable(to, "canvas_state?version=gte.0", {
      method: "PATCH",
      headers,
      body: JSON.stringify({ canvas_json: DRAWING }),
    });
    return status === 204 ? "" : (json as { message: string }).message;
  };
  const exchangeAll = async (): Promise<void> => {
    const asHost = (await exchange(server, server.hostSecret())).body;
    host = asHost.access_token;
    editor = (await exchange(server, asHost.draw)).body.access_token;
  };

  beforeAll(async () => {
    env = { TRUST_PROXY: "1", ...(await makeEnv()) };
    server = await startInProcess(env);
    await exchangeAll();
    await callTable(server, "canvas_state", {
      method: "POST",
      body: JSON.stringify({ canvas_json: DRAWING }),
    });
  });
  afterEach(async () => {
    for (const client of open.splice(0)) client.close();
    for (const { page } of (await pause({})).pauses) await pause({ end: page });
  });
  afterAll(async () => {
    await server.stop();
    expect(server.log()).not.toContain(" error ");
  });

  test("HOST-55 a host alone pauses, ends and lists; a request that names no page is refused", async () => {
    const anon = server.anonKey;
    for (const [token, status] of [
      [anon, 403],
      [editor, 403],
      [`${host}x`, 401],
      ["", 401],
    ] as const)
      expect((await pause({ begin: "ann" }, token)).status).toBe(status);
    for (const begin of ["", "a b", "x".repeat(65), 7, {}])
      expect((await pause({ begin })).status).toBe(400);
    const [before, hour] = [Date.now(), 3_600_000];
    const { pauses } = await pause({ begin: "ann", name: "Ann", address: false });
    expect(pauses).toMatchObject([{ page: "ann", name: "Ann" }]);
    const begun = pauses[0]!.until - hour;
    expect(begun >= before && begun <= Date.now()).toBe(true);
    expect((await pause({ begin: "ann", name: "Ann" })).pauses).toHaveLength(1);
    expect(await pause({ end: "ann" })).toEqual({ status: 200, pauses: [] });
    const unnamed = await pause({ begin: "ben", name: { toString: 1 } });
    expect(unnamed).toMatchObject({ status: 200, pauses: [{ page: "ben", name: "" }] });
    await pause({ end: "ben" });
  });

  test("HOST-56 the writes of a paused visitor are refused in the table, on the channel and over HTTP; a host can end it", async () => {
    const [ann, ben] = [await enter("ann"), await enter("ben")];
    const cookie = { cookie: ann.cookie };
    expect(await writes(cookie)).toBe("");
    await pause({ begin: "ann", name: "Ann" });
    expect([await draws(ann), await draws(ben)]).toEqual(["error", "ok"]);
    expect(await broadcast(ann, "canvas-digest", { clientId: "a", digest: "1" })).toBe("ok");
    await ann.settled();
    const notices = ann.frames.filter(({ event }) => event === "system");
    expect(notices.map(({ payload }) => payload.message)).toEqual([SENTENCE]);
    expect(await writes(cookie)).toBe(SENTENCE);
    expect(await writes({ cookie: ben.cookie })).toBe("");
    expect((await callTable(server, "canvas_state", { headers: cookie })).status).toBe(200);
    const posted = await fetch(
      `${server.url}/realtime/v1/api/broadcast/canvas-room/events/canvas-live`,
      {
        method: "POST",
        headers: { apikey: server.anonKey, "content-type": "application/json", ...cookie },
        body: "{}",
      },
    );
    expect([posted.status, await posted.json()]).toEqual([403, { message: SENTENCE }]);
    // A drawing link does not help, and hosts cannot pause each other.
    expect(await writes({ ...cookie, authorization: `Bearer ${editor}` })).toBe(SENTENCE);
    expect(await writes({ ...cookie, authorization: `Bearer ${host}` })).toBe("");
    await pause({ end: "ann" });
    expect([await draws(ann), await writes(cookie)]).toEqual(["ok", ""]);
  });

  test("HOST-57 a pause is for the device: also under another name, and with the address for everyone sharing it", async () => {
    const from = { "x-forwarded-for": "192.0.2.7" };
    const ann = await enter("ann", from);
    expect(ann.cookie).toMatch(/^inkpool_device=[\w-]{22}$/);
    await pause({ begin: "ann", name: "Ann" });
    const again = await enter("other", { ...from, cookie: ann.cookie });
    expect(again.cookie).toBe("");
    const neighbour = await enter("neighbour", from);
    expect([await draws(again), await draws(neighbour)]).toEqual(["error", "ok"]);
    for (const forged of ["inkpool_device=", "inkpool_device=x; a=b", "x".repeat(9000)])
      expect(await writes({ ...from, cookie: forged })).toBe("");
    await pause({ begin: "ann", name: "Ann", address: true });
    expect([await draws(neighbour), await writes(from)]).toEqual(["error", SENTENCE]);
    expect(await writes({ "x-forwarded-for": "192.0.2.8" })).toBe("");
  });

  test("HOST-58 a pause survives a restart, other processes follow it, and the database has no device's own name", async () => {
    const ann = await enter("ann");
    const cookie = { cookie: ann.cookie };
    await pause({ begin: "ann", name: "Ann" });
    expect(await writes(cookie)).toBe(SENTENCE);
    const [device = ""] = ann.cookie.split("=").slice(1);
    const stored = JSON.stringify(
      (await server.running.database.query("select * from inkpool_keys")).rows,
    );
    expect([device.length, stored.includes("Ann"), stored.includes(device)]).toEqual([
      22,
      true,
      false,
    ]);
    // PostgreSQL is all that two processes share; the embedded database has one process at a time.
    const isShared = env["DATABASE_URL"] !== undefined;
    const second = await startInProcess(env, isShared ? undefined : server);
    expect(await writes(cookie, second)).toBe(SENTENCE);
    await pause({ end: "ann" });
    await until(async () => (await writes(cookie, second)) === "");
    // The page is connected to the other server, not to the one that is asked.
    const there = await openClient({ port: second.port, keys: { anonKey: second.anonKey } });
    open.push(there);
    await there.join(BOARD, { presence: { key: "cleo" } });
    await pause({ begin: "cleo", name: "Cleo" });
    for (const one of [server, second])
      await until(async () => (await writes({ cookie: there.cookie }, one)) === SENTENCE);
    await second.stop();
    expect((await save(server, DRAWING)).status).toBe(200);
  });
}
