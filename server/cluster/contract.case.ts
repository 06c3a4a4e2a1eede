/** The tests that every driver of the port must pass. */

import { afterEach, describe, expect, test } from "vitest";
import type { Cluster, ClusterBroadcast, PresenceChange, PresenceMetas } from "./port.ts";

interface DriverCase {
  readonly name: string;
  /** Opens `count` processes that know each other. */
  readonly open: (count: number) => Promise<readonly Cluster[]>;
  /** The reason why the driver never has more than one process, if so. */
  readonly alone?: string;
}

interface Received {
  readonly cluster: Cluster;
  readonly broadcasts: ClusterBroadcast[];
  readonly changes: { readonly topic: string; readonly change: PresenceChange }[];
}

export const TOPIC = "public:realtime:canvas-room";
const OTHER = "public:realtime:other";

export const metas = (key: string, ref: string): PresenceMetas =>
  new Map([[key, [{ ref, json: `{"phx_ref":"${ref}"}` }]]]);
export const joined = (key: string, ref: string): PresenceChange => ({
  joins: metas(key, ref),
  leaves: new Map(),
});
export const left = (key: string, ref: string): PresenceChange => ({
  joins: new Map(),
  leaves: metas(key, ref),
});
export const refs = (presence: PresenceMetas): string[] =>
  [...presence].flatMap(([key, list]) => list.map(({ ref }) => `${key}/${ref}`)).toSorted();

export async function listen(cluster: Cluster): Promise<Received> {
  const received: Received = { cluster, broadcasts: [], changes: [] };
  await cluster.start({
    broadcast: (message) => void received.broadcasts.push(message),
    presence: (topic, change) => void received.changes.push({ topic, change }),
  });
  return received;
}

const drawing: ClusterBroadcast = {
  topic: TOPIC,
  event: "canvas-update",
  encoding: 1,
  payload: Buffer.from('{"clientId":"é"}'),
};

export function clusterContract(driver: DriverCase): void {
  const alone = driver.alone === undefined ? "" : ` (${driver.alone})`;
  const shared = driver.alone === undefined ? test : test.skip;
  const opened: Cluster[] = [];

  async function processes(count: number): Promise<readonly Received[]> {
    const clusters = await driver.open(count);
    opened.push(...clusters);
    return Promise.all(clusters.map(listen));
  }

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((cluster) => cluster.close()));
  });

  describe(`cluster driver ${driver.name}`, () => {
    test("CLU-2 a process does not receive its own broadcasts and presences", async () => {
      const [one, two] = await processes(driver.alone === undefined ? 2 : 1);
      one!.cluster.join(TOPIC);
      two?.cluster.join(TOPIC);
      // A message that another process sends after an own message completed its round arrives after the own one would
      // have.
      const other = { ...drawing, event: "other" };
      for (const round of ["1", "2"]) {
        one!.cluster.presence(TOPIC, joined("a", round));
        one!.cluster.broadcast(TOPIC, [drawing]);
        if (two === undefined) continue;
        await expect
          .poll(() => {
            one!.cluster.broadcast(TOPIC, [drawing]);
            return [two.broadcasts.length > 0, refs(two.cluster.remotePresence(TOPIC)).length];
          })
          .toEqual([true, Number(round)]);
        const before = one!.broadcasts.length;
        await expect
          .poll(() => {
            two.cluster.broadcast(TOPIC, [other]);
            return one!.broadcasts.length;
          })
          .toBeGreaterThan(before);
      }
      expect(one!.broadcasts.filter(({ event }) => event !== "other")).toEqual([]);
      expect(one!.changes).toEqual([]);
      expect(one!.cluster.remotePresence(TOPIC).size).toBe(0);
    });

    test("calls in any order, twice, and after the end are harmless", async () => {
      const [one] = await processes(1);
      const { cluster } = one!;
      cluster.leave(TOPIC);
      cluster.join(TOPIC);
      cluster.join(TOPIC);
      cluster.leave(TOPIC);
      cluster.presence(TOPIC, joined("a", "1"));
      await cluster.close();
      await cluster.close();
      cluster.join(TOPIC);
      cluster.broadcast(TOPIC, [drawing]);
      expect(cluster.remotePresence(TOPIC).size).toBe(0);
    });

    shared(`CLU-2 a broadcast reaches the other processes byte by byte${alone}`, async () => {
      const [one, two] = await processes(2);
      one!.cluster.join(TOPIC);
      two!.cluster.join(TOPIC);
      const binary = {
        ...drawing,
        event: "ü",
        encoding: 0 as const,
        payload: Buffer.from([0, 255, 1]),
      };
      await expect
        .poll(() => {
          one!.cluster.broadcast(TOPIC, [drawing]);
          return two!.broadcasts.length;
        })
        .toBeGreaterThan(0);
      one!.cluster.broadcast(TOPIC, [binary]);
      await expect.poll(() => two!.broadcasts.at(-1)?.event).toBe("ü");
      expect(two!.broadcasts[0]).toEqual(drawing);
      expect(two!.broadcasts.at(-1)).toEqual(binary);
      expect(one!.broadcasts).toEqual([]);
    });

    shared(`CLU-2 a process receives only of topics that it has joined${alone}`, async () => {
      const [one, two] = await processes(2);
      two!.cluster.join(OTHER);
      two!.cluster.join(TOPIC);
      await expect
        .poll(() => {
          one!.cluster.broadcast(TOPIC, [drawing]);
          return two!.broadcasts.length;
        })
        .toBeGreaterThan(0);
      two!.cluster.leave(TOPIC);
      const before = two!.broadcasts.length;
      one!.cluster.broadcast(TOPIC, [drawing]);
      await expect
        .poll(() => {
          one!.cluster.broadcast(OTHER, [{ ...drawing, topic: OTHER }]);
          return two!.broadcasts.filter(({ topic }) => topic !== TOPIC).length;
        })
        .toBeGreaterThan(0);
      expect(two!.broadcasts.filter(({ topic }) => topic === TOPIC).length).toBe(before);
    });

    shared(`CLU-4 presences cross, and a process that joins later gets them${alone}`, async () => {
      const [one, two, joining] = await processes(3);
      one!.cluster.join(TOPIC);
      two!.cluster.join(TOPIC);
      one!.cluster.presence(TOPIC, joined("a", "1"));
      one!.cluster.presence(TOPIC, joined("__proto__", "2"));
      await expect
        .poll(() => refs(two!.cluster.remotePresence(TOPIC)))
        .toEqual(["__proto__/2", "a/1"]);
      joining!.cluster.join(TOPIC);
      await expect
        .poll(() => refs(joining!.cluster.remotePresence(TOPIC)))
        .toEqual(["__proto__/2", "a/1"]);
      one!.cluster.presence(TOPIC, left("a", "1"));
      for (const process of [two!, joining!]) {
        await expect
          .poll(() => refs(process.cluster.remotePresence(TOPIC)))
          .toEqual(["__proto__/2"]);
        expect(process.changes.at(-1)).toEqual({ topic: TOPIC, change: left("a", "1") });
      }
      expect(refs(one!.cluster.remotePresence(TOPIC))).toEqual([]);
    });

    shared(`CLU-5 a process that stops takes its presences with it at once${alone}`, async () => {
      const [one, two] = await processes(2);
      one!.cluster.join(TOPIC);
      two!.cluster.join(TOPIC);
      one!.cluster.presence(TOPIC, joined("a", "1"));
      await expect.poll(() => refs(two!.cluster.remotePresence(TOPIC))).toEqual(["a/1"]);
      await one!.cluster.close();
      await expect.poll(() => refs(two!.cluster.remotePresence(TOPIC))).toEqual([]);
      expect(two!.changes.at(-1)?.change).toEqual(left("a", "1"));
    });
  });
}
