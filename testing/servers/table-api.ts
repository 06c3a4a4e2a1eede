/** The table API of the whole server, in this process, on both databases, through the official client and by plain requests. */

import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import ws from "ws";
import { openTestPostgres } from "./postgres.ts";
import { startInProcess, type InProcessServer, type ServerAddress } from "./in-process.ts";
import { callTable, type RawResponse, type RawRequest } from "./table-client.ts";

/** An id that no row has. */
export const UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";

export const DRAWING = {
  version: "7.4.0",
  objects: [
    { type: "Path", left: 1.5 },
    { type: "Text", text: 'é 🎨 "x"' },
  ],
  background: "white",
};

/** The table API as a test uses it; the table is empty when the test begins. */
export interface TableApi {
  readonly kind: "SQLite" | "PostgreSQL";
  /** The variables that name the database, for a second server on it; none for SQLite, which each server has for itself. */
  readonly env: Readonly<Record<string, string>>;
  readonly server: ServerAddress;
  /** The client with the anonymous key. */
  readonly client: SupabaseClient;
  /** The client with the service key. */
  readonly owner: SupabaseClient;
  call(path: string, request?: RawRequest): Promise<RawResponse>;
  /**
   * Sends a write.
   * @param body JSON text, or a value to write as JSON
   */
  write(method: string, path: string, body: unknown, prefer?: string): Promise<RawResponse>;
  /** Inserts the only row. */
  seed(drawing?: unknown): Promise<{ id: string; updated_at: string }>;
}

/** Runs the same tests on each available database. Await it at the top of a test file. */
export async function examineTableApi(name: string, tests: (api: TableApi) => void): Promise<void> {
  const found = await openTestPostgres();
  afterAll(async () => {
    if (found.ok) await found.postgres.stop();
  });
  describe(`${name} (SQLite)`, () => {
    tests(setUp("SQLite", async () => ({})));
  });
  if (!found.ok) {
    test.skip(`${name} on PostgreSQL (${found.reason})`, () => {});
    return;
  }
  describe(`${name} (PostgreSQL)`, () => {
    tests(
      setUp("PostgreSQL", async () => ({ DATABASE_URL: await found.postgres.createDatabase() })),
    );
  });
}

interface Started {
  readonly server: InProcessServer;
  readonly client: SupabaseClient;
  readonly owner: SupabaseClient;
}

function setUp(kind: TableApi["kind"], makeEnv: () => Promise<Record<string, string>>): TableApi {
  let started: Started | null = null;
  let env: Readonly<Record<string, string>> = {};
  const now = (): Started => {
    if (started === null) throw new Error("The server is not started");
    return started;
  };
  beforeAll(async () => {
    env = await makeEnv();
    const server = await startInProcess({ TABLE_RATE_LIMIT: "0", ...env });
    started = {
      server,
      client: connect(server, server.anonKey),
      owner: connect(server, server.serviceKey),
    };
  });
  beforeEach(async () => {
    const { error } = await now().owner.from("canvas_state").delete().neq("id", UNKNOWN_ID);
    expect(error).toBeNull();
  });
  afterAll(async () => {
    if (started === null) return;
    await started.server.stop();
    expect(started.server.log()).not.toContain(" error ");
  });
  const call: TableApi["call"] = (path, request) => callTable(now().server, path, request);
  return {
    kind,
    get env() {
      return env;
    },
    get server() {
      return now().server;
    },
    get client() {
      return now().client;
    },
    get owner() {
      return now().owner;
    },
    call,
    write: (method, path, body, prefer = "") =>
      call(path, {
        method,
        body: typeof body === "string" ? body : JSON.stringify(body),
        headers: prefer === "" ? {} : { prefer },
      }),
    seed: async (drawing = DRAWING) => {
      const { data, error } = await now()
        .client.from("canvas_state")
        .insert({ canvas_json: drawing })
        .select("id,updated_at")
        .single();
      expect(error).toBeNull();
      return data as { id: string; updated_at: string };
    },
  };
}

function connect(server: ServerAddress, key: string): SupabaseClient {
  return createClient(server.url, key, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: ws as never },
  });
}
