import { expect, test } from "vitest";
import type { BoardObject } from "../../../board/drawing.ts";
import { createPlainClients } from "./plain-clients.ts";

const object = (id: string, left: number): BoardObject =>
  ({ id, z: 1, type: "Rect", left }) as unknown as BoardObject;

test("MRG-13 a plain client does not know of a removal of the last 3 s, whether it moved the object or gave it another id", () => {
  let now = 10_000;
  const plainClients = createPlainClients({ now: () => now });
  plainClients.changed({ added: [], changed: [], removed: [object("a-0", 1)] }, null);
  const isUnknown = (one: BoardObject): boolean => plainClients.isUnknownTo("plain", one, now);
  now += 2_000;
  expect(isUnknown(object("a-0", 500))).toBe(true);
  expect(isUnknown(object("b-0", 1))).toBe(true);
  expect(isUnknown(object("b-0", 500))).toBe(false);
  now += 1_001;
  expect(isUnknown(object("a-0", 500))).toBe(false);
});

test("MRG-13 the latest 20,000 changes are remembered, and at most twice as many", () => {
  const plainClients = createPlainClients({ now: () => 0 });
  const first = object("first-0", 1);
  const change = (count: number): void => {
    const added = Array.from({ length: count }, (_, n) => object(`a-${n}`, n));
    plainClients.changed({ added, changed: [], removed: [] }, null);
  };
  plainClients.changed({ added: [first], changed: [], removed: [] }, null);
  change(20_000);
  expect(plainClients.isUnknownTo("plain", first, 0)).toBe(true);
  change(20_000);
  expect(plainClients.isUnknownTo("plain", first, 0)).toBe(false);
});
