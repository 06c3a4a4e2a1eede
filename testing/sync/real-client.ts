/** Sync clients on a real server, with the client library and a journal, whose own delays are shortened. */

import { IDBFactory } from "fake-indexeddb";
import { WebSocket } from "ws";
import { openIndexedDbJournalStore } from "../../web/sync/device/journal-store.ts";
import type { Clock, Environment } from "../../web/sync/environment/environment.ts";
import type { SyncClient } from "../../web/sync/port.ts";
import { openSupabaseBackend, type SupabaseExtras } from "../../web/sync/supabase/supabase.ts";
import { createSyncClient } from "../../web/sync/sync-client.ts";

/** Node.js 20 has no WebSocket of its own. */
export const transport = WebSocket as unknown as NonNullable<SupabaseExtras["transport"]>;

/** The factor by which the client's own delays, such as the 5 s before a save, are shortened. */
const SPEED = 8;
const began = Date.now();
const clock: Clock = {
  now: () => began + (Date.now() - began) * SPEED,
  setTimer: (run, delay) => setTimeout(run, delay / SPEED),
  clearTimer: (timer) => clearTimeout(timer as NodeJS.Timeout),
  requestFrame: (run) => setTimeout(run, 5),
  cancelFrame: (frame) => clearTimeout(frame as NodeJS.Timeout),
};

/** Starts a client, which logs nothing; `device` contains its journal. The caller disposes of it. */
export function startRealClient(
  { url, anonKey }: { readonly url: string; readonly anonKey: string },
  device = new IDBFactory(),
  more: Partial<Environment> = {},
): SyncClient {
  const quiet = { error: () => undefined, warn: () => undefined, info: () => undefined };
  const client = createSyncClient(
    { supabaseUrl: url, supabaseAnonKey: anonKey },
    {
      clock,
      log: quiet,
      openBackend: (config) => openSupabaseBackend(config, { transport }),
      openJournalStore: (log) => openIndexedDbJournalStore(device, "inkpool", log),
      ...more,
    },
  );
  void client.start();
  return client;
}
