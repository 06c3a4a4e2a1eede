/** Tests presence in a crowd: pages get summaries, and the client library every key. */

import { createClient } from "@supabase/supabase-js";
import { afterEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import {
  openClient,
  startRealtime,
  type BareClient,
  type RealtimeServer,
} from "../../../testing/servers/realtime.ts";

const TOPIC = "realtime:canvas-room";

let server: RealtimeServer | undefined;
afterEach(() => server?.stop());

const EVENTS = ["presence_state", "presence_diff", "presence_summary"];

const presences = ({ frames }: BareClient) => frames.filter(({ event }) => EVENTS.includes(event));

/** Returns how many people are online according to the messages that a page was sent. */
function online(page: BareClient): number {
  const keys = new Set<string>();
  let count: number | null = null;
  for (const { event, payload } of presences(page)) {
    count = event === "presence_summary" ? payload.online : null;
    if (event === "presence_state") keys.clear();
    const joins = event === "presence_diff" ? payload.joins : payload;
    if (event !== "presence_summary") for (const key of Object.keys(joins)) keys.add(key);
    if (event === "presence_diff") for (const key of Object.keys(payload.leaves)) keys.delete(key);
  }
  return count ?? keys.size;
}

/** Joins and tracks, as the page does. */
async function arrive(to: RealtimeServer, key: string, more: object = {}): Promise<BareClient> {
  const page = await openClient(to);
  const joinRef = await page.join(TOPIC, { presence: { key, enabled: true, summary: true } });
  const payload = { online_at: "2026-11-22T10:00:00.000Z", partial: true, ...more };
  const message = { type: "presence", event: "track", payload };
  await page.reply(page.push(TOPIC, "presence", message, joinRef));
  return page;
}

async function openLibrary(to: RealtimeServer, key: string) {
  const library = createClient(to.origin, to.keys.anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: WebSocket as never },
  });
  const channel = library.channel("canvas-room", { config: { presence: { key } } });
  channel.on("presence", { event: "sync" }, () => undefined);
  await new Promise<void>((resolve) => {
    channel.subscribe((status) => status === "SUBSCRIBED" && resolve());
  });
  await channel.track({ who: key });
  return {
    keys: () => Object.keys(channel.presenceState()).length,
    close: () => library.removeAllChannels(),
  };
}

test("RT-46 400 pages that arrive cost less than 5 MB and have the right count; the client library has every key, and beyond the crowd everybody has", async () => {
  server = await startRealtime();
  const libraries = [await openLibrary(server, "plain1"), await openLibrary(server, "plain2")];
  const pages: BareClient[] = [];
  while (pages.length < 400)
    pages.push(
      ...(await Promise.all(
        Array.from({ length: 20 }, (_, n) => {
          const number = pages.length + n;
          return arrive(server!, `page${number}`, { name: `Name ${number}` });
        }),
      )),
    );
  await expect.poll(() => pages.every((page) => online(page) === 402)).toBe(true);
  await expect.poll(() => libraries.every(({ keys }) => keys() === 402)).toBe(true);
  expect(server.app.realtimeStats().presenceBytes).toBeLessThan(5_000_000);
  // The page that arrived last was sent summaries alone: the first contains the list, the others the changes.
  const [first, ...next] = presences(pages.at(-1)!);
  expect(first).toMatchObject({ event: "presence_summary", payload: { plain: 2 } });
  expect(first!.payload.people.length).toBe(100);
  expect(first!.payload.people.slice(0, 3)).toEqual([
    ["plain1"],
    ["plain2"],
    expect.arrayContaining([expect.stringMatching(/^page/), expect.stringMatching(/^Name/)]),
  ]);
  expect(next.every(({ event, payload }) => event === "presence_summary" && !payload.people)).toBe(
    true,
  );
  for (const page of pages.splice(100)) page.close();
  await expect.poll(() => pages.every((page) => online(page) === 102)).toBe(true);
  expect(pages.every((page) => presences(page).at(-1)!.event !== "presence_summary")).toBe(true);
  await expect.poll(() => libraries.every(({ keys }) => keys() === 102)).toBe(true);
  for (const { close } of libraries) await close();
  for (const page of pages) page.close();
}, 30_000);

test("RT-46 a topic whose presences go to and fro about the limit does not; a client that asks for no summary gets none; and no client makes one", async () => {
  server = await startRealtime({ env: { REALTIME_PRESENCE_SUMMARY_KEYS: "10" } });
  const pages: BareClient[] = [];
  const add = async (count: number): Promise<void> => {
    while (count-- > 0) pages.push(await arrive(server!, `page${pages.length}`));
  };
  const plain = await openClient(server);
  await plain.join(TOPIC, { presence: { key: "plain", enabled: true } });
  await add(10);
  const [watching] = pages as [BareClient];
  await expect.poll(() => online(watching)).toBe(10);
  const kinds = (client: BareClient): string[] =>
    presences(client).map(({ event }) => event.slice("presence_".length));
  expect(kinds(watching)).not.toContain("summary");
  await add(1);
  await expect.poll(() => online(watching)).toBe(11);
  expect(kinds(watching).at(-1)).toBe("summary");
  const before = kinds(watching).length;
  pages.pop()!.close();
  await expect.poll(() => online(watching)).toBe(10);
  await add(1);
  await expect.poll(() => online(watching)).toBe(11);
  expect(new Set(kinds(watching).slice(before))).toEqual(new Set(["summary"]));
  for (const page of pages.splice(8)) page.close();
  await expect.poll(() => online(watching)).toBe(8);
  const after = kinds(watching);
  expect(after.lastIndexOf("state")).toBeGreaterThan(after.lastIndexOf("summary"));
  expect(kinds(plain)).not.toContain("summary");
  expect(online(plain)).toBe(8);
  const forged = { online: 5, plain: 5, people: [] };
  const sent = plain.push(TOPIC, "presence_summary", forged);
  expect((await plain.reply(sent)).response).toEqual({ reason: "unmatched topic" });
  const message = { type: "presence", event: "presence_summary", payload: forged };
  expect((await plain.reply(plain.push(TOPIC, "presence", message))).status).toBe("error");
  plain.push(TOPIC, "broadcast", {
    type: "broadcast",
    event: "presence_summary",
    payload: forged,
  });
  const got = await watching.next(({ event }) => event === "broadcast");
  expect(got.payload.event).toBe("presence_summary");
  expect(kinds(watching)).toEqual(after);
  for (const client of [plain, ...pages]) client.close();
});
