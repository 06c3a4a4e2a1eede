/**
 * People who draw, in a process of their own: `node people.ts <module> <url> <key>`, and messages to its parent. They
 * are the product's sync clients over real sockets; data for their devices is stored nowhere.
 */

import type { NewObject } from "../../board/drawing.ts";

const [modulePath = "", url = "", key = ""] = process.argv.slice(2);
const PEOPLE = 20;
const SECONDS = 60;
/** Longest pause after a stroke, in seconds. */
const LONGEST = 8;
/** Greatest number of seconds until everything is saved. */
const PATIENCE = 120;
const POINTS = 40;

const { openPerson } = (await import(modulePath)) as typeof import("./client.ts");

const counts = { saves: 0, lost: 0, reads: 0, sent: 0, received: 0 };

async function countingFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  const text = await response.text();
  if (init?.method === "PATCH" || init?.method === "POST") {
    const { body } = init;
    if (body instanceof Blob) counts.sent += body.size;
    else if (typeof body === "string") counts.sent += body.length;
    counts[response.ok && text !== "[]" ? "saves" : "lost"] += 1;
  } else if (text.includes('"canvas_json"')) {
    counts.reads += 1;
    counts.received += text.length;
  }
  return new Response(response.status === 204 ? null : text, response);
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const people = Array.from({ length: PEOPLE }, () => openPerson(url, key, countingFetch));

function stroke(): NewObject {
  const step = () => Math.round(Math.random() * 80 - 40) / 10;
  const path = `M0 0${Array.from({ length: POINTS }, () => `q${step()} ${step()} ${step()} ${step()}`).join("")}`;
  const left = Math.random() * 900;
  return { type: "Path", path, left, top: left, stroke: "#000000", strokeWidth: 3, fill: null };
}

async function draw(person: (typeof people)[number]) {
  const end = Date.now() + SECONDS * 1000;
  const ids = [];
  await wait(Math.random() * 3000);
  while (Date.now() < end) {
    ids.push(...person.editor.add([stroke()]).map(({ id }: { id: string }) => id));
    await wait(1000 * (1 + Math.random() * (LONGEST - 1)));
  }
  return ids;
}

for (const person of people) await person.start();
const online = () => people.every((person) => person.presence.get().online === PEOPLE);
while (!online()) await wait(100);
Object.assign(counts, { saves: 0, lost: 0, reads: 0, sent: 0, received: 0 });
process.send?.("begin");
const cpu = process.cpuUsage();
const drawn = (await Promise.all(people.map(draw))).flat();
const minute = { ...counts };
process.send?.("minute");
const stopped = Date.now();
const isSaved = () => people.every((person) => person.saveState.get().state === "saved");
while (!isSaved() && Date.now() - stopped < PATIENCE * 1000) await wait(100);
const settled = Date.now() - stopped;
const { user, system } = process.cpuUsage(cpu);
process.send?.({
  ...{ drawn: drawn.length, ids: drawn, minute, all: { ...counts } },
  settled: isSaved() ? settled : null,
  cpu: (user + system) / 1e6,
});
for (const person of people) await person.dispose();
process.disconnect?.();
