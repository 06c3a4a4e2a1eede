/** The backend over @supabase/supabase-js. */

import {
  createClient,
  type SupabaseClient,
  type SupabaseClientOptions,
} from "@supabase/supabase-js";
import { SIZE_CHECK, TABLE } from "../../board/spec.ts";
import type { Answer, Backend, Fault, Row, RowMark } from "./backend.ts";
import { createCourier } from "./courier.ts";
import type { Outliving } from "./outliving.ts";
import { openSupabaseChannel } from "./supabase-channel.ts";
import type { RoomConfig } from "./world.ts";

type RealtimeOptions = NonNullable<SupabaseClientOptions<"public">["realtime"]>;

/** What Node lacks and a browser has. */
export interface SupabaseExtras {
  readonly fetch?: typeof fetch;
  readonly transport?: RealtimeOptions["transport"];
  readonly random?: () => number;
  readonly outliving?: Outliving;
}

/** A call is given up after this time, and after a further second for each 50 KB that it carries. */
const PATIENCE_MS = 20_000;
const SLOWEST_BYTES_PER_MS = 50;
/** The library's own reconnect waits these times; ours adds chance to it, so that a room does not come back in step. */
const RECONNECT_MS = [1_000, 2_000, 4_000, 8_000];

export function openSupabaseBackend(config: RoomConfig, extras: SupabaseExtras = {}): Backend {
  const random = extras.random ?? Math.random;
  const courier = createCourier(
    extras.fetch ?? ((...request) => fetch(...request)),
    extras.outliving,
  );
  const { supabaseUrl: url, supabaseAnonKey: key } = config;
  const client = createClient(url, key, {
    global: { fetch: courier.fetch },
    realtime: {
      reconnectAfterMs: (tries: number) =>
        (RECONNECT_MS[tries - 1] ?? 8_000) * (0.75 + random() / 4),
      ...(extras.transport ? { transport: extras.transport } : {}),
    },
  });
  // The session's lock would make a request wait for another task, and a page that is leaving has none.
  const leaving = createClient(url, key, {
    accessToken: async () => key,
    global: { fetch: courier.lastFetch },
    ...(extras.transport ? { realtime: { transport: extras.transport } } : {}),
  });
  const closing = new AbortController();

  /** Runs a call with a time limit and puts its outcome into our words. */
  const call = async <T>(
    bytes: number,
    run: (signal: AbortSignal) => PromiseLike<Outcome>,
    read: (data: unknown) => T,
  ): Promise<Answer<T>> => {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), PATIENCE_MS + bytes / SLOWEST_BYTES_PER_MS);
    const stop = (): void => limit.abort();
    closing.signal.addEventListener("abort", stop);
    try {
      const { data, error, status } = await run(limit.signal);
      return error ? { ok: false, fault: toFault(error, status) } : { ok: true, value: read(data) };
    } catch (error) {
      return { ok: false, fault: { kind: "network", message: String(error) } };
    } finally {
      clearTimeout(timer);
      closing.signal.removeEventListener("abort", stop);
    }
  };
  const update = (using: SupabaseClient, mark: RowMark, body: object) =>
    using
      .from(TABLE)
      .update(body)
      .eq("id", mark.id)
      .eq("updated_at", mark.updatedAt)
      .select("id,updated_at");
  const insert = (using: SupabaseClient, body: object) =>
    using.from(TABLE).insert(body).select("id,updated_at");

  return {
    load: () =>
      call(
        0,
        // Not single(): an empty table would be a 406, which browsers write to the console as an error.
        (signal) =>
          client
            .from(TABLE)
            .select("*")
            .order("updated_at", { ascending: false })
            .limit(1)
            .abortSignal(signal)
            .retry(false)
            .maybeSingle(),
        toRow,
      ),
    peek: () =>
      call(
        0,
        (signal) =>
          client
            .from(TABLE)
            .select("id,updated_at")
            .order("updated_at", { ascending: false })
            .limit(1)
            .abortSignal(signal)
            .retry(false),
        firstMark,
      ),
    findId: () =>
      call(
        0,
        (signal) => client.from(TABLE).select("id").limit(1).abortSignal(signal).retry(false),
        (data) => {
          const row = first(data);
          return row ? String(row["id"]) : null;
        },
      ),
    update: (mark, text, updatedAt) =>
      courier.carry(text, (stand) =>
        call(
          text.bytes,
          (signal) =>
            update(client, mark, { canvas_json: stand, updated_at: updatedAt }).abortSignal(signal),
          firstMark,
        ),
      ),
    insert: (text) =>
      courier.carry(text, (stand) =>
        call(
          text.bytes,
          (signal) => insert(client, { canvas_json: stand }).abortSignal(signal),
          (data) => {
            return firstMark(data) ?? { id: "", updatedAt: "" };
          },
        ),
      ),
    lastWords(mark, text, updatedAt) {
      void courier.carry(text, async (stand) => {
        const request = mark
          ? update(leaving, mark, { canvas_json: stand, updated_at: updatedAt })
          : insert(leaving, { canvas_json: stand });
        // The page may be gone before the answer: there is nobody to tell.
        await request.then(
          () => undefined,
          () => undefined,
        );
      });
    },
    get lastWordsLimit() {
      return courier.lastLimit;
    },
    openChannel: (presenceKey, events) => openSupabaseChannel(client, presenceKey, events),
    async close() {
      closing.abort();
      await Promise.allSettled([client.removeAllChannels(), client.auth.dispose()]);
      await Promise.allSettled([client.realtime.disconnect(), leaving.realtime.disconnect()]);
    },
  };
}

interface Outcome {
  readonly data: unknown;
  readonly error: { readonly message: string; readonly code?: string } | null;
  readonly status: number;
}

const DUPLICATE = "23505";

/** 0: no answer at all. 502 to 504: a proxy's word that the backend is away. */
function toFault(
  error: { readonly message: string; readonly code?: string },
  status: number,
): Fault {
  const { message } = error;
  if (status === 0 || (status >= 502 && status <= 504)) return { kind: "network", message };
  if (message.includes(SIZE_CHECK)) return { kind: "size", message };
  return { kind: error.code === DUPLICATE ? "duplicate" : "refused", message };
}

type Columns = Readonly<Record<string, unknown>>;

function isColumns(value: unknown): value is Columns {
  return typeof value === "object" && value !== null;
}

function first(data: unknown): Columns | null {
  const row: unknown = Array.isArray(data) ? data[0] : null;
  return isColumns(row) ? row : null;
}

function firstMark(data: unknown): RowMark | null {
  const row = first(data);
  return row ? { id: String(row["id"]), updatedAt: String(row["updated_at"]) } : null;
}

function toRow(data: unknown): Row | null {
  if (!isColumns(data)) return null;
  return {
    id: String(data["id"]),
    updatedAt: String(data["updated_at"]),
    json: data["canvas_json"],
  };
}
