import { expect, test } from "vitest";
import { ALONE } from "../../sync/presence/peers.ts";
import { returnedAs } from "./following.ts";

const present = (
  peers: Readonly<Record<string, string | undefined>>,
  tabs: Readonly<Record<string, readonly string[]>> = {},
) => ({ ...ALONE, peers: new Map(Object.entries(peers)), tabs: new Map(Object.entries(tabs)) });

test("UI-172 a person returns with the page that names the one that left, or else with the name that they chose", () => {
  const before = present({ ann: "Ann", ben: undefined, other: "Ann" });
  const now = { ben: undefined, other: "Ann" };
  expect(returnedAs("ann", before, present(now))).toBeUndefined();
  // A namesake who was there before is somebody else.
  expect(returnedAs("ann", before, present({ ...now, cat: "Cat" }))).toBeUndefined();
  expect(returnedAs("ann", before, present({ ...now, cat: "Ann" }))).toBe("cat");
  const tabs = { dan: ["x", "ann"] };
  expect(returnedAs("ann", before, present({ ...now, cat: "Ann", dan: undefined }, tabs))).toBe(
    "dan",
  );
  // Another tab of theirs was there all the time.
  expect(returnedAs("ann", before, present(now, { ben: ["ann"] }))).toBe("ben");
  // Whoever has chosen no name is recognised by no other.
  expect(returnedAs("ben", before, present({ ann: "Ann", cat: undefined }))).toBeUndefined();
});
