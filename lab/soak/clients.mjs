/** Clients without a page: sockets of supabase-js with presence, table clients that save with the guard, sign-ins. */

import { createClient } from "@supabase/supabase-js";
import { WebSocket } from "ws";
import { integer, sleep } from "../installation/tools.ts";

const TOPICS = 8;

/**
 * What every client gets.
 *
 * @typedef {object} Connection
 * @property {string} origin
 * @property {string} key
 * @property {typeof fetch} fetch
 */

/** @param {Connection} connection */
function connect({ origin, key, fetch }) {
  return createClient(origin, key, {
    global: { fetch },
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: /** @type {any} */ (WebSocket) },
  });
}

/** @typedef {ReturnType<typeof openSocket>} Socket */

/**
 * A socket on one of the topics, with a presence, which comes back by itself: the library joins again, and where the
 * server closed the channel a new one is made.
 *
 * @param {Connection} connection @param {number} number
 */
export function openSocket(connection, number) {
  const client = connect(connection);
  const topic = `soak-${number % TOPICS}`;
  const key = `client-${number}`;
  /** @type {Map<string, number>} How many messages of a kind came, by text. */
  const received = new Map();
  let isOpen = true;
  /** @type {import("@supabase/supabase-js").RealtimeChannel} */
  let channel;
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
    /** @param {string} text */
    say: (text) =>
      channel.state === "joined"
        ? channel.send({ type: "broadcast", event: "note", payload: { text } })
        : Promise.resolve("error"),
    isJoined: () => channel.state === "joined",
    /** The keys that this client believes to be on its topic. */
    present: () => Object.keys(channel.presenceState()),
    async close() {
      isOpen = false;
      await client.removeAllChannels();
      await client.realtime.disconnect();
    },
  };
}

/**
 * Says something now and then, and is replaced by a new client sometimes.
 *
 * @param {Connection} connection @param {Socket[]} sockets @param {() => number} random @param {() => boolean} isOver
 */
export async function talkUntil(connection, sockets, random, isOver) {
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

/**
 * @typedef {{ id: string, version: number, canvas_json: { objects: { id: string, z: number }[], inkpool: { seen: Record<string, unknown> } } }} Row
 */

/** @param {Connection} connection @returns {Promise<Row | null>} Null while there is none. */
export async function readRow({ origin, key, fetch }) {
  const answer = await fetch(`${origin}/rest/v1/canvas_state?select=id,version,canvas_json`, {
    headers: { apikey: key },
  });
  const rows = /** @type {Row[]} */ (await answer.json());
  if (!answer.ok) throw new Error(`reading the row: ${answer.status}`);
  return rows[0] ?? null;
}

/**
 * A program that keeps the fields of a drawing, adds a stroke of its own now and then, and saves with the guard, as often
 * as it takes until the row has it.
 *
 * @param {object} options
 * @param {Connection} options.connection
 * @param {string} options.author 1 to 24 of a to z and 0 to 9.
 * @param {() => number} options.random
 * @param {import("./ledger.mjs").Ledger} options.ledger
 * @param {{ saves: number, conflicts: number }} options.counts
 * @param {() => boolean} options.isOver Asked between two strokes; one that was begun is brought to its end.
 */
export async function saveUntil({ connection, author, random, ledger, counts, isOver }) {
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
        if (!(await write(connection, row))) {
          counts.conflicts++;
          continue;
        }
      }
      // A save whose answer was lost counts as well: the row said so.
      counts.saves++;
      ledger.saved(id);
      isBegun = false;
      n++;
    } catch {
      // Counted by its status; the next round reads the row first.
    }
  }
}

/** @param {Row["canvas_json"]} drawing @param {string} id @param {() => number} random */
function add(drawing, id, random) {
  const [left, top] = [integer(random, 20, 900), integer(random, 20, 550)];
  const z = Math.max(0, ...drawing.objects.map((object) => object.z ?? 0)) + 1;
  const bend = () => integer(random, -40, 40);
  const parts = Array.from({ length: integer(random, 10, 400) }, () => `q20 ${bend()} 40 0`);
  const path = `M${left} ${top}${parts.join("")}`;
  const look = { fill: null, stroke: "#2ecc71", strokeWidth: 3 };
  const stroke = { type: "Path", id, z, path, left, top, ...look };
  drawing.objects.push(stroke);
}

/** @param {Connection} connection @param {Row} row @returns {Promise<boolean>} False for a conflict. */
async function write({ origin, key, fetch }, { id, version, canvas_json }) {
  const query = `id=eq.${id}&version=eq.${version}&select=version`;
  const answer = await fetch(`${origin}/rest/v1/canvas_state?${query}`, {
    method: "PATCH",
    headers: { apikey: key, "content-type": "application/json", prefer: "return=representation" },
    body: JSON.stringify({ canvas_json }),
  });
  const rows = /** @type {unknown[]} */ (await answer.json());
  if (!answer.ok) throw new Error(`saving the row: ${answer.status}`);
  return rows.length === 1;
}

/** A person's whole visit, each step as the library does it. */
const PASSWORD = "correct horse battery staple";

/**
 * Signs somebody up, out and in again, one person after the other. An account that was made stays good.
 *
 * @param {object} options
 * @param {Connection} options.connection
 * @param {string[]} options.accounts Gets the addresses of the accounts that were made.
 * @param {Map<string, number>} options.problems Refusals that have nothing to do with an outage, by text.
 * @param {() => boolean} options.isOver
 */
export async function signInUntil({ connection, accounts, problems, isOver }) {
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

/** @param {Map<string, number>} problems @param {import("@supabase/supabase-js").AuthError} error */
function report(problems, error) {
  // No answer, or one that says to try again.
  if (error.name === "AuthRetryableFetchError" || (error.status ?? 0) >= 502) return;
  const what = `sign-in: ${error.status ?? ""} ${error.code ?? error.name}`;
  problems.set(what, (problems.get(what) ?? 0) + 1);
}

/** @param {Connection} connection @param {string} email @returns {Promise<boolean>} */
export async function canSignIn(connection, email) {
  const { error } = await connect(connection).auth.signInWithPassword({
    email,
    password: PASSWORD,
  });
  return error === null;
}
