import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Author } from "./drawing.ts";
import {
  countRuns,
  countSeen,
  lastSeen,
  lifeSeen,
  markSeen,
  readRuns,
  readSeen,
  uniteSeen,
  writeSeen,
} from "./seen.ts";
import type { Seen } from "./seen.ts";

const author = "abc" as Author;
const other = "abd" as Author;
const mark = fc.tuple(fc.nat(40), fc.nat(3));
const marks = fc.array(mark, { maxLength: 60 });

function seenOf(list: readonly (readonly [number, number])[]): Seen {
  const seen: Seen = new Map();
  for (const [seq, life] of list) markSeen(seen, author, seq, life);
  return seen;
}

/** The same, as simply as can be. */
function modelOf(list: readonly (readonly [number, number])[]): number[] {
  const lives = Array.from({ length: 42 }, () => -1);
  for (const [seq, life] of list) lives[seq] = Math.max(lives[seq] ?? -1, life);
  return lives;
}

function expectModel(seen: Seen, model: readonly number[]): void {
  model.forEach((life, seq) => expect(lifeSeen(seen, author, seq)).toBe(life));
  expect(lastSeen(seen, author)).toBe(model.findLastIndex((life) => life >= 0));
  expect(countSeen(seen)).toBe(model.filter((life) => life >= 0).length);
  const changes = model.filter(
    (life, seq) => life >= 0 && life !== (seq > 0 ? model[seq - 1] : -1),
  );
  expect(countRuns(seen)).toBe(changes.length);
}

describe("what was seen", () => {
  test("runs are exact, ordered and as few as can be", () => {
    fc.assert(
      fc.property(marks, (list) => expectModel(seenOf(list), modelOf(list))),
      { seed: 20_261_121, numRuns: 300 },
    );
  });

  test("the union knows what either knows, however it is computed", () => {
    fc.assert(
      fc.property(marks, marks, (a, b) => {
        const union = seenOf(a);
        uniteSeen(union, seenOf(b));
        expectModel(union, modelOf([...a, ...b]));
        // Many runs are united in one sweep, few one by one.
        const few = seenOf(a);
        for (const single of b) uniteSeen(few, seenOf([single]));
        expect(few).toEqual(union);
      }),
      { seed: 20_261_121, numRuns: 300 },
    );
  });

  test("what is written is read again; runs in disorder are put right", () => {
    fc.assert(
      fc.property(marks, (list) => {
        const seen = seenOf(list);
        expect(readSeen(JSON.parse(JSON.stringify(writeSeen(seen))))).toEqual(seen);
        const disorder = list.map(([seq, life]) => [seq, Math.min(41, seq + life), life]);
        const model = modelOf(
          disorder.flatMap(([from = 0, to = 0, life = 0]) =>
            Array.from({ length: to - from + 1 }, (_, at) => [from + at, life] as const),
          ),
        );
        if (list.length > 0) expectModel(readSeen({ [author]: disorder }), model);
      }),
      { seed: 20_261_121, numRuns: 300 },
    );
  });

  test("the three ways to write it", () => {
    const seen: Seen = new Map();
    for (const seq of [0, 1, 2]) markSeen(seen, author, seq, 0);
    expect(writeSeen(seen)).toEqual({ abc: 2 });
    markSeen(seen, author, 5, 0);
    markSeen(seen, other, 0, 2);
    expect(writeSeen(seen)).toEqual({ abc: [0, 2, 5, 5], abd: [[0, 0, 2]] });
    markSeen(seen, author, 1, 4);
    expect(writeSeen(seen)["abc"]).toEqual([
      [0, 0],
      [1, 1, 4],
      [2, 2],
      [5, 5],
    ]);
    for (const bad of [
      -1,
      0.5,
      2 ** 31,
      "3",
      null,
      [1],
      [3, 2],
      [[1]],
      [[1, 2, 3, 4]],
      [[1, 2], 5],
      [1, "2"],
      [[0, 1, -1]],
    ]) {
      expect(readRuns(bad), JSON.stringify(bad)).toBeNull();
    }
  });

  test("a long hostile list is united without trouble", () => {
    const seen = readSeen({
      [author]: Array.from({ length: 100_000 }, (_, at) => [at * 2, at * 2, at % 3]),
    });
    expect(countRuns(seen)).toBe(100_000);
    uniteSeen(seen, readSeen({ [author]: [[0, 199_998, 1]] }));
    expect(lifeSeen(seen, author, 7)).toBe(1);
    expect(lifeSeen(seen, author, 4)).toBe(2);
    uniteSeen(seen, readSeen({ [author]: [[0, 300_000, 2]] }));
    expect(writeSeen(seen)).toEqual({ abc: [[0, 300_000, 2]] });
  });
});
