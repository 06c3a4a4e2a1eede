import { expect, test } from "vitest";
import { createRandom } from "../installation/tools.ts";
import { shuffled, CAUSES } from "./interruptions.ts";
import { slowSaves } from "./hostile.ts";
import { judgeCollected, judgeProcesses, sparkline } from "./judge.ts";
import { createLedger } from "./ledger.ts";
import { kindOf } from "../installation/answers.ts";
import { metric } from "./samples.ts";

const MINUTES = Array.from({ length: 40 }, (_, n) => n);

/** Returns samples of one process that lives throughout, and of one that is replaced every 10 samples. */
function samples(resident: (n: number) => number): Parameters<typeof judgeProcesses>[0] {
  return MINUTES.map((n) => {
    const one = { name: "process 1", generation: 0, age: 10 * n, rss: resident(n), heap: 30 };
    const two = { ...one, name: "process 2", generation: Math.floor(n / 10), age: 10 * (n % 10) };
    const rest = { delay: 0, cpu: 0, sockets: 0, files: 0, pool: 0, waiting: 0, peers: 2 };
    const counts = { saves: 0, conflicts: 0, log: 0 };
    const processes = [one, two].map((sample) => ({ ...sample, ...rest, ...counts }));
    return { minute: n, at: 60_000 * n, processes, heaps: [] };
  });
}

test("memory that varies is flat, memory that grows by more than a tenth and 10 MB is not", () => {
  const all = (resident: (n: number) => number) => judgeProcesses(samples(resident), "");
  const flat = all((n) => 100 + 5 * (n % 3));
  expect(flat.map(({ isFlat }) => isFlat)).toEqual([true, true]);
  const growing = all((n) => 100 + 2 * n);
  expect(growing.filter(({ isFlat }) => !isFlat).map(({ what }) => what)).toEqual([
    "process 1, resident",
    "process 2, 4 processes one after the other, resident at the same age",
  ]);
  const rest = judgeProcesses(
    samples((n) => 100 + 2 * n),
    "process 1",
  );
  expect(rest.map(({ what }) => what)).toEqual([growing[1]?.what]);
  expect(judgeCollected("too short", [1, 2, 3])).toEqual([]);
  const collected = (last: number): boolean | undefined =>
    judgeCollected("process 1", [26, 26, 26, last])[0]?.isFlat;
  expect([collected(30), collected(31)]).toEqual([true, false]);
});

test("a stroke that was removed may be missing, any other one may not", () => {
  const ledger = createLedger();
  for (const id of ["a-0", "a-1", "a-2"]) ledger.drew(id, "page 1");
  ledger.saved("a-1");
  ledger.removed("a-2");
  expect(ledger.missing(new Set(["a-0"]), () => true)).toEqual(["a-1 of page 1, said to be saved"]);
  expect(ledger.missing(new Set(), ({ savedAt }) => savedAt !== null)).toHaveLength(1);
  expect(ledger.missing(new Set(), () => true)).toHaveLength(2);
  expect(ledger.counts()).toEqual({ drawn: 3, saved: 1, removed: 1 });
});

test("a 503 of the product, of the balancer, and one without Retry-After are different kinds", () => {
  const headers = (entries: Record<string, string>): Headers => new Headers(entries);
  const own = { "x-process": "one", "content-type": "application/json" };
  expect(kindOf(503, headers({ ...own, "retry-after": "5" }))).toBe("503");
  expect(kindOf(503, headers(own))).toBe("503 without Retry-After");
  expect(kindOf(500, headers(own))).toBe("500");
  expect(kindOf(502, headers({ "content-type": "text/html" }))).toBe("balancer 502");
  expect(kindOf(204, headers({}))).toBe("2xx");
});

test("one seed gives one order of interruptions, each of which comes once", () => {
  expect(shuffled(createRandom(7))).toEqual(shuffled(createRandom(7)));
  expect(shuffled(createRandom(7))).not.toEqual(shuffled(createRandom(8)));
  expect(shuffled(createRandom(7)).toSorted()).toEqual(Object.keys(CAUSES).toSorted());
});

test("metrics are read by name and label, and a curve has a character for each value", () => {
  const text = '# HELP a b\na 3\nb{state="used"} 4\n';
  expect([metric(text, "a"), metric(text, 'b{state="used"}'), metric(text, "c")]).toEqual([
    3, 4, 0,
  ]);
  expect(sparkline([0, 4, 8])).toBe("▁▅█");
});

test("a save of more than 10 s is too slow, unless a backend it needs was interrupted within 20 s before it", () => {
  const saves = [0, 40_000, 100_000].map((begin) => ({ begin, end: begin + 10_001 }));
  const quick = { begin: 200_000, end: 210_000 };
  const interruptions = [
    { cause: "PostgreSQL frozen", begin: 15_000, end: 25_000 },
    { cause: "Redis killed", begin: 95_000, end: 105_000 },
  ];
  expect(slowSaves([...saves, quick], interruptions)).toEqual([saves[0], saves[2]]);
});
