/**
 * Keeps the server busy, in a process of its own: `node load.ts sockets|saves <url> <key> <id>`. Says "ready", and
 * runs until it is disconnected.
 */

import { gather, makeMessage, makePayload, probe, talk } from "../fanout/people.ts";

/** A busy channel: 6,000 deliveries a second of 2 KB. */
const CROWD = { people: 100, rate: 60, bytes: 2_000 };
const SAVE_BYTES = 10_000_000;
const PART_BYTES = 10_000;

const [what = "", url = "", key = "", id = ""] = process.argv.slice(2);

async function sockets() {
  const people = await gather(Number(new URL(url).port), CROWD.people, 2, true, key);
  const frame = makeMessage(2, makePayload(CROWD.bytes));
  const size = await probe(people, frame);
  process.send?.("ready");
  for (;;) await talk(people, frame, { rate: CROWD.rate, seconds: 60, random: Math.random, size });
}

async function saves() {
  const parts = Array(SAVE_BYTES / PART_BYTES).fill(makePayload(PART_BYTES));
  const body = `{"canvas_json":{"objects":[${parts.join()}]}}`;
  const target = `${url}/rest/v1/canvas_state?id=eq.${id}`;
  const headers = { apikey: key, "content-type": "application/json" };
  for (let first = true; ; first = false) {
    const { status } = await fetch(target, { method: "PATCH", headers, body });
    if (status !== 204) throw new Error(`a save was answered with ${status}`);
    if (first) process.send?.("ready");
  }
}

process.on("disconnect", () => process.exit(0));
await (what === "sockets" ? sockets() : saves());
