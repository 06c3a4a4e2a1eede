import { expect, test } from "vitest";
import { readEmbedding } from "./embed.ts";

const HOME = { isEmbedded: true, view: null };

test("UI-110 ?embed takes a view of two or three numbers; any other value counts as no view", () => {
  expect(readEmbedding("?view=1,2,3")).toEqual({ isEmbedded: false, view: null });
  for (const search of ["?embed", "?embed=1&lang=de", "?embed&view="])
    expect([search, readEmbedding(search)]).toEqual([search, HOME]);
  expect(readEmbedding("?embed&view=-120.5,40,0.5").view).toEqual({ x: -120.5, y: 40, zoom: 0.5 });
  expect(readEmbedding("?view=10,%2020&embed").view).toEqual({ x: 10, y: 20, zoom: 1 });
  for (const view of ["1", "1,2,0", "1,2,-1", "1,2,3,4", "a,b,c", "1e9,2,1", "NaN,1,1", "1,,1"])
    expect([view, readEmbedding(`?embed&view=${view}`)]).toEqual([view, HOME]);
});
