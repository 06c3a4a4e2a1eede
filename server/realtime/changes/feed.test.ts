import { expect, test } from "vitest";
import type { RowChange } from "../../storage/port.ts";
import type { Topic } from "../topic/topic.ts";
import type { Member } from "../wire/member.ts";
import { ChangeFeed, type Subscriber } from "./feed.ts";

const ID = "e8989dd4-eda0-4b40-b21d-086d0332ff79";
const row = { id: ID, version: 1, updatedAt: "2026-11-21T00:08:09.291+00:00", drawing: null };
const change: RowChange = { type: "UPDATE", oldId: ID, row, committedAt: row.updatedAt };

/** Returns a feed, and a function that reports a change to it as the database does. `readable` gives the rights. */
function setUp(readable: (role: string, id: string | null) => Promise<readonly string[]>) {
  let report: (change: RowChange) => void = () => {};
  const feed = new ChangeFeed({
    database: {
      rowChanges: {
        watch: async (listener) => {
          report = listener;
          return { stop: () => {} };
        },
        readable,
      },
    },
    log: { warn: () => {} } as never,
    clock: { now: () => 0, after: () => () => {} },
  });
  const subscribe = (sendTo: () => void) => {
    const fanout = { sendTo };
    const topic = { key: "public:realtime:a", name: "realtime:a", fanout } as unknown as Topic;
    const subscriber: Subscriber = { topic, member: {} as Member, role: "anon" };
    return feed.subscribe(subscriber, [{ event: "*", table: "canvas_state" }]);
  };
  return { subscribe, report: (change: RowChange) => report(change) };
}

test("RT-50 a subscription that ends late, in a topic that all had left, ends none of those who joined it again", async () => {
  const asked: (() => void)[] = [];
  const { subscribe, report } = setUp(
    (_role, id) =>
      new Promise((resolve) => {
        if (id === null) asked.push(() => resolve(["id"]));
        else resolve(["id"]);
      }),
  );
  const reached: string[] = [];
  const [first, second] = ["first", "second"].map((name) =>
    subscribe(() => void reached.push(name)),
  );
  asked[1]?.();
  expect((await second)?.ok).toBe(true);
  asked[0]?.();
  const ended = await first;
  if (ended?.ok) ended.stop();
  report(change);
  await expect.poll(() => reached).toEqual(["second"]);
});

test("RT-54 of changes that arrive while the database is asked for the rights of one the last 32 are kept", async () => {
  const asked: string[] = [];
  let answer: () => void = () => {};
  const first = new Promise<void>((resolve) => (answer = resolve));
  const { subscribe, report } = setUp(async (_role, id) => {
    if (id !== null) {
      asked.push(id);
      await first;
    }
    return ["id"];
  });
  expect((await subscribe(() => {})).ok).toBe(true);
  for (let n = 0; n < 100; n++) report({ ...change, row: { ...row, id: `${n}` } });
  answer();
  await expect.poll(() => asked.at(-1)).toBe("99");
  expect(asked).toEqual(["0", ...Array.from({ length: 32 }, (_, n) => `${68 + n}`)]);
});
