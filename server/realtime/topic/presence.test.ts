import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PresenceMeta } from "../../cluster/port.ts";
import { Presences, diffJson, makeMeta, metasJson } from "./presence.ts";

const meta = (ref: string): PresenceMeta => makeMeta("{}", ref, null);

describe("presences that wait to be announced", () => {
  test("a presence that comes and goes before it is announced is never sent", () => {
    const presences = new Presences();
    presences.add("a", meta("1"));
    presences.drop("a", "1");
    expect(presences.takeDiff()).toBeNull();
    presences.add("a", meta("2"));
    presences.add("a", meta("2"));
    expect(diffJson(presences.takeDiff()!)).toBe(
      '{"joins":{"a":{"metas":[{"phx_ref":"2"}]}},"leaves":{}}',
    );
    presences.drop("a", "2");
    presences.add("a", meta("2"));
    expect(presences.takeDiff()).toBeNull();
    presences.drop("b", "unknown");
    expect(presences.takeDiff()).toBeNull();
  });

  test("a new member gets the announced presences, and the rest with all others", () => {
    const presences = new Presences();
    presences.add("a", meta("1"));
    expect(presences.announced().size).toBe(0);
    expect([...presences.present.keys()]).toEqual(["a"]);
    presences.takeDiff();
    presences.drop("a", "1");
    expect([...presences.announced().keys()]).toEqual(["a"]);
    expect(presences.present.size).toBe(0);
    presences.takeDiff();
    expect(presences.announced().size).toBe(0);
  });

  test("the diffs add up to the tracked presences in any history", () => {
    const step = fc.record({
      key: fc.constantFrom("a", "b", "__proto__"),
      ref: fc.constantFrom("1", "2", "3"),
      does: fc.constantFrom("add", "drop", "announce"),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const presences = new Presences();
        const tracked = new Set<string>();
        const client = new Set<string>();
        const announce = (): void => {
          const change = presences.takeDiff();
          for (const [key, list] of change?.joins ?? [])
            for (const { ref } of list) {
              expect(client.has(`${key}/${ref}`)).toBe(false);
              client.add(`${key}/${ref}`);
            }
          for (const [key, list] of change?.leaves ?? [])
            for (const { ref } of list) expect(client.delete(`${key}/${ref}`)).toBe(true);
        };
        for (const { key, ref, does } of steps) {
          if (does === "announce") announce();
          else if (does === "add") {
            presences.add(key, meta(ref));
            tracked.add(`${key}/${ref}`);
          } else {
            presences.drop(key, ref);
            tracked.delete(`${key}/${ref}`);
          }
          const present = [...presences.present].flatMap(([name, metas]) =>
            [...metas.keys()].map((one) => `${name}/${one}`),
          );
          expect(present.toSorted()).toEqual([...tracked].toSorted());
        }
        announce();
        expect([...client].toSorted()).toEqual([...tracked].toSorted());
      }),
      { numRuns: 500, seed: 7 },
    );
  });
});

test("metas are JSON for any key and payload", () => {
  const key = '__proto__"\n';
  const text = metasJson(new Map([[key, [makeMeta('{"a":1}', "r", "p")]]]));
  const [[name, entry]] = Object.entries<any>(JSON.parse(text)) as [[string, any]];
  expect([name, entry.metas]).toEqual([key, [{ a: 1, phx_ref: "r", phx_ref_prev: "p" }]]);
});
