import { expect, test, vi } from "vitest";
import { createTurns } from "./turns.ts";

const REFUSAL = new Error("refused");

/** Turns whose work lasts until it is ended by its name. */
function open(limits: { atOnce: number; perClient: number }) {
  const turns = createTurns({ ...limits, wait: 1_000, refuse: () => REFUSAL });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (client: string, name: string): Promise<string> =>
    turns.run(client, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      return name;
    });
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { turns, begun, ask, end };
}

test("SRV-22 a client that asks for much waits for itself: another's request is next", async () => {
  const { turns, begun, ask, end } = open({ atOnce: 2, perClient: 1 });
  const greedy = [1, 2, 3, 4].map((n) => ask("greedy", `greedy ${n}`));
  const other = ask("other", "other 1");
  expect(begun).toEqual(["greedy 1", "other 1"]);
  const later = [ask("other", "other 2"), ask("third", "third 1")];
  expect(turns.waiting).toBe(5);
  await end("greedy 1");
  await end("other 1");
  // In turn: nobody gets a second one before each has had a first.
  expect(begun).toEqual(["greedy 1", "other 1", "greedy 2", "other 2"]);
  await end("greedy 2");
  expect(begun.at(-1)).toBe("third 1");
  for (const name of ["third 1", "greedy 3", "other 2", "greedy 4"]) await end(name);
  expect(await Promise.all([...greedy, other, ...later])).toHaveLength(7);
  expect(turns.waiting).toBe(0);
});

test("SRV-22 work that fails ends its turn, and a turn that does not come in time is refused", async () => {
  const { turns, begun, ask, end } = open({ atOnce: 1, perClient: 1 });
  await expect(turns.run("a", () => Promise.reject(new Error("bad")))).rejects.toThrow("bad");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const first = ask("a", "first");
    const refused = expect(ask("b", "second")).rejects.toBe(REFUSAL);
    vi.advanceTimersByTime(999);
    const third = ask("b", "third");
    vi.advanceTimersByTime(1);
    await refused;
    expect(turns.waiting).toBe(1);
    await end("first");
    vi.advanceTimersByTime(10_000);
    await end("third");
    expect(await Promise.all([first, third])).toEqual(["first", "third"]);
    expect(begun).toEqual(["first", "third"]);
  } finally {
    vi.useRealTimers();
  }
});
