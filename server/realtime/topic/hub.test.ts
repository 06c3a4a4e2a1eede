import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { createLocalCluster } from "../../cluster/local.ts";
import type { ClusterEvents } from "../../cluster/port.ts";
import type { Member } from "../wire/member.ts";
import { Hub, topicKey } from "./hub.ts";
import type { BroadcastContent } from "../wire/outgoing.ts";
import { parseRealtimeSettings } from "../settings/settings.ts";

const KEY = topicKey("realtime:canvas-room", false);

const content = (event: string): BroadcastContent => ({
  event,
  encoding: 1,
  payload: Buffer.from("{}"),
  checked: true,
});

/** Makes a hub, with the messages that it has sent to other processes, and a way to send it theirs. */
async function makeHub() {
  const parsed = parseRealtimeSettings({});
  if (!parsed.ok) throw new Error("the defaults are wrong");
  const published: string[][] = [];
  const peers: { receive?: ClusterEvents["broadcast"] } = {};
  const hub = new Hub({
    settings: parsed.settings,
    cluster: {
      ...createLocalCluster(),
      start: async ({ broadcast }: ClusterEvents) => void (peers.receive = broadcast),
      isShared: () => true,
      broadcast: (_, messages) => void published.push(messages.map(({ event }) => event)),
    },
  });
  await hub.start();
  const member = (): Member => {
    const socket = new Writable({ write: (_chunk, _encoding, done) => done() });
    const receiver = { version: 2, socket, webSocket: { readyState: 1 }, giveUp: () => {} };
    return { receiver, self: false, index: 0, stamp: 0 } as unknown as Member;
  };
  const sender = member();
  const topic = hub.enter(KEY, sender);
  for (let n = 1; n < 20; n++) hub.enter(KEY, member());
  return { hub, topic, sender, published, peers };
}

const afterRead = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

test("CLU-2 a process sends the others only its own broadcasts, batched as it delivers them", async () => {
  const { hub, topic, sender, published, peers } = await makeHub();
  hub.broadcast(topic, content("a"), sender);
  peers.receive!({ topic: KEY, event: "theirs", encoding: 1, payload: Buffer.from("{}") });
  hub.post(KEY, content("b"));
  await afterRead();
  expect(published).toEqual([["a", "b"]]);
  hub.broadcast(topic, content("c"), sender);
  hub.post(topicKey("realtime:elsewhere", false), content("d"));
  expect(published).toEqual([["a", "b"], ["d"]]);
  hub.flush();
  expect(published).toEqual([["a", "b"], ["d"], ["c"]]);
  peers.receive!({ topic: KEY, event: "theirs", encoding: 1, payload: Buffer.from("{}") });
  hub.flush();
  expect(published).toHaveLength(3);
});

test("RT-21 a large broadcast of another process waits as well, and crosses only when it passes", async () => {
  const { hub, topic, sender, published, peers } = await makeHub();
  const large = { ...content("large"), payload: Buffer.alloc(4_000_000) };
  hub.broadcast(topic, large, sender);
  hub.broadcast(topic, large, sender);
  peers.receive?.({ topic: KEY, ...large });
  hub.flush();
  expect(published).toEqual([["large"]]);
  expect(hub.counts.broadcasts).toBe(1);
  topic.dispose();
});
