/** The attacks of a hostile visitor. Each continues until the process ends. */

import { WebSocket } from "ws";
import { sleep } from "../installation/tools.ts";
import { connectionAttacksOn } from "./connections.ts";

/** Bytes of the existing drawing, and of the saves of a hostile visitor. */
export const DRAWING_BYTES = 9 * 1024 * 1024;
/** The number of simultaneous requests, and of sockets. */
const IN_FLIGHT = 30;
const SOCKETS = 50;
/** Size of one broadcast, in bytes. */
const BROADCAST_BYTES = 100_000;
const TOPIC = "realtime:canvas-room";

/** The header by which the proxy in front would identify this visitor. */
const FROM = { "x-forwarded-for": "192.0.2.1" };
/** The number of addresses of a visitor who has several. */
const ADDRESSES = 30;
const FROM_EACH = 2;
/** The fields of the drawing in one read, as many as it may name. */
const FIELDS = `select=${Array.from({ length: 5 }, (_, at) => `f${at}:canvas_json->objects->${at}`).join()}`;

/** The name of an attack. */
export type AttackName = keyof ReturnType<typeof attacksOn>;

/** Keeps so many calls in progress. */
const flood = (call: () => Promise<Response>, count = IN_FLIGHT) =>
  Promise.all(
    Array.from({ length: count }, async () => {
      for (;;)
        await call()
          .then((answer) => answer.arrayBuffer())
          // The call was refused, and the next one follows soon.
          .catch(() => sleep(5));
    }),
  );

/** Opens a socket, joins, and sends what `next` returns as often as the socket takes it. */
async function talk(address: string, next: () => string) {
  for (;;) {
    const socket = new WebSocket(address, { headers: FROM });
    const isOpen = () => socket.readyState === WebSocket.OPEN;
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.on("error", () => {});
    socket.once("open", async () => {
      while (isOpen()) {
        socket.send(next());
        while (isOpen() && socket.bufferedAmount > 0) await sleep(1);
        await sleep(1);
      }
    });
    await closed;
    await sleep(100);
  }
}

/** Returns the attacks by name. */
export function attacksOn(url: string, key: string) {
  const headers = { ...FROM, apikey: key, "content-type": "application/json" };
  const table = `${url}/rest/v1/canvas_state`;
  const address = `${url.replace("http", "ws")}/realtime/v1/websocket?apikey=${key}&vsn=2.0.0`;
  let count = 0;
  const post = (path: string, body: object) =>
    fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  const write = (filter: string, body: string) =>
    fetch(`${table}?${filter}`, { method: "PATCH", headers, body });
  const slow = (length: number) => `canvas_json->>objects=ilike.*${"x".repeat(length)}y*`;
  const sockets = (next: () => string) =>
    Promise.all(Array.from({ length: SOCKETS }, () => talk(address, next)));
  const join = JSON.stringify(["1", "1", TOPIC, "phx_join", {}]);
  const text = "x".repeat(BROADCAST_BYTES);
  const payload = { type: "broadcast", event: "note", payload: { text } };
  const broadcast = JSON.stringify(["1", "2", TOPIC, "broadcast", payload]);
  const large = JSON.stringify({ canvas_json: { objects: ["x".repeat(DRAWING_BYTES)] } });
  /**
   * Returns a drawing of another client each time, over all processes of this attack: from the first one of a client, of
   * which nothing can be read, no page concludes that anything was removed.
   */
  const drawing = () => ({
    clientId: `hostile-${process.pid}-${count++}`,
    json: { objects: ["x".repeat(DRAWING_BYTES)] },
  });
  /** Returns a body that differs from the one before. */
  const another = () => large.replace("x", String(count++ % 10));
  const read = (query: string, more?: Record<string, string>) =>
    fetch(`${table}?${query}`, { headers: { ...headers, ...more } });
  const inside = "select=a:canvas_json->a,b:canvas_json->b,c:canvas_json->objects->0";
  return {
    "reads without a pause beside saves": () =>
      Promise.all([
        flood(() => read("select=canvas_json"), 1),
        flood(() => read(inside), 1),
        flood(() => write("version=gte.0", another()), 1),
      ]),
    "reads without a pause beside large writes": () =>
      Promise.all([
        flood(() => read("select=canvas_json"), 1),
        flood(() => read(inside), 1),
        flood(() => write("version=lt.0", another()), 1),
      ]),
    "slow reads from 30 addresses": () =>
      Promise.all(
        Array.from({ length: ADDRESSES }, (_, at) =>
          flood(
            () =>
              read(count++ % 2 === 0 ? `select=id&${slow(45)}` : FIELDS, {
                "x-forwarded-for": `198.51.100.${at}`,
              }),
            FROM_EACH,
          ),
        ),
      ),
    "slow reads": () => flood(() => fetch(`${table}?select=id&${slow(45)}`, { headers })),
    "reads of the drawing": () => flood(() => fetch(`${table}?select=canvas_json`, { headers })),
    "slow writes": () => flood(() => write(slow(6), '{"canvas_json":{}}')),
    "saves of a large drawing": () => flood(() => write("version=gte.0", large)),
    "sign-ups, sign-ins and mails": () =>
      flood(() => {
        const account = { email: `hostile-${count++}@example.org`, password: "a long password" };
        const paths = ["/auth/v1/signup", "/auth/v1/token?grant_type=password", "/auth/v1/otp"];
        return post(paths[count % paths.length] ?? "", account);
      }),
    "joins of 100 topics": () =>
      sockets(() => JSON.stringify(["1", "1", `${TOPIC}-${count++ % 100}`, "phx_join", {}])),
    "broadcasts of 100 KB": () => sockets(() => (count++ % 500 < SOCKETS ? join : broadcast)),
    "broadcasts over HTTP": () => {
      const messages = [{ topic: "canvas-room", event: "note", payload: { text } }];
      return flood(() => post("/realtime/v1/api/broadcast", { messages }));
    },
    "drawings of 9 MB over HTTP": () =>
      flood(() => post("/realtime/v1/api/broadcast/canvas-room/events/canvas-update", drawing())),
    ...connectionAttacksOn(url, key, address),
  } satisfies Record<string, () => Promise<unknown>>;
}
