/** Clients without a page: sockets of supabase-js with presence, table clients that save with the guard, sign-ins. */

import { createClient, type RealtimeChannel, type AuthError } from "@supabase/supabase-js";
import { WebSocket } from "ws";
import { integer, sleep } from "../installation/tools.ts";
import type { Ledger, TimedSave } from "./ledger.ts";

const TOPICS = 8;

/** The connection of every client. */
export interface Connection {
  origin: string;
  key: string;
  fetch: typeof fetch;
}

function connect({ origin, key, fetch }: Connection) {
  return createClient(origin, key, {
    global: { fetch },
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: WebSocket as never },
  });
}

export type Socket = ReturnType<typeof openSocket>;

/**
 * Opens a socket on one of the topics, with a presence. It reconnects by itself: the library joins again, and where
 * the server closed the channel a new one is made.
 */
export function openSocket(connection: Connection, number: number) {
  const client = connect(connection);
  const topic = `soak-${number % TOPICS}`;
  const key = `client-${number}`;
  /** The number of received messages, by text. */
  const received = new Map<string, number>();
  let isOpen = true;
  let channel: RealtimeChannel;
  const join = () => {
    const own = client.channel(topic, { config: { presence: { key } } });
    channel = own;
    own.on("broadcast", { event: "note" }, ({ payload }) => {
      const text = String(payload.text);
      received.set(text, (received.get(text) ?? 0) + 1);
    });
    own.on("presence", { event: "sync" }, () => {});
    own.subscribe((status) => {
      if (status === "SUBSCRIBED") void own.track({ key }).catch(() => {});
      if (status === "CLOSED" && isOpen && channel === own) setTimeout(join, 1_000);
    });
  };
  join();
  return {
    topic,
    key,
    received,
    say: (text: string) =>
      channel.state === "joined"
        ? channel.send({ type: "broadcast", event: "note", payload: { text } })
        : Promise.resolve("error"),
    isJoined: () => channel.state === "joined",
    /** Returns the keys that this client believes to be on its topic. */
    present: () => Object.keys(channel.presenceState()),
    async close() {
      isOpen = false;
      await client.removeAllChannels();
      await client.realtime.disconnect();
    },
  };
}

/** Sends a message now and then, and sometimes replaces the socket by a new client. */
export async function talkUntil(
  connection: Connection,
  sockets: Socket[],
  random: () => number,
  isOver: () => boolean,
) {
  for (let n = 0; !isOver(); n++) {
    const at = integer(random, 0, sockets.length - 1);
    void sockets[at]?.say("talk").catch(() => {});
    if (n % 400 === 399) {
      await sockets[at]?.close();
      await sleep(500);
      sockets[at] = openSocket(connection, at);
    }
    for (const { received } of sockets) received.delete("talk");
    await sleep(25);
  }
}

interface Row {
  id: string;
  version: number;
  canvas_json: { objects: { id: string; z: number }[]; inkpool: { seen: Record<string, unknown> } };
}

/**
 * Reads the row.
 * @returns Null while there is none.
 */
export async function readRow({ origin, key, fetch }: Connection): Promise<Row | null> {
  const answer = await fetch(`${origin}/rest/v1/canvas_state?select=id,version,canvas_json`, {
    headers: { apikey: key },
  });
  const rows = (await answer.json()) as Row[];
  if (!answer.ok) throw new Error(`reading the row: ${answer.status}`);
  return rows[0] ?? null;
}

/**
 * Runs a program that keeps the fields of a drawing, adds a stroke of its own now and then, and saves with the guard,
 * as often as it takes until the row has it.
 */
export async function saveUntil({
  connection,
  author,
  random,
  ledger,
  counts,
  isOver,
}: {
  connection: Connection;
  /** The author: 1 to 24 of a to z and 0 to 9. */
  author: string;
  random: () => number;
  ledger: Ledger;
  counts: { saves: number; conflicts: number; timed: TimedSave[] };
  /** Asked between two strokes; a stroke in progress is finished. */
  isOver: () => boolean;
}) {
  let isBegun = false;
  for (let n = 0; isBegun || !isOver();) {
    await sleep(integer(random, 4_000, 9_000));
    const id = `${author}-${n}`;
    try {
      const row = await readRow(connection);
      if (row === null) continue;
      const isThere = row.canvas_json.objects.some((object) => object.id === id);
      if (!isThere) {
        add(row.canvas_json, id, random);
        ledger.drew(id, author);
        isBegun = true;
        row.canvas_json.inkpool.seen[author] = n;
        const begin = Date.now();
        const isSaved = await write(connection, row);
        counts.timed.push({ begin, end: Date.now() });
        if (!isSaved) {
          counts.conflicts++;
          continue;
        }
      }
      // A save whose answer was lost counts as well, since the row confirmed it.
      counts.saves++;
      ledger.saved(id);
      isBegun = false;
      n++;
    } catch {
      // It is counted by its status; the next round reads the row first.
    }
  }
}

function add(drawing: Row["canvas_json"], id: string, random: () => number) {
  const [left, top] = [integer(random, 20, 900), integer(random, 20, 550)];
  const z = Math.max(0, ...drawing.objects.map((object) => object.z ?? 0)) + 1;
  const bend = () => integer(random, -40, 40);
  const parts = Array.from({ length: integer(random, 10, 400) }, () => `q20 ${bend()} 40 0`);
  const path = `M${left} ${top}${parts.join("")}`;
  const look = { fill: null, stroke: "#2ecc71", strokeWidth: 3 };
  const stroke = { type: "Path", id, z, path, left, top, ...look };
  drawing.objects.push(stroke);
}

/**
 * Writes the row.
 * @returns False for a conflict.
 */
async function write(
  { origin, key, fetch }: Connection,
  { id, version, canvas_json }: Row,
): Promise<boolean> {
  const query = `id=eq.${id}&version=eq.${version}&select=version`;
  const answer = await fetch(`${origin}/rest/v1/canvas_state?${query}`, {
    method: "PATCH",
    headers: { apikey: key, "content-type": "application/json", prefer: "return=representation" },
    body: JSON.stringify({ canvas_json }),
  });
  const rows = (await answer.json()) as unknown[];
  if (!answer.ok) throw new Error(`saving the row: ${answer.status}`);
  return rows.length === 1;
}

/** A person's whole visit, each step as the library does it. */
const PASSWORD = "correct horse battery staple";

/** Signs somebody up, out and in again, one person after the other. Accounts stay valid. */
export async function signInUntil({
  connection,
  accounts,
  problems,
  isOver,
}: {
  connection: Connection;
  /** Gets the addresses of the new accounts. */
  accounts: string[];
  /** Refusals that are not due to an outage, by text. */
  problems: Map<string, number>;
  isOver: () => boolean;
}) {
  for (let n = 0; !isOver(); n++) {
    const { auth } = connect(connection);
    const email = `person-${n}@example.com`;
    const made = await auth.signUp({ email, password: PASSWORD });
    if (made.error === null) {
      accounts.push(email);
      const steps = [
        () => auth.getUser(),
        () => auth.refreshSession(),
        () => auth.signOut({ scope: "local" }),
        () => auth.signInWithPassword({ email, password: PASSWORD }),
        () => auth.signOut(),
      ];
      for (const step of steps) {
        const { error } = await step();
        if (error === null) continue;
        report(problems, error);
        break;
      }
    } else report(problems, made.error);
    for (let left = 12; left > 0 && !isOver(); left--) await sleep(1_000);
  }
}

function report(problems: Map<string, number>, error: AuthError) {
  // There was no answer, or one that asks to try again.
  if (error.name === "AuthRetryableFetchError" || (error.status ?? 0) >= 502) return;
  const what = `sign-in: ${error.status ?? ""} ${error.code ?? error.name}`;
  problems.set(what, (problems.get(what) ?? 0) + 1);
}

export async function canSignIn(connection: Connection, email: string): Promise<boolean> {
  const { error } = await connect(connection).auth.signInWithPassword({
    email,
    password: PASSWORD,
  });
  return error === null;
}
