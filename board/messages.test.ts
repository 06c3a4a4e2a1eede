import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRandom } from "../testing/random/random.ts";
import { makeAuthor, makeId } from "./author.ts";
import { createBoard, digest } from "./board.ts";
import { addObjects } from "./edit.ts";
import { toDrawing } from "./encode.ts";
import { cleanName, parsePresence } from "./presence.ts";
import { appendInk, decodeInk, encodeInk, MAX_INK_POINTS } from "./ink.ts";
import { encodeLive, parseLive, parseUpdate, type LiveMessage, type LiveInk } from "./messages.ts";

const id = makeId(makeAuthor(2500, "ann"), 3);
const clientId = "9f8b2f7e-6d0f-4d0c-9c57-0b8a3c1f2e4d";

/** Sends a live message over the wire, as JSON text, and parses it. */
function sent(live: LiveMessage): ReturnType<typeof parseLive> {
  return parseLive(JSON.parse(JSON.stringify(encodeLive(live))));
}

describe("canvas-live", () => {
  test("LIV-1 a stroke of 5 s with 600 points in 100 messages takes less than 10 KB, its pointer and start included", () => {
    const random = createRandom(3);
    let [x, y, bytes, offset] = [700, 400, 0, 0];
    for (let tick = 0; tick < 100; tick++) {
      const points: number[] = [];
      for (let count = 0; count < 6; count++) {
        x += (random.next() - 0.4) * 18;
        y += (random.next() - 0.5) * 18;
        points.push(x, y);
      }
      const start = tick % 25 === 0 ? { color: "#ff0000", width: 3 } : {};
      const end = tick === 99 ? { end: id } : {};
      const ink: LiveInk = { stroke: "7", offset, points, ...start, ...end };
      const live: LiveMessage = { clientId, tick: 1000 + tick, ink: [ink] };
      bytes += JSON.stringify(encodeLive(live)).length;
      offset += 6;
      const parsed = sent(live);
      const got = parsed.ok ? (parsed.value.ink[0]?.points ?? []) : [];
      expect([got.length, points.length]).toEqual([12, 12]);
      points.forEach((point, at) =>
        expect(Math.abs((got[at] ?? NaN) - point)).toBeLessThan(0.2501),
      );
    }
    expect(offset).toBe(600);
    expect(bytes).toBeLessThan(10_000);
  });

  test("DAT-20 a message arrives as it was sent", () => {
    const live: LiveMessage = {
      clientId,
      tick: 5,
      pointer: { x: 10, y: -3 },
      ink: [
        { stroke: "a-1", offset: 0, points: [0.5, 1, 3000, -2.5], color: "#000000", width: 3 },
        { stroke: "2", offset: 40, points: [], end: id },
        { stroke: "3", offset: 4, points: [1, 1], end: null },
        {
          ...{ stroke: "4", offset: 0, points: [1, 2], color: "#00ff00", width: 20 },
          look: "highlighter",
        },
        { stroke: "5", offset: 0, points: [3, 4], color: "#ff0000", width: 6, look: "fading" },
      ],
      drags: [{ id, left: 1.5, top: -2, scaleX: 1.25, scaleY: -1, angle: 33.3 }],
      selected: [id],
    };
    expect(sent(live)).toEqual({ ok: true, value: live });
    for (const few of [{ pointer: null }, { drags: [] }, { selected: [] }, {}]) {
      const minimal: LiveMessage = { clientId, tick: 0, ink: [], ...few };
      expect(sent(minimal)).toEqual({ ok: true, value: minimal });
    }
  });

  test("DAT-20 a malformed message is refused as a whole", () => {
    const good = { clientId, n: 1 };
    expect(parseLive(good).ok).toBe(true);
    const transform = [id, 1, 2, 1, 1, 0];
    for (const bad of [
      null,
      "x",
      [],
      {},
      { clientId },
      { n: 1 },
      { ...good, n: -1 },
      { ...good, n: 0.5 },
      ...["", "x".repeat(65), "a b", 7].map((name) => ({ ...good, clientId: name })),
      ...[5, [1], [1, "2"], [1, 1e9], [null, 1]].map((p) => ({ ...good, p })),
      ...[
        {},
        [[]],
        [["s", 0]],
        [["s", -1, ""]],
        [["s", 0, 5]],
        [["s", 0, "!"]],
        [["s", 0, "g"]],
      ].map((k) => ({ ...good, k })),
      ...[{ c: "url(x)" }, { w: -1 }, { w: "3" }, { e: "x" }, 5].map((more) => ({
        ...good,
        k: [["s", 0, "AA", more]],
      })),
      { ...good, k: Array.from({ length: 11 }, () => ["s", 0, ""]) },
      { ...good, k: [["s", 0, "A".repeat(4002)]] },
      { ...good, k: [["s", 0, "_".repeat(10)]] },
      { ...good, g: [[...transform, 1]] },
      { ...good, g: [["x", ...transform.slice(1)]] },
      { ...good, g: [[...transform.slice(0, 3), 1e5, 1, 0]] },
      { ...good, g: Array.from({ length: 201 }, () => transform) },
    ]) {
      expect(parseLive(bad), JSON.stringify(bad)).toMatchObject({ ok: false });
    }
    for (const full of [
      { k: Array.from({ length: 10 }, () => ["s", 0, ""]) },
      { g: Array.from({ length: 200 }, () => [id, 1e7, -1e7, 10_000, -10_000, 1e6]) },
    ])
      expect(parseLive({ ...good, ...full }).ok).toBe(true);
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (k, g) => {
        expect(typeof parseLive({ ...good, k, g, p: k }).ok).toBe("boolean");
      }),
      { seed: 20_261_121, numRuns: 300 },
    );
  });

  test("LIV-4 ink is appended by offset: doubled points are dropped, and a gap is bridged", () => {
    const ink = (offset: number, ...points: number[]): LiveInk => ({ stroke: "1", offset, points });
    expect(appendInk(0, ink(0, 1, 1, 2, 2))).toEqual({ points: [1, 1, 2, 2], received: 2 });
    expect(appendInk(2, ink(0, 1, 1, 2, 2))).toEqual({ points: [], received: 2 });
    expect(appendInk(2, ink(1, 2, 2, 3, 3))).toEqual({ points: [3, 3], received: 3 });
    expect(appendInk(2, ink(8, 9, 9))).toEqual({ points: [9, 9], received: 9 });
    expect(appendInk(9, ink(2, 3, 3))).toEqual({ points: [], received: 9 });
  });

  test("LIV-1 ink survives its encoding to a quarter of a pixel, and no text that is not ink is read", () => {
    const coordinate = fc.double({ min: -20_000, max: 20_000, noNaN: true });
    fc.assert(
      fc.property(fc.array(coordinate, { maxLength: 80 }), fc.string(), (list, noise) => {
        const points = list.slice(0, list.length - (list.length % 2));
        const read = decodeInk(encodeInk(points));
        expect(read?.length).toBe(points.length);
        points.forEach((point, at) =>
          expect(Math.abs((read?.[at] ?? NaN) - point)).toBeLessThan(0.2501),
        );
        for (const value of decodeInk(noise) ?? [])
          expect(Math.abs(value)).toBeLessThanOrEqual(5e5);
      }),
      { seed: 20_261_121, numRuns: 300 },
    );
    expect(encodeInk([Number.NaN, Infinity])).toBe("AA");
    const longest = Array.from({ length: MAX_INK_POINTS * 2 }, (_, at) => at);
    expect(decodeInk(encodeInk(longest))).toEqual(longest);
    expect(decodeInk(encodeInk([...longest, 0, 0]))).toBeNull();
    for (const text of ["A", "AAA", "gA", "AAg", "A*", "ggggggAA"])
      expect(decodeInk(text), text).toBeNull();
    const far = [5e5, -5e5, -5e5, 5e5];
    expect(decodeInk(encodeInk(far))).toEqual(far);
    expect(decodeInk(encodeInk(far) + encodeInk([1, 0]))).toEqual([...far, -499_999, 5e5]);
    expect(decodeInk(encodeInk(far) + encodeInk([0, 0.5]))).toBeNull();
  });
});

describe("the selections of peers", () => {
  const select = (s: unknown) => parseLive({ clientId, n: 1, s });

  test("DAT-20 at most 200 ids of objects are selected, and a longer list is not looked at", () => {
    const ids = (count: number) => Array.from({ length: count }, (_, at) => `abcann-${at}`);
    expect(select(ids(200))).toMatchObject({ ok: true, value: { selected: ids(200) } });
    for (const s of [ids(201), [7], ["Abc-1"], [`${"a".repeat(25)}-1`], {}, "abcann-1", null])
      expect(select(s).ok).toBe(false);
    let reads = 0;
    const many = new Proxy(ids(10_000), {
      get(list, key) {
        if (key !== "length") reads += 1;
        return Reflect.get(list, key) as unknown;
      },
    });
    expect(select(many).ok).toBe(false);
    expect(reads).toBe(0);
  });
});

describe("names", () => {
  test.each([
    ["Ann", "Ann"],
    ["  Ann \n of\tGreen\u2028Gables ", "Ann of Green Gables"],
    ["a".repeat(30), "a".repeat(24)],
    ["🦊".repeat(30), "🦊".repeat(24)],
    ["👩‍🎨 Zoë", "👩‍🎨 Zoë"],
    ["שלום", "שלום"],
    ["\u202eevil\u2066\u200f!", "evil!"],
    ["A\u0000\u0007\u009b\u00adnn\ud800", "Ann"],
    ["\u200b\u3164\u2800\ufeff", undefined],
    ["   ", undefined],
    ["", undefined],
    [7, undefined],
    [{ toString: () => "Ann" }, undefined],
    [`Ann${" ".repeat(98)}`, undefined],
  ])("DAT-20 %j is called %j", (input, name) => {
    expect(cleanName(input)).toBe(name);
    const parsed = parsePresence({ online_at: "2026-11-21T00:08:09.291Z", name: input });
    expect(parsed.ok && parsed.value.name).toBe(name);
  });
});

describe("canvas-update and presence", () => {
  test("DAT-20 an update carries a drawing, the sender's clientId and maybe a digest", () => {
    const board = createBoard();
    addObjects(board, makeAuthor(2500, "ann"), [{ type: "Rect", width: 5, height: 5 }]);
    const update = { json: toDrawing(board), clientId, digest: digest(board) };
    expect(parseUpdate(JSON.parse(JSON.stringify(update)))).toEqual({ ok: true, value: update });
    // The specified form, as other clients send it, has no digest; the drawing has a parser of its own.
    expect(parseUpdate({ json: null, clientId: "abc" })).toEqual({
      ok: true,
      value: { json: null, clientId: "abc" },
    });
    for (const bad of [null, [], {}, { clientId }, { json: {} }, { ...update, clientId: {} }]) {
      expect(parseUpdate(bad)).toMatchObject({ ok: false });
    }
    for (const wrong of [5, "", "A", "x".repeat(40)]) {
      expect(parseUpdate({ ...update, digest: wrong })).toEqual({
        ok: false,
        reason: "digest is malformed",
      });
    }
  });

  test("DAT-20 a presence entry says since when, as an ISO timestamp, and whether it takes partial drawings", () => {
    for (const online_at of [
      "2026-11-21T00:08:09.291Z",
      "2026-11-21T00:08:09.291+00:00",
      "2026-11-21T00:08:09Z",
    ]) {
      expect(parsePresence({ online_at, phx_ref: "x" })).toEqual({
        ok: true,
        value: { online_at },
      });
      expect(parsePresence({ online_at, partial: true })).toMatchObject({
        value: { partial: true },
      });
      expect(parsePresence({ online_at, partial: 1 })).toEqual({ ok: true, value: { online_at } });
    }
    for (const online_at of [
      undefined,
      5,
      "",
      "yesterday",
      "2026-11-21",
      `2026${"0".repeat(99)}`,
    ]) {
      expect(parsePresence({ online_at })).toEqual({ ok: false, reason: "online_at is malformed" });
    }
    expect(parsePresence(null).ok).toBe(false);
  });
});
