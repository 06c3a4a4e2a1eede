import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Author } from "./drawing.ts";
import {
  countRuns,
  countSequences,
  lastSequence,
  knownIncarnation,
  addToContext,
  parseRuns,
  decodeContext,
  mergeContext,
  encodeContext,
  type CausalContext,
} from "./causal-context.ts";

const author = "abc" as Author;
const other = "abd" as Author;
const mark = fc.tuple(fc.nat(40), fc.nat(3));
const marks = fc.array(mark, { maxLength: 60 });

function contextOf(list: readonly (readonly [number, number])[]): CausalContext {
  const context: CausalContext = new Map();
  for (const [seq, incarnation] of list) addToContext(context, author, seq, incarnation);
  return context;
}

/** A model of a context that is as simple as possible: each incarnation by its number. */
function modelOf(list: readonly (readonly [number, number])[]): number[] {
  const incarnations = Array.from({ length: 42 }, () => -1);
  for (const [seq, incarnation] of list)
    incarnations[seq] = Math.max(incarnations[seq] ?? -1, incarnation);
  return incarnations;
}

function expectModel(context: CausalContext, model: readonly number[]): void {
  model.forEach((incarnation, seq) =>
    expect(knownIncarnation(context, author, seq)).toBe(incarnation),
  );
  expect(lastSequence(context, author)).toBe(
    model.findLastIndex((incarnation) => incarnation >= 0),
  );
  expect(countSequences(context)).toBe(model.filter((incarnation) => incarnation >= 0).length);
  const changes = model.filter(
    (incarnation, seq) => incarnation >= 0 && incarnation !== (seq > 0 ? model[seq - 1] : -1),
  );
  expect(countRuns(context)).toBe(changes.length);
}

describe("the causal context", () => {
  test("runs are exact, ordered and as few as can be", () => {
    fc.assert(
      fc.property(marks, (list) => expectModel(contextOf(list), modelOf(list))),
      { seed: 20_261_121, numRuns: 300 },
    );
  });

  test("the union has the marks of both, however it is computed", () => {
    fc.assert(
      fc.property(marks, marks, (a, b) => {
        const union = contextOf(a);
        mergeContext(union, contextOf(b));
        expectModel(union, modelOf([...a, ...b]));
        // Many runs are merged in one pass, a few one by one.
        const few = contextOf(a);
        for (const single of b) mergeContext(few, contextOf([single]));
        expect(few).toEqual(union);
      }),
      { seed: 20_261_121, numRuns: 300 },
    );
  });

  test("a written context is read again unchanged; runs in disorder are put right", () => {
    fc.assert(
      fc.property(marks, (list) => {
        const context = contextOf(list);
        expect(decodeContext(JSON.parse(JSON.stringify(encodeContext(context))))).toEqual(context);
        const disorder = list.map(([seq, incarnation]) => [
          seq,
          Math.min(41, seq + incarnation),
          incarnation,
        ]);
        const model = modelOf(
          disorder.flatMap(([from = 0, to = 0, incarnation = 0]) =>
            Array.from({ length: to - from + 1 }, (_, at) => [from + at, incarnation] as const),
          ),
        );
        if (list.length > 0) expectModel(decodeContext({ [author]: disorder }), model);
      }),
      { seed: 20_261_121, numRuns: 300 },
    );
  });

  test("the three ways to write it", () => {
    const context: CausalContext = new Map();
    for (const seq of [0, 1, 2]) addToContext(context, author, seq, 0);
    expect(encodeContext(context)).toEqual({ abc: 2 });
    addToContext(context, author, 5, 0);
    addToContext(context, other, 0, 2);
    expect(encodeContext(context)).toEqual({ abc: [0, 2, 5, 5], abd: [[0, 0, 2]] });
    addToContext(context, author, 1, 4);
    expect(encodeContext(context)["abc"]).toEqual([
      [0, 0],
      [1, 1, 4],
      [2, 2],
      [5, 5],
    ]);
    expect(parseRuns(2 ** 31 - 1)).toEqual([0, 2 ** 31 - 1, 0]);
    expect(parseRuns([])).toEqual([]);
    expect(parseRuns([[4, 4, 1]])).toEqual([4, 4, 1]);
    expect(decodeContext({ abc: [], abd: [3, 2], abe: 0 })).toEqual(new Map([["abe", [0, 0, 0]]]));
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
      expect(parseRuns(bad), JSON.stringify(bad)).toBeNull();
    }
  });

  test("a long hostile list is united without trouble", () => {
    const context = decodeContext({
      [author]: Array.from({ length: 100_000 }, (_, at) => [at * 2, at * 2, at % 3]),
    });
    expect(countRuns(context)).toBe(100_000);
    mergeContext(context, decodeContext({ [author]: [[0, 199_998, 1]] }));
    expect(knownIncarnation(context, author, 7)).toBe(1);
    expect(knownIncarnation(context, author, 4)).toBe(2);
    mergeContext(context, decodeContext({ [author]: [[0, 300_000, 2]] }));
    expect(encodeContext(context)).toEqual({ abc: [[0, 300_000, 2]] });
  });
});
