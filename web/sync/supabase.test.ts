import { createClient } from "@supabase/supabase-js";
import { IDBFactory } from "fake-indexeddb";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { stroke } from "../../testing/rooms.ts";
import { startServer, type TestServer } from "../../testing/server.ts";
import { createRoom } from "./create.ts";
import { openIndexedDbJournal } from "./journal.ts";
import type { Room } from "./port.ts";
import { openSupabaseBackend, type SupabaseExtras } from "./supabase.ts";
import type { Clock, World } from "./world.ts";

/** Node 20 has no WebSocket of its own. */
const transport = WebSocket as unknown as NonNullable<SupabaseExtras["transport"]>;

/** The room's own waits, such as the 5 s before a save, pass this many times faster. */
const SPEED = 8;
const began = Date.now();
const clock: Clock = {
  now: () => began + (Date.now() - began) * SPEED,
  setTimer: (run, delay) => setTimeout(run, delay / SPEED),
  clearTimer: (timer) => clearTimeout(timer as NodeJS.Timeout),
  requestFrame: (run) => setTimeout(run, 5),
  cancelFrame: (frame) => clearTimeout(frame as NodeJS.Timeout),
};

/** The real server, the real client library, sockets on this machine. */
let server: TestServer;
let rooms: Room[];

beforeEach(async () => {
  server = await startServer();
  rooms = [];
});

afterEach(async () => {
  await Promise.all(rooms.map((room) => room.dispose()));
  await server.kill(true);
});

function enter(device = new IDBFactory(), more: Partial<World> = {}): Room {
  const quiet = { error: () => undefined, warn: () => undefined, info: () => undefined };
  const room = createRoom(
    { supabaseUrl: server.url, supabaseAnonKey: server.anonKey },
    {
      clock,
      log: quiet,
      openBackend: (config) => openSupabaseBackend(config, { transport }),
      openJournal: (_config, log) => openIndexedDbJournal(device, "inkpool", log),
      ...more,
    },
  );
  rooms.push(room);
  void room.start();
  return room;
}

/** Waits for a state that comes by itself. The suite's own time limit is the limit. */
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

const isSaved = (room: Room) => (): boolean => room.saveState.get().state === "saved";

describe("rooms on the real server", () => {
  test("SYN-2 what one room draws reaches the other, is saved, and is loaded by the next visit", async () => {
    const [ann, ben] = [enter(), enter()];
    await until(() => ann.online.get() === 2 && ben.online.get() === 2);
    ann.editor.add([stroke()]);
    await until(() => ben.objects().length === 1);
    expect(ben.objects()).toEqual(ann.objects());
    await until(isSaved(ann));
    expect(await rows()).toMatchObject([{ canvas_json: { objects: [{ type: "Path" }] } }]);
    const cat = enter();
    await until(() => cat.objects().length === 1);
    await until(() => cat.online.get() === 3);
    await ben.dispose();
    await until(() => ann.online.get() === 2);
  });

  test("SAV-9 two rooms that draw into an empty board at the same moment make one row with both strokes", async () => {
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

  test("SAV-10 a save is guarded: what somebody else saved meanwhile is merged, not overwritten", async () => {
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

  test("SYN-3 after the server was gone the rooms find each other again, with what was drawn meanwhile", async () => {
    const [ann, ben] = [enter(), enter()];
    await until(() => ann.online.get() === 2 && isSaved(ann)() && isSaved(ben)());
    const { port, dataDir } = server;
    await server.kill();
    ann.editor.add([stroke(10)]);
    ben.editor.add([stroke(500)]);
    server = await startServer({ port, dataDir });
    await until(() => ann.objects().length === 2 && ben.objects().length === 2);
    await until(() => isSaved(ann)() && isSaved(ben)());
    expect((await rows())[0]?.canvas_json.objects).toHaveLength(2);
  });

  test("after a channel was closed by force over the rate limit, a new one is joined, and nothing went over HTTP instead", async () => {
    await server.kill(true);
    server = await startServer({
      env: { REALTIME_MESSAGES_PER_SECOND: "40", REALTIME_MESSAGES_BURST: "20" },
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
    await until(() => ann.online.get() === 2 && isSaved(ann)() && isSaved(ben)());
    let left = false;
    ben.online.subscribe(() => (left ||= ben.online.get() === 1));
    await until(() => {
      ann.live.pointer({ x: Math.random() * 100, y: 5 });
      return left;
    });
    ann.editor.add([stroke()]);
    await until(() => ben.online.get() === 2 && ben.objects().length === 1);
    expect(requests.filter((url) => url.includes("broadcast"))).toEqual([]);
  });

  test("SAV-11 an unsaved change outlives its page: the next visit on that device brings it back", async () => {
    const device = new IDBFactory();
    const ann = enter(device);
    await until(isSaved(ann));
    const { port, dataDir } = server;
    await server.kill();
    ann.editor.add([stroke()]);
    await ann.dispose();
    server = await startServer({ port, dataDir });
    const again = enter(device);
    await until(() => again.objects().length === 1);
    await until(isSaved(again));
    expect((await rows())[0]?.canvas_json.objects).toHaveLength(1);
    const journal = openIndexedDbJournal(device, "inkpool", console);
    await until(async () => (await journal.read()).length === 0);
    await journal.close();
  });

  test("SAV-12 a page that leaves sends its last stroke without waiting for anything", async () => {
    let tell: (event: "leaving") => void = () => undefined;
    const ann = enter(new IDBFactory(), {
      page: {
        isOnline: () => true,
        isVisible: () => true,
        listen(listener) {
          tell = listener;
          return () => undefined;
        },
      },
    });
    await until(isSaved(ann));
    ann.editor.add([stroke()]);
    tell("leaving");
    await until(async () => (await rows()).length === 1);
    expect((await rows())[0]?.canvas_json.objects).toHaveLength(1);
  });
});
