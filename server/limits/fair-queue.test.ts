import { expect, test, vi } from "vitest";
import { createFairQueue } from "./fair-queue.ts";

const REFUSAL = new Error("refused");

interface Limits {
  readonly atOnce: number;
  readonly perClient: number;
  readonly serial?: boolean;
}

/** Opens a queue whose work lasts until it is ended by its name. */
function open({ serial = false, ...limits }: Limits) {
  let time = 0;
  const queue = createFairQueue({
    ...limits,
    serial,
    wait: 1_000,
    refuse: () => REFUSAL,
    now: () => time,
  });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const asked: Promise<void>[] = [];
  const ask = (name: string): Promise<void> => {
    const [client = ""] = name.split(" ");
    const done = queue.run(client, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
    });
    asked.push(done);
    return done;
  };
  /** Ends running work, `after` milliseconds later. */
  const end = async (name: string, after: number): Promise<void> => {
    time += after;
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { queue, begun, ask, end, all: () => Promise.all(asked) };
}

test("SRV-22 a client that asks for much waits for itself: another's request is next", async () => {
  const { queue, begun, ask, end, all } = open({ atOnce: 2, perClient: 1 });
  for (const n of [1, 2, 3]) void ask(`greedy ${n}`);
  void ask("other 1");
  expect(begun).toEqual(["greedy 1", "other 1"]);
  void ask("other 2");
  void ask("third 1");
  expect(queue.waiting).toBe(4);
  await end("greedy 1", 10);
  await end("other 1", 10);
  expect(begun.slice(2)).toEqual(["third 1", "greedy 2"]);
  await end("third 1", 10);
  expect(begun.at(-1)).toBe("other 2");
  for (const name of ["greedy 2", "other 2", "greedy 3"]) await end(name, 10);
  await all();
  expect(queue.waiting).toBe(0);
});

test("SRV-22 the client whose requests took the least time is served next, however many it sent", async () => {
  const { begun, ask, end, all } = open({ atOnce: 1, perClient: 1 });
  for (const n of [1, 2, 3]) void ask(`slow ${n}`);
  for (const n of [1, 2, 3, 4]) void ask(`quick ${n}`);
  await end("slow 1", 3_000);
  for (const n of [1, 2, 3]) await end(`quick ${n}`, 5);
  // It arrives after the waiting ones, and has cost nothing yet.
  void ask("new 1");
  await end("quick 4", 5);
  await end("new 1", 5);
  expect(begun).toEqual(["slow 1", "quick 1", "quick 2", "quick 3", "quick 4", "new 1", "slow 2"]);
  await end("slow 2", 3_000);
  await end("slow 3", 3_000);
  await all();
});

test("SRV-22 a client that comes back has saved up nothing, and is not charged for a queue that was empty", async () => {
  const { begun, ask, end, all } = open({ atOnce: 1, perClient: 1 });
  void ask("early 1");
  await end("early 1", 1);
  // The other clients use the queue for long.
  for (const n of [1, 2, 3]) for (const client of ["a", "b"]) void ask(`${client} ${n}`);
  await end("a 1", 500);
  await end("b 1", 500);
  for (const n of [2, 3, 4]) void ask(`early ${n}`);
  for (const name of ["a 2", "b 2"]) await end(name, 500);
  // It begins where the others are, and has taken more time than they have after one request.
  await end("early 2", 600);
  for (const name of ["a 3", "b 3", "early 3", "early 4"]) await end(name, 500);
  expect(begun.slice(3)).toEqual(["a 2", "b 2", "early 2", "a 3", "b 3", "early 3", "early 4"]);
  await all();
  // Nobody waited: the time that each client took is forgotten.
  void ask("a 9");
  void ask("fresh 1");
  void ask("b 9");
  for (const name of ["a 9", "fresh 1", "b 9"]) await end(name, 1);
  expect(begun.slice(-3)).toEqual(["a 9", "fresh 1", "b 9"]);
  await all();
});

test("SRV-22 where one is served after the other, a request costs its own time alone", async () => {
  const { begun, ask, end, all } = open({ atOnce: 2, perClient: 1, serial: true });
  for (const n of [1, 2]) void ask(`slow ${n}`);
  for (const n of [1, 2]) void ask(`quick ${n}`);
  void ask("third 1");
  await end("slow 1", 1_000);
  // It is behind the slow one all the while.
  await end("quick 1", 10);
  await end("third 1", 10);
  expect(begun).toEqual(["slow 1", "quick 1", "third 1", "quick 2", "slow 2"]);
  await end("quick 2", 10);
  await end("slow 2", 10);
  await all();
});

test("SRV-22 work that fails ends, and a request that is not served in time is refused", async () => {
  const { queue, begun, ask, end } = open({ atOnce: 1, perClient: 1 });
  await expect(queue.run("a", () => Promise.reject(new Error("bad")))).rejects.toThrow("bad");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const first = ask("a first");
    const refused = expect(ask("b second")).rejects.toBe(REFUSAL);
    vi.advanceTimersByTime(999);
    const third = ask("b third");
    vi.advanceTimersByTime(1);
    await refused;
    expect(queue.waiting).toBe(1);
    await end("a first", 0);
    vi.advanceTimersByTime(10_000);
    await end("b third", 0);
    await Promise.all([first, third]);
    expect(begun).toEqual(["a first", "b third"]);
  } finally {
    vi.useRealTimers();
  }
});
