import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../board/constants.ts";
import {
  dayLabel,
  objectsLabel,
  shareLabel,
  sizeLabel,
  versionAge,
  versionTime,
} from "./version-labels.ts";

const NOW = new Date(2026, 7, 4, 14, 8, 30).getTime();
/** A local time of August 2026 as an ISO timestamp. */
const at = (day: number, hour: number, minute: number): string =>
  new Date(2026, 7, day, hour, minute).toISOString();

describe("when a version was saved", () => {
  test.each([
    [at(4, 14, 5), "14:05", "3 minutes ago"],
    [at(4, 14, 8), "14:08", "just now"],
    [at(4, 14, 7), "14:07", "1 minute ago"],
    [at(4, 9, 0), "09:00", "5 hours ago"],
    [at(3, 23, 0), "3 Aug, 23:00", "15 hours ago"],
    [at(1, 8, 30), "1 Aug, 08:30", "3 days ago"],
  ])("%s", (savedAt, time, age) => {
    expect(versionTime(savedAt, NOW)).toBe(time);
    expect(versionAge(savedAt, NOW)).toBe(age);
  });

  test("by a clock that is ahead of ours, and by one that is broken", () => {
    expect(versionAge(at(4, 14, 20), NOW)).toBe("just now");
    expect(versionTime("never", NOW)).toBe("an unknown time");
    expect(versionAge("never", NOW)).toBe("just now");
  });
});

test("counts and sizes", () => {
  expect([0, 1, 12, 10_500].map(objectsLabel)).toEqual([
    "0 objects",
    "1 object",
    "12 objects",
    "10,500 objects",
  ]);
  expect([1, 512, 48 * 1024, 9.5 * 1024 * 1024, LIMITS.canvasBytes].map(sizeLabel)).toEqual([
    "1 byte",
    "512 bytes",
    "48 KB",
    "9.5 MB",
    "10 MB",
  ]);
});

test("the share of the greatest size", () => {
  const shares = [0, 100, LIMITS.canvasBytes / 200, LIMITS.canvasBytes / 3, LIMITS.canvasBytes];
  expect(shares.map(shareLabel)).toEqual(["0 %", "less than 0.1 %", "0.5 %", "33 %", "100 %"]);
});

test("WHO-2 the day of an author, with its year where that is not the current one", () => {
  const day = Date.UTC(2026, 7, 3);
  expect(dayLabel(day, Date.UTC(2026, 11, 31))).toBe("3 Aug");
  expect(dayLabel(day, Date.UTC(2027, 0, 2))).toBe("3 Aug 2026");
});
