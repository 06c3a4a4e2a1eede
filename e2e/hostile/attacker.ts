/** A hostile visitor over the real network: the public client library with the public key, and no page. */

import type { RealtimeChannel, SupabaseClient } from "@supabase/supabase-js";
import WebSocket from "ws";
import { CHANNEL, TABLE } from "../../board/constants.ts";
import type { Product, SavedDrawing } from "../product.ts";

export interface Attacker {
  /** Broadcasts any payload under any event to everybody who is on the channel. */
  send(event: string, payload: unknown): Promise<void>;
  /** Overwrites `canvas_json` of the row, past every page. Returns the response's status. */
  write(drawing: unknown): Promise<number>;
  /** Changes any columns of the row. Returns the response's status. */
  patch(columns: Readonly<Record<string, unknown>>): Promise<number>;
  /** Returns the drawing of the row as anybody can read it. */
  read(): Promise<SavedDrawing>;
  /** The updates that the attacker has received, each as its JSON. */
  readonly received: readonly Readonly<Record<string, unknown>>[];
  leave(): Promise<void>;
}

/** Joins the board's channel. @throws Error when the channel does not let it join within 10 s. */
export async function openAttacker(product: Product): Promise<Attacker> {
  const client = await openClient(product);
  const received: Record<string, unknown>[] = [];
  const channel = client.channel(CHANNEL);
  channel.on("broadcast", { event: "*" }, ({ payload }) => received.push(payload));
  await joined(channel);
  const patch: Attacker["patch"] = async (columns) =>
    (await client.from(TABLE).update(columns).not("id", "is", null)).status;
  return {
    received,
    async send(event, payload) {
      await channel.send({ type: "broadcast", event, payload });
    },
    write: (drawing) => patch({ canvas_json: drawing }),
    patch,
    async read() {
      const { data, error } = await client.from(TABLE).select("canvas_json").limit(1).single();
      if (error) throw new Error(error.message);
      return data.canvas_json as SavedDrawing;
    },
    leave: () => closeClient(client),
  };
}

/** Invents people: each is a connection that tracks a presence and sends nothing else. Returns a function that removes them. */
export async function openPresences(product: Product, count: number): Promise<() => Promise<void>> {
  const clients = await Promise.all(Array.from({ length: count }, () => openClient(product)));
  await Promise.all(
    clients.map(async (client, at) => {
      const config = { presence: { key: `invented${at}` } };
      const channel = client.channel(CHANNEL, { config });
      await joined(channel);
      await channel.track({ online_at: new Date().toISOString(), partial: true });
    }),
  );
  return async () => void (await Promise.all(clients.map(closeClient)));
}

async function openClient(product: Product): Promise<SupabaseClient> {
  const config = (await (await fetch(`${product.url}/config.json`)).json()) as {
    readonly supabaseAnonKey: string;
  };
  const { createClient } = await importClient();
  return createClient(product.url, config.supabaseAnonKey, {
    // The constructor's types differ from a browser's in properties that a page never uses.
    realtime: { transport: WebSocket as never },
    auth: { persistSession: false, autoRefreshToken: false },
  });
}

async function closeClient(client: SupabaseClient): Promise<void> {
  await client.removeAllChannels();
  await client.realtime.disconnect();
}

/**
 * Imports the client library without its notice on Node.js 20, which is supported here
 * (docs/decisions/client-library-version.md).
 */
async function importClient(): Promise<typeof import("@supabase/supabase-js")> {
  const { warn } = console;
  console.warn = () => undefined;
  try {
    return await import("@supabase/supabase-js");
  } finally {
    console.warn = warn;
  }
}

function joined(channel: RealtimeChannel): Promise<void> {
  return new Promise((resolve, reject) => {
    const timeout = setTimeout(() => reject(new Error("the channel was not joined")), 10_000);
    channel.subscribe((status) => {
      if (status !== "SUBSCRIBED") return;
      clearTimeout(timeout);
      resolve();
    });
  });
}
