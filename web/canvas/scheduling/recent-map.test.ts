import { describe, expect, test } from "vitest";
import { RecentMap } from "./recent-map.ts";

describe("a map of recently used entries", () => {
  test("the latest entries stay, however many there were, and at most twice as many", () => {
    const known = range(1, 60).map((count) =>
      range(1, count).filter((key) => mapOf(count).get(key) === key),
    );
    expect(known.map((keys) => keys.slice(-10))).toEqual(
      range(1, 60).map((count) => range(Math.max(1, count - 9), count)),
    );
    expect(Math.max(...known.map(({ length }) => length))).toBeLessThanOrEqual(20);
  });

  test("an entry that is used stays", () => {
    const map = new RecentMap<string, string>(10);
    map.set("used", "value");
    const found = range(1, 1000).map((key) => {
      map.set(`unused ${key}`, "value");
      return key % 9 === 0 ? map.get("used") : "value";
    });
    expect(new Set(found)).toEqual(new Set(["value"]));
  });

  test("as many entries as it keeps are all found, time after time", () => {
    const map = mapOf(10);
    const times = range(1, 100).map(() => range(1, 10).map((key) => map.get(key)));
    expect(times).toEqual(Array(100).fill(range(1, 10)));
  });

  test("the latest value counts, and an emptied map has none", () => {
    const map = new RecentMap<string, number>(1);
    map.set("a", 1);
    map.set("b", 2);
    map.set("a", 3);
    expect(map.get("a")).toBe(3);
    map.clear();
    expect(map.get("a")).toBeUndefined();
    expect(map.get("b")).toBeUndefined();
  });
});

/** Returns a map that keeps ten entries, after so many. */
function mapOf(count: number): RecentMap<number, number> {
  const map = new RecentMap<number, number>(10);
  for (const key of range(1, count)) map.set(key, key);
  return map;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}
