/**
 * A person in Node.js: the product's sync client over real sockets. Data that a page would store on its device is
 * stored nowhere.
 */

import { WebSocket } from "ws";
import { openSupabaseBackend } from "../../web/sync/supabase/supabase.ts";
import { createSyncClient } from "../../web/sync/sync-client.ts";

const none = () => undefined;
const store = {
  working: true,
  read: async () => [],
  write: async () => undefined,
  remove: none,
  close: async () => {},
};
const copy = {
  read: async () => null,
  write: async () => true,
  clear: async () => {},
  close: none,
};

/** Opens a person on the board of a server, whom `start` connects; `requests` replaces `fetch`. */
export function openPerson(url: string, key: string, requests: typeof fetch = fetch) {
  return createSyncClient(
    { supabaseUrl: url, supabaseAnonKey: key, liveBudget: 50_000 },
    {
      log: { error: none, warn: none, info: none },
      openBackend: (config) =>
        openSupabaseBackend(config, { transport: WebSocket as never, fetch: requests }),
      openJournalStore: () => store,
      openDeviceCopyStore: () => copy,
    },
  );
}
