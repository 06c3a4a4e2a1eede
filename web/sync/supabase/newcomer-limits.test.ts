/** The real client against a real server that limits what a newcomer adds. */

import { IDBFactory } from "fake-indexeddb";
import { afterEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { stroke } from "../../../testing/sync/test-bed.ts";
import { startServer, type TestServer } from "../../../testing/servers/server.ts";
import { openIndexedDbJournalStore } from "../device/journal-store.ts";
import type { Clock } from "../environment/environment.ts";
import type { Notice, SyncClient } from "../port.ts";
import { createSyncClient } from "../sync-client.ts";
import { openSupabaseBackend, type SupabaseExtras } from "./supabase.ts";

const transport = WebSocket as unknown as NonNullable<SupabaseExtras["transport"]>;
/** The client's own delays pass this many times faster. */
const SPEED = 8;
const began = Date.now();
const clock: Clock = {
  now: () => began + (Date.now() - began) * SPEED,
  setTimer: (run, delay) => setTimeout(run, delay / SPEED),
  clearTimer: (timer) => clearTimeout(timer as NodeJS.Timeout),
  requestFrame: (run) => setTimeout(run, 5),
  cancelFrame: (frame) => clearTimeout(frame as NodeJS.Timeout),
};

let server: TestServer;
const clients: SyncClient[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.dispose()));
  await server.kill(true);
});

function enter(notices: Notice[]): SyncClient {
  const quiet = { error: () => undefined, warn: () => undefined, info: () => undefined };
  const client = createSyncClient(
    { supabaseUrl: server.url, supabaseAnonKey: server.anonKey },
    {
      clock,
      log: quiet,
      openBackend: (config) => openSupabaseBackend(config, { transport }),
      openJournalStore: (log) => openIndexedDbJournalStore(new IDBFactory(), "inkpool", log),
    },
  );
  clients.push(client);
  client.onNotice((notice) => {
    if (notice.kind === "error") notices.push(notice);
  });
  void client.start();
  return client;
}

test("HOST-54 what a newcomer draws beyond the limit is explained, stays, and is saved and shown to others as soon as the board takes it", async () => {
  server = await startServer({ env: { NEWCOMER_OBJECTS: "1200" } });
  const notices: Notice[] = [];
  const [ann, ben] = [enter(notices), enter([])];
  for (const client of [ann, ben])
    await expect.poll(() => client.saveState.get().state, { timeout: 10_000 }).toBe("saved");
  const many = 1_220;
  ann.editor.add(Array.from({ length: many }, (_, index) => stroke(index)));
  await expect.poll(() => notices.length, { timeout: 10_000 }).toBe(1);
  expect(notices).toEqual([
    { kind: "error", text: "This board takes no more from you in this minute" },
  ]);
  await expect.poll(() => ann.saveState.get().state, { timeout: 30_000 }).toBe("saved");
  expect(ann.objects()).toHaveLength(many);
  await expect.poll(() => ben.objects().length, { timeout: 10_000 }).toBe(many);
}, 60_000);
