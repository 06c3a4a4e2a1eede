import { expect, test } from "vitest";
import { colorOf, labelOf } from "../../../board/peer-label.ts";
import { mutualTabs, ownRow, personRows, tabsNote } from "./people-rows.ts";

test("UI-41 people are listed by name, those without one by their label", () => {
  const rows = personRows(
    new Map([
      ["b", "Zoë"],
      ["a", "Zoë"],
      ["ann", undefined],
    ]),
  );
  expect(rows).toEqual([
    { clientId: "ann", clientIds: ["ann"], name: labelOf("ann"), color: colorOf("ann") },
    { clientId: "a", clientIds: ["a"], name: "Zoë", color: colorOf("a") },
    { clientId: "b", clientIds: ["b"], name: "Zoë", color: colorOf("b") },
  ]);
  expect(ownRow("ann")).toEqual(rows[0]);
});

test("UI-41 people are listed as a reader expects them, regardless of the first letter's case and with numbers by their value", () => {
  const named = ["Visitor 10", "zoe", "anna", "Visitor 2", "Bo"].map((name, n) => [`c${n}`, name]);
  expect(personRows(new Map(named as [string, string][])).map(({ name }) => name)).toEqual([
    "anna",
    "Bo",
    "Visitor 2",
    "Visitor 10",
    "zoe",
  ]);
});

test("UI-80 pages are of one browser where each names the other; an impostor is not", () => {
  const claimed = new Map([
    ["me", ["tab", "gone", "many"]],
    ["tab", ["me"]],
    ["impostor", ["me", "tab", "twice"]],
    ["itself", ["itself"]],
  ]);
  expect([...mutualTabs(claimed)]).toEqual([
    ["me", ["tab"]],
    ["tab", ["me"]],
  ]);
  expect(mutualTabs().size).toBe(0);
});

test("UI-80 pages of one browser are one person", () => {
  expect([1, 2, 3, 12].map(tabsNote)).toEqual(["", "in two tabs", "in three tabs", "in 12 tabs"]);
  const peers = new Map([
    ["c", undefined],
    ["a", undefined],
    ["b", "Ben"],
  ]);
  const tabs = new Map([
    ["a", ["b", "gone"]],
    ["b", ["a"]],
  ]);
  expect(personRows(peers, tabs).map(({ name, clientIds }) => [name, clientIds])).toEqual([
    ["Ben", ["a", "b"]],
    [labelOf("c"), ["c"]],
  ]);
});
