/** Tests NEWCOMER_OBJECTS and NEWCOMER_BYTES, on both databases, through the whole server. */

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import {
  broadcast,
  exchange,
  joinBoard,
  onBothDatabases,
  save,
} from "../../testing/servers/board-host.ts";
import { startInProcess, type InProcessServer } from "../../testing/servers/in-process.ts";
import { startServer } from "../../testing/servers/server.ts";
import { callTable } from "../../testing/servers/table-client.ts";

const SENTENCE = "This board takes no more from you in this minute";
const LIMIT = 20;
const BYTES = 100_000;
const LIMITS = { NEWCOMER_OBJECTS: String(LIMIT), NEWCOMER_BYTES: String(BYTES), TRUST_PROXY: "1" };

let numbers = 0;
/** Returns objects that no other test has, and that nobody can see. */
const objects = (count: number, text = "") =>
  Array.from({ length: count }, () => ({ id: `0abc-${++numbers}`, type: "Path", text }));
const whole = (list: readonly object[]) => ({
  version: "7.4.0",
  objects: list,
  inkpool: { format: 1, seen: {} },
});
const partial = (list: readonly object[]) => ({
  ...whole(list),
  inkpool: { format: 1, seen: {}, partial: true },
});

await onBothDatabases("limits of newcomers", examine);

function examine(makeEnv: () => Promise<Record<string, string>>): void {
  let server: InProcessServer;
  let editor: string;
  let addresses = 0;
  /** A client key that has added nothing yet. */
  let address: string;
  const open: { close(): void }[] = [];
  const enter = async (from: string, token?: string) => {
    const client = await joinBoard(server, token, from);
    open.push(client);
    return client;
  };
  const announce = async (from: string, json: unknown, token?: string): Promise<string> =>
    broadcast(await enter(from, token), "canvas-update", { clientId: "c", json });
  const onBoard = async (): Promise<readonly object[]> => {
    const { json } = await callTable(server, "canvas_state?select=canvas_json");
    return (json as { canvas_json: { objects: object[] } }[])[0]?.canvas_json.objects ?? [];
  };

  beforeAll(async () => {
    server = await startInProcess({ ...LIMITS, ...(await makeEnv()) });
    const { draw } = (await exchange(server, server.hostSecret())).body;
    editor = (await exchange(server, draw)).body.access_token;
    await callTable(server, "canvas_state", {
      method: "POST",
      headers: { authorization: `Bearer ${editor}` },
      body: JSON.stringify({ canvas_json: whole(objects(5)) }),
    });
  });
  beforeEach(() => {
    address = `192.0.2.${++addresses}`;
  });
  afterEach(() => {
    for (const client of open.splice(0)) client.close();
  });
  afterAll(async () => {
    await server.stop();
    expect(server.log()).not.toContain(" error ");
  });

  test("HOST-50 a save of a newcomer adds so many objects in a minute, those with a link add any number", async () => {
    const before = await onBoard();
    const more = [...before, ...objects(LIMIT)];
    expect((await save(server, whole(more), undefined, address)).status).toBe(200);
    const both = [...more, ...objects(LIMIT)];
    const refused = await save(server, whole(both), undefined, address);
    expect([refused.status, refused.json]).toMatchObject([
      429,
      { code: "visitor_limit", message: SENTENCE },
    ]);
    expect(await onBoard()).toHaveLength(more.length);
    expect((await save(server, whole(both), editor, address)).status).toBe(200);
    // Nothing is added: existing objects may be changed, removed and restored.
    for (const list of [both.toReversed(), before, both])
      expect((await save(server, whole(list), undefined, address)).status).toBe(200);
  });

  test("HOST-50 bytes count as well, and so do drawings in a text, in a list and in an upsert", async () => {
    const before = await onBoard();
    const long = whole([...before, ...objects(1, "x".repeat(2 * BYTES))]);
    expect((await save(server, long, undefined, address)).status).toBe(429);
    const many = whole([...before, ...objects(2 * LIMIT)]);
    expect((await save(server, JSON.stringify(many), undefined, address)).status).toBe(429);
    const [row] = (await callTable(server, "canvas_state?select=id")).json as { id: string }[];
    for (const body of [[{ id: row?.id, canvas_json: many }], { id: row?.id, canvas_json: many }]) {
      const { status } = await callTable(server, "canvas_state?on_conflict=id", {
        method: "POST",
        headers: { prefer: "resolution=merge-duplicates", "x-forwarded-for": address },
        body: JSON.stringify(body),
      });
      expect(status).toBe(429);
    }
    expect(await onBoard()).toEqual(before);
  });

  test("HOST-50 objects inside of others count in a save", async () => {
    const [one] = objects(1);
    const group = whole([...(await onBoard()), { ...one, type: "Group", objects: objects(LIMIT) }]);
    expect((await save(server, group, undefined, address)).status).toBe(429);
    const escaped = JSON.stringify({ canvas_json: group }).replaceAll('"type"', '"typ\\u0065"');
    const { status } = await callTable(server, "canvas_state?version=gt.0", {
      method: "PATCH",
      headers: { "x-forwarded-for": address },
      body: escaped,
    });
    expect(status).toBe(429);
  });

  test("HOST-52 the channel drops excess updates, says so once, and passes changes of known objects", async () => {
    const watcher = await enter("192.0.2.200");
    const newcomer = await enter(address);
    const send = (json: unknown, clientId: string) =>
      broadcast(newcomer, "canvas-update", { json, clientId });
    const first = objects(LIMIT);
    expect(await send(partial(first), "first")).toBe("ok");
    const group = { ...objects(1)[0], type: "Group", objects: objects(LIMIT) };
    for (const list of [objects(LIMIT), [...first, ...first], [group]])
      expect(await send(partial(list), "more")).toBe("error");
    // A whole drawing says nothing about the board's other objects either: pages merge it.
    expect(await send(whole(objects(2)), "more")).toBe("error");
    expect(await send(whole([...(await onBoard()), ...first, ...objects(LIMIT)]), "more")).toBe(
      "error",
    );
    expect(await send(partial(first.map((one) => ({ ...one, left: 1 }))), "moved")).toBe("ok");
    expect(await send(partial(first), "again")).toBe("ok");
    await newcomer.settled();
    const notices = newcomer.frames.filter(({ event }) => event === "system");
    expect(new Set(notices.map(({ payload }) => payload.message))).toEqual(new Set([SENTENCE]));
    await watcher.next(({ payload }) => payload?.payload?.clientId === "again");
    const passed = watcher.frames.filter(({ payload }) => payload?.event === "canvas-update");
    expect(passed.map(({ payload }) => payload.payload.clientId)).toEqual([
      "first",
      "moved",
      "again",
    ]);
  });

  test("HOST-52 a drawing in a text that is nested deeply harms no server", async () => {
    const deep = `{"objects":[${"[".repeat(20_000)}${"]".repeat(20_000)}]}`;
    expect(await announce(address, deep)).toBe("error");
    expect(await announce(address, partial(objects(1)))).toBe("ok");
  });

  test("HOST-52 broadcasts over HTTP count for the same client key", async () => {
    const send = (list: readonly object[]) =>
      fetch(`${server.url}/realtime/v1/api/broadcast`, {
        method: "POST",
        headers: {
          apikey: server.anonKey,
          "content-type": "application/json",
          "x-forwarded-for": address,
        },
        body: JSON.stringify({
          messages: [
            {
              topic: "canvas-room",
              event: "canvas-update",
              payload: { clientId: "h", json: partial(list) },
            },
          ],
        }),
      });
    expect((await send(objects(LIMIT))).status).toBe(202);
    const refused = await send(objects(LIMIT));
    expect([refused.status, await refused.json()]).toEqual([429, { message: SENTENCE }]);
    expect(await announce(address, partial(objects(LIMIT)))).toBe("error");
  });

  test("HOST-53 saving objects that others have announced costs nothing", async () => {
    const drawn = [...(await onBoard())];
    for (const one of [1, 2, 3, 4]) {
      const list = objects(LIMIT);
      drawn.push(...list);
      expect(await announce(`198.51.100.${addresses}${one}`, partial(list))).toBe("ok");
    }
    const hosted = objects(3 * LIMIT);
    drawn.push(...hosted);
    expect(await announce(address, partial(hosted), editor)).toBe("ok");
    expect((await save(server, whole(drawn), undefined, address)).status).toBe(200);
    // Saved objects do not count a second time.
    const more = whole([...drawn, ...objects(10 * LIMIT)]);
    expect((await save(server, more, undefined, address)).status).toBe(429);
  });
}

test("HOST-51 a clock that leaps refills no allowance", async () => {
  const leaps = "const { now } = Date; Date.now = () => now() + performance.now() * 60_000;";
  const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(leaps)}`;
  const server = await startServer({ env: { ...LIMITS, NODE_OPTIONS } });
  const add = (list: readonly object[]) =>
    callTable(server, "canvas_state", {
      method: "POST",
      body: JSON.stringify({ canvas_json: whole(list) }),
    });
  expect((await add(objects(LIMIT))).status).toBe(201);
  expect((await save(server, whole(objects(2 * LIMIT)))).status).toBe(429);
  await server.stop();
});
