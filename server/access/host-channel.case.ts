/** Tests which messages a locked board keeps out of its channel, and which reach it. */

import { expect, test } from "vitest";
import { BOARD, broadcast, type joinBoard, setLock } from "../../testing/servers/board-host.ts";
import { openClient } from "../../testing/servers/realtime.ts";
import type { ServerAddress } from "../../testing/servers/in-process.ts";

export const SENTENCE = "The host has locked the board";
export const DRAWING = { version: "7.4.0", objects: [] };

/** A server whose board is not locked, and tokens of the two roles. */
interface HostBed {
  readonly server: ServerAddress;
  readonly host: string;
  readonly editor: string;
  /** Joins the board, with a token or without. */
  readonly enter: (token?: string) => ReturnType<typeof joinBoard>;
  /** Closed after the test. */
  readonly opened: { close(): void }[];
}

export function examineChannel(at: () => HostBed): void {
  test("HOST-8 a locked channel drops the drawings of clients without a link, says so once, and passes those of the others", async () => {
    const { server, host, editor, enter } = at();
    const [visitor, writer, watcher] = [await enter(), await enter(editor), await enter()];
    await setLock(server, true, host);
    await visitor.next(({ payload }) => payload?.event === "canvas-settings");
    for (const event of ["canvas-update", "canvas-live", "canvas-update"])
      expect(await broadcast(visitor, event, { json: DRAWING, clientId: "v" })).toBe("error");
    await visitor.settled();
    const notices = visitor.frames.filter(({ event }) => event === "system");
    expect(notices.map(({ payload }) => payload)).toEqual([
      { extension: "broadcast", status: "error", message: SENTENCE, channel: "canvas-room" },
    ]);
    expect(await broadcast(visitor, "canvas-digest", { clientId: "v", digest: "1" })).toBe("ok");
    expect(await broadcast(writer, "canvas-update", { json: DRAWING, clientId: "w" })).toBe("ok");
    await watcher.next(({ payload }) => payload?.payload?.clientId === "w");
    const drawings = watcher.frames.filter(({ payload }) =>
      /^canvas-(update|live)$/.test(payload?.event),
    );
    expect(drawings.map(({ payload }) => payload.payload.clientId)).toEqual(["w"]);
    await setLock(server, false, host);
    await visitor.next(({ payload }) => payload?.event === "canvas-settings");
    expect(await broadcast(visitor, "canvas-update", { json: DRAWING, clientId: "v" })).toBe("ok");
  });

  test("HOST-9 broadcasts over HTTP are no way around the lock, alone or in a list", async () => {
    const { server, host, editor } = at();
    await setLock(server, true, host);
    const send = async (path: string, body: unknown, token?: string): Promise<number> => {
      const response = await fetch(`${server.url}/realtime/v1/api/broadcast${path}`, {
        method: "POST",
        headers: {
          apikey: server.anonKey,
          "content-type": "application/json",
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify(body),
      });
      return response.status;
    };
    const drawing = { topic: "canvas-room", event: "canvas-update", payload: { json: DRAWING } };
    const other = { ...drawing, event: "hello" };
    expect(await send("", { messages: [drawing] })).toBe(403);
    expect(await send("", { messages: [other, { ...drawing, private: true }] })).toBe(403);
    expect(await send("/canvas-room/events/canvas-live", {})).toBe(403);
    expect(await send("/canvas-room/events/canvas%2Dupdate?private=true", {})).toBe(403);
    expect(await send("", { messages: [other] })).toBe(202);
    expect(await send("", { messages: [drawing] }, editor)).toBe(202);
    expect(await send("/canvas-room/events/canvas-settings", { locked: false }, host)).toBe(403);
  });

  test("HOST-10 the change reaches every member of the channel, and newcomers to a locked board; no client can forge it", async () => {
    const { server, host, enter } = at();
    const early = await enter();
    await setLock(server, true, host);
    const isSettings = ({ payload }: { payload: any }): boolean =>
      payload?.event === "canvas-settings";
    expect((await early.next(isSettings)).payload.payload).toEqual({ locked: true });
    const newcomer = await enter();
    expect((await newcomer.next(isSettings)).payload.payload).toEqual({ locked: true });
    for (const one of [newcomer, await enter(host)])
      expect(await broadcast(one, "canvas-settings", { locked: false })).toBe("error");
    await setLock(server, false, host);
    expect((await early.next(isSettings)).payload.payload).toEqual({ locked: false });
    const open = await enter();
    await open.settled();
    expect(open.frames.some(isSettings)).toBe(false);
  });

  test("RT-70 the lock's changes reach subscribers of canvas_settings, by filter and columns", async () => {
    const { server, host, opened } = at();
    const changes = (filter: object) => ({
      event: "UPDATE",
      schema: "public",
      table: "canvas_settings",
      ...filter,
    });
    const client = await openClient({ port: server.port, keys: server });
    opened.push(client);
    const postgres_changes = [changes({}), changes({ filter: "locked=eq.false" })];
    await client.join(BOARD, { postgres_changes });
    await client.next(({ payload }) => payload?.message === "Subscribed to PostgreSQL");
    const next = async () =>
      (await client.next(({ event }) => event === "postgres_changes")).payload;
    await setLock(server, true, host);
    expect(await next()).toMatchObject({
      ids: [1],
      data: {
        columns: [
          { name: "id", type: "int8" },
          { name: "locked", type: "bool" },
        ],
        errors: null,
        old_record: { id: 1 },
        record: { id: 1, locked: true },
        table: "canvas_settings",
        type: "UPDATE",
      },
    });
    await setLock(server, false, host);
    expect(await next()).toMatchObject({ ids: [1, 2], data: { record: { locked: false } } });
    const wrong = await openClient({ port: server.port, keys: server });
    opened.push(wrong);
    await wrong.join(BOARD, { postgres_changes: [changes({ filter: "version=eq.1" })] });
    const refused = await wrong.next(({ event }) => event === "system");
    expect(refused.payload.message).toContain("invalid column for filter version");
  });

  test("HOST-36 a host alone says that it has taken somebody back, over a socket and over HTTP", async () => {
    const { server, host, editor, enter } = at();
    const watcher = await enter();
    const message = { clientId: "h", keys: ["a"] };
    for (const one of [await enter(), await enter(editor)])
      expect(await broadcast(one, "canvas-taken-back", message)).toBe("error");
    const send = async (token: string): Promise<number> => {
      const headers = {
        apikey: server.anonKey,
        "content-type": "application/json",
        authorization: `Bearer ${token}`,
      };
      const messages = [{ topic: "canvas-room", event: "canvas-taken-back", payload: message }];
      const body = JSON.stringify({ messages });
      const path = `${server.url}/realtime/v1/api/broadcast`;
      return (await fetch(path, { method: "POST", headers, body })).status;
    };
    expect(await send(editor)).toBe(403);
    expect(await broadcast(await enter(host), "canvas-taken-back", message)).toBe("ok");
    const { payload } = await watcher.next((one) => one.payload?.event === "canvas-taken-back");
    expect(payload.payload).toEqual(message);
  });
}
