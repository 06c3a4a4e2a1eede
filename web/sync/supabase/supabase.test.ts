import { createClient } from "@supabase/supabase-js";
import { IDBFactory } from "fake-indexeddb";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { createCable } from "../../../testing/network/cable.ts";
import { startRealClient, transport } from "../../../testing/sync/real-client.ts";
import { stroke } from "../../../testing/sync/test-bed.ts";
import { startServer, type TestServer } from "../../../testing/servers/server.ts";
import { callTable } from "../../../testing/servers/table-client.ts";
import type { ChannelStatus } from "../environment/backend.ts";
import type { Environment } from "../environment/environment.ts";
import { openIndexedDbJournalStore } from "../device/journal-store.ts";
import type { SyncClient } from "../port.ts";
import { joinBeforeToken } from "./link-join.case.ts";
import { openSupabaseBackend } from "./supabase.ts";
import { HANDSHAKE_LIMIT } from "./transport.ts";

/** The real server, the real client library, sockets on this machine. */
let server: TestServer;
const clients: SyncClient[] = [];

beforeAll(async () => {
  server = await startServer();
});

afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(clients.splice(0).map((client) => client.dispose()));
  const headers = { apikey: server.serviceKey };
  await callTable(server, "canvas_state?version=gt.0", { method: "DELETE", headers });
});

afterAll(() => server.kill(true));

/** Kills the server and starts one at its port, on its folder if that is given, otherwise on an empty one. */
async function restart(dataDir?: string, meanwhile?: () => void | Promise<void>): Promise<void> {
  const { port } = server;
  await server.kill(dataDir === undefined);
  await meanwhile?.();
  server = await startServer({ port, ...(dataDir === undefined ? {} : { dataDir }) });
}

function enter(device = new IDBFactory(), more: Partial<Environment> = {}): SyncClient {
  const client = startRealClient(server, device, more);
  clients.push(client);
  return client;
}

/** Polls until something is true. The limit is the one of the suite. */
async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 20));
}

async function rows(): Promise<
  { id: string; canvas_json: { objects: unknown[] }; updated_at: string }[]
> {
  const client = createClient(server.url, server.anonKey, { realtime: { transport } });
  const { data, error } = await client.from("canvas_state").select("*");
  if (error) throw new Error(error.message);
  return data as never;
}

const isSaved = (client: SyncClient) => (): boolean => client.saveState.get().state === "saved";

describe("sync clients on the real server", () => {
  test("SYN-1 a stroke of one client reaches the other, is saved, and is loaded by the next visit", async () => {
    const [ann, ben] = [enter(), enter()];
    await until(() => ann.presence.get().online === 2 && ben.presence.get().online === 2);
    ann.editor.add([stroke()]);
    await until(() => ben.objects().length === 1);
    expect(ben.objects()).toEqual(ann.objects());
    await until(isSaved(ann));
    expect(await rows()).toMatchObject([{ canvas_json: { objects: [{ type: "Path" }] } }]);
    const cat = enter();
    await until(() => cat.objects().length === 1);
    await until(() => cat.presence.get().online === 3);
    await ben.dispose();
    await until(() => ann.presence.get().online === 2);
  });

  test("SYN-1 a new client does not see earlier ones join", async () => {
    const [ann, ben] = [enter(), enter()];
    await until(() => ann.presence.get().online === 2 && ben.presence.get().online === 2);
    const cat = enter();
    const [online, joined]: [number[], string[]] = [[], []];
    cat.presence.subscribe(() => online.push(cat.presence.get().online));
    for (const client of [ann, cat])
      client.onNotice((notice) => {
        if (notice.kind === "joined") joined.push(notice.by.clientId);
      });
    await until(() => cat.presence.get().online === 3 && ann.presence.get().online === 3);
    expect(online).not.toContain(1);
    expect(joined).toEqual([cat.clientId]);
  });

  test("SYN-1 a row over 64 KB, which the client library does not parse, is loaded and saved whole", async () => {
    const objects = Array.from({ length: 900 }, (_, at) => ({ ...stroke(at), left: at % 50 }));
    const seeded = await fetch(`${server.url}/rest/v1/canvas_state`, {
      method: "POST",
      headers: { apikey: server.anonKey, "content-type": "application/json" },
      body: JSON.stringify({ canvas_json: { version: "7.4.0", objects, background: "white" } }),
    });
    expect(seeded.status).toBe(201);
    const ann = enter();
    await until(() => ann.objects().length === 900);
    ann.editor.add([stroke(1000)]);
    await until(() => ann.saveState.get().state === "saved");
    const ben = enter();
    await until(() => ben.objects().length === 901);
  });

  test("SAV-10 two clients that draw into an empty board at the same moment make one row with both strokes", async () => {
    const [ann, ben] = [enter(), enter()];
    await until(() => isSaved(ann)() && isSaved(ben)());
    ann.clear();
    ann.editor.add([stroke(10)]);
    ben.clear();
    ben.editor.add([stroke(500)]);
    await until(() => isSaved(ann)() && isSaved(ben)());
    const saved = await rows();
    expect(saved).toHaveLength(1);
    expect(saved[0]?.canvas_json.objects).toHaveLength(2);
    await until(() => ann.objects().length === 2 && ben.objects().length === 2);
  });

  test("SAV-10 a save is guarded: another client's save meanwhile is merged, not overwritten", async () => {
    const ann = enter();
    await until(isSaved(ann));
    ann.clear();
    await until(async () => (await rows()).length === 1 && isSaved(ann)());
    const [row] = await rows();
    // Another client of the same table, which never joined the channel.
    const other = createClient(server.url, server.anonKey, { realtime: { transport } });
    const theirs = {
      ...row?.canvas_json,
      objects: [{ type: "Rect", id: "abcother-0", z: 1, left: 5, top: 5, width: 9, height: 9 }],
    };
    const { error } = await other
      .from("canvas_state")
      .update({ canvas_json: theirs, updated_at: new Date().toISOString() })
      .eq("id", row?.id ?? "");
    expect(error).toBeNull();
    ann.editor.add([stroke()]);
    ann.clear();
    ann.undo();
    await until(isSaved(ann));
    const [merged] = await rows();
    const types = ((merged?.canvas_json.objects ?? []) as { type: string }[]).map(
      ({ type }) => type,
    );
    expect(types.toSorted()).toEqual(["Path", "Rect"]);
    expect(ann.objects()).toHaveLength(2);
  });

  test("SYN-3 after the server was gone the clients find each other again, with the strokes drawn meanwhile", async () => {
    const [ann, ben] = [enter(), enter()];
    await until(() => ann.presence.get().online === 2 && isSaved(ann)() && isSaved(ben)());
    await restart(server.dataDir, () => {
      ann.editor.add([stroke(10)]);
      ben.editor.add([stroke(500)]);
    });
    await until(() => ann.objects().length === 2 && ben.objects().length === 2);
    await until(() => isSaved(ann)() && isSaved(ben)());
    expect((await rows())[0]?.canvas_json.objects).toHaveLength(2);
  });

  test("SAV-74 pages of a server that comes back with other keys and an empty database go on with its key, and bring the drawing; one that asks the table for nothing joins again", async () => {
    const current = async () => ({ supabaseAnonKey: server.anonKey });
    const openBackend: Environment["openBackend"] = (config) =>
      openSupabaseBackend({ ...config, current }, { transport });
    const [ann, ben] = [enter(undefined, { openBackend }), enter(undefined, { openBackend })];
    const { url: supabaseUrl, anonKey: supabaseAnonKey } = server;
    const idle = openBackend({ supabaseUrl, supabaseAnonKey });
    let joins = 0;
    const status = (now: ChannelStatus): void => void (now === "joined" && joins++);
    idle.openChannel("idle", { status, presence: () => undefined, broadcast: () => undefined });
    ann.editor.add([stroke(10)]);
    await until(() => ben.objects().length === 1 && isSaved(ann)() && isSaved(ben)());
    await until(() => joins === 1);
    await restart();
    expect(server.anonKey).not.toBe(supabaseAnonKey);
    ben.editor.add([stroke(500)]);
    await until(() => ann.objects().length === 2 && ann.presence.get().online === 2);
    await until(() => isSaved(ann)() && isSaved(ben)());
    expect((await rows())[0]?.canvas_json.objects).toHaveLength(2);
    await until(() => joins === 2);
    await idle.close();
  });

  test("SYN-3 a handshake that gets no answer is given up", async () => {
    const cable = await createCable(Number(new URL(server.url).port));
    cable.swallow(true);
    const config = {
      supabaseUrl: `http://127.0.0.1:${cable.port}`,
      supabaseAnonKey: server.anonKey,
    };
    const backend = openSupabaseBackend(config, { transport });
    const states: ChannelStatus[] = [];
    const status = (now: ChannelStatus): void => void states.push(now);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    backend.openChannel("ann", { status, presence: () => undefined, broadcast: () => undefined });
    await vi.waitUntil(() => cable.opened() === 1);
    cable.restore();
    await vi.advanceTimersByTimeAsync(HANDSHAKE_LIMIT);
    // The library pauses before the next one.
    await vi.advanceTimersByTimeAsync(2_000);
    vi.useRealTimers();
    await until(() => states.includes("joined"));
    expect(cable.opened()).toBe(2);
    await backend.close();
    await cable.cut();
  });

  test("after a channel was closed by force over the rate limit, a new one is joined, and nothing went over HTTP instead", async () => {
    const shared = server;
    onTestFinished(async () => {
      const own = server;
      server = shared;
      await own.kill(true);
    });
    server = await startServer({
      env: { REALTIME_MESSAGES_PER_SECOND: "5", REALTIME_MESSAGES_BURST: "20" },
    });
    const requests: string[] = [];
    const spy: typeof fetch = (input, init) => {
      requests.push(typeof input === "string" ? input : "");
      return fetch(input, init);
    };
    const ann = enter(new IDBFactory(), {
      openBackend: (config) =>
        openSupabaseBackend({ ...config, liveBudget: 1000 }, { transport, fetch: spy }),
    });
    const ben = enter();
    await until(() => ann.presence.get().online === 2 && isSaved(ann)() && isSaved(ben)());
    let left = false;
    ben.presence.subscribe(() => (left ||= ben.presence.get().online === 1));
    await until(() => {
      ann.live.pointer({ x: Math.random() * 100, y: 5 });
      return left;
    });
    ann.editor.add([stroke()]);
    await until(() => ben.presence.get().online === 2 && ben.objects().length === 1);
    expect(requests.filter((url) => url.includes("broadcast"))).toEqual([]);
  });

  test("SAV-19 a pending edit outlives its page: the next visit on that device brings it back", async () => {
    const device = new IDBFactory();
    const ann = enter(device);
    await until(isSaved(ann));
    await restart(server.dataDir, async () => {
      ann.editor.add([stroke()]);
      await ann.dispose();
    });
    const again = enter(device);
    await until(() => again.objects().length === 1);
    await until(isSaved(again));
    expect((await rows())[0]?.canvas_json.objects).toHaveLength(1);
    const store = openIndexedDbJournalStore(device, "inkpool", console);
    await until(async () => (await store.read()).length === 0);
    await store.close();
  });

  test("HOST-17 a token that arrives while the channel is being joined counts on it", () =>
    joinBeforeToken(server));

  test("SAV-18 a page that leaves sends its last stroke without waiting for anything", async () => {
    let emit: (event: "leaving") => void = () => undefined;
    const ann = enter(new IDBFactory(), {
      page: {
        isOffline: () => false,
        listen(listener) {
          emit = listener;
          return () => undefined;
        },
      },
    });
    await until(isSaved(ann));
    ann.editor.add([stroke()]);
    emit("leaving");
    await until(async () => (await rows()).length === 1);
    expect((await rows())[0]?.canvas_json.objects).toHaveLength(1);
  });
});
