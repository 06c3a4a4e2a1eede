/**
 * Generators of hostile rows and broadcasts: everything that anybody with the address can write and send, with marks
 * for observed values (`marks.ts`).
 */

import fc from "fast-check";
import { EVENTS } from "../../board/messages.ts";
import type { HostileMessage } from "./marks.ts";

const small = fc.nat(9);
const count = fc.oneof(
  { weight: 3, arbitrary: fc.nat(6) },
  { weight: 1, arbitrary: fc.constantFrom(2 ** 31 - 1, 2 ** 31, 2 ** 30, 2 ** 20, -1, 0.5, 1e300) },
  { weight: 1, arbitrary: fc.constantFrom("7", null, true) },
);
/** Values of every kind that fit nowhere. */
const weird: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, 0, -1, 0.5, 2 ** 53, 1e300, "", "x", "__proto__", "\ud800", "\0"),
  fc.string({ maxLength: 8 }),
  fc.constantFrom([], {}, [[]], [null], { toString: 1 }),
  fc.constantFrom({ "@deep": 40 }, { "@deep": 1500 }, { "@chars": 20_000 }, { "@proto": {} }),
);
const author = fc.oneof(
  { weight: 4, arbitrary: small.map((at) => `@author:${at}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "abc",
      "f00",
      "zzz",
      "__proto__",
      "constructor",
      "A B",
      "x".repeat(25),
    ),
  },
);
const id: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: small.map((at) => `@id:${at}`) },
  { weight: 3, arbitrary: small.map((at) => `@next:${at}`) },
  { weight: 2, arbitrary: fc.tuple(author, count).map(([name, at]) => `${name}-${String(at)}`) },
  { weight: 1, arbitrary: weird },
);
const stamp = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(count, author) },
  { weight: 1, arbitrary: weird },
);
const coordinate = fc.oneof(
  { weight: 3, arbitrary: fc.nat(900) },
  { weight: 1, arbitrary: fc.constantFrom(1e7, -1e7, 1e9, -0.04, null, "5") },
);
const paint = fc.constantFrom<unknown>(
  ...["red", "#00ff00", "white", "transparent", "url(x)", "inherit", "nonsense", "rgb(,,)", null],
  { type: "linear", coords: { x1: 0, y1: 0, x2: 9, y2: 0 }, colorStops: [] },
);
const fields = {
  id,
  life: count,
  z: fc.oneof(small, fc.constantFrom(2 ** 40, 2 ** 39 + 1, -(2 ** 40), 1e308, null, "9")),
  stamps: fc.oneof(
    fc.record({ place: stamp, look: stamp, content: stamp, order: stamp }, { requiredKeys: [] }),
    weird,
  ),
};
const properties = {
  left: coordinate,
  top: coordinate,
  path: fc.constantFrom<unknown>("M0 0l1 1", "M0", "<svg>", [["M", 0, 0]], { "@chars": 8_000 }),
  fill: paint,
  stroke: paint,
  strokeWidth: fc.oneof(count, fc.constant(20)),
  eraser: fc.constantFrom(true, false, 1),
  visible: fc.boolean(),
  opacity: fc.constantFrom(0, 0.5, 1, 7),
  scaleX: fc.constantFrom(0, 1e-9, 1e9, -1),
  width: count,
  radius: count,
  text: fc.oneof(fc.string({ maxLength: 5 }), weird),
  shadow: fc.constantFrom<unknown>({ color: "red", blur: 1000 }, { blur: -1 }, null),
  objects: fc.constantFrom<unknown>([], [null], [{ type: "Rect" }], [{ "@groups": 12 }]),
  clipPath: fc.constantFrom<unknown>({ type: "Circle", radius: 3 }, { "@groups": 3 }, 7),
  points: fc.constantFrom<unknown>([], [{ x: 0, y: 0 }], [{ x: null }]),
  version: fc.constantFrom("5.3.0", "7.4.0", "99", 7),
};
const TYPES = [
  "Path",
  "Rect",
  "Circle",
  "Group",
  "IText",
  "Polyline",
  "Image",
  "path",
  "i-text",
  7,
];
const object: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record(
      { type: fc.constantFrom<unknown>(...TYPES), ...fields, ...properties },
      { requiredKeys: ["type", "id"] },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record(
      { type: fc.constantFrom<unknown>(...TYPES), ...properties },
      { requiredKeys: ["type"] },
    ),
  },
  {
    weight: 3,
    arbitrary: fc
      .record({ at: small, with: fc.record(properties, { requiredKeys: [] }) })
      .map(({ at, with: changes }) => ({ "@copy": at, with: changes })),
  },
  { weight: 1, arbitrary: fc.constantFrom({ "@groups": 9 }, { "@proto": { type: "Rect" } }) },
  { weight: 1, arbitrary: weird },
);
const runs = fc.oneof(
  { weight: 3, arbitrary: count },
  { weight: 1, arbitrary: fc.array(count, { maxLength: 6 }) },
  { weight: 1, arbitrary: fc.array(fc.array(count, { maxLength: 4 }), { maxLength: 4 }) },
);
const inkpool: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record(
      {
        format: fc.constantFrom<unknown>(1, 1, 1, 1, 2, "1"),
        seen: fc.oneof(
          { weight: 6, arbitrary: fc.dictionary(author, runs, { maxKeys: 4 }) },
          { weight: 1, arbitrary: fc.constant({ "@authors": 300 }) },
          { weight: 1, arbitrary: weird },
        ),
        partial: fc.boolean(),
        stamp,
      },
      { requiredKeys: ["format", "seen"] },
    ),
  },
  { weight: 1, arbitrary: weird },
);
const objects: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 12, arbitrary: fc.array(object, { maxLength: 6 }) },
  { weight: 1, arbitrary: weird },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(30, 600)
      .map((times) => [{ "@repeat": times, of: { type: "Rect", width: 9, height: 9 } }]),
  },
);
const edits = fc.array(
  fc.record(
    { at: fc.nat(400), value: fc.oneof(weird, count, id, paint) },
    { requiredKeys: ["at"] },
  ),
  { minLength: 1, maxLength: 3 },
);
const drawing: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record(
      { version: fc.constantFrom("7.4.0", "5.3.0", 7), objects, background: paint, inkpool },
      { requiredKeys: ["objects", "inkpool"] },
    ),
  },
  // This one is a plain client's.
  {
    weight: 2,
    arbitrary: fc.record({ objects, background: paint }, { requiredKeys: ["objects"] }),
  },
  {
    weight: 3,
    arbitrary: fc
      .record({ at: fc.nat(20), edits })
      .map(({ at, edits: list }) => ({ "@mutated": at, edits: list })),
  },
  { weight: 1, arbitrary: small.map((at) => ({ "@row": at })) },
  { weight: 1, arbitrary: weird },
);
const clientId = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("attacker0000", "attacker0001") },
  { weight: 2, arbitrary: small.map((at) => `@client:${at}`) },
  { weight: 1, arbitrary: weird },
);
const digest = fc.oneof(fc.constantFrom("0.0", "2.abc", "<script>"), weird);
const inkText = fc.oneof(fc.string({ maxLength: 12 }), fc.constant({ "@chars": 24_000 }), weird);
const ink = fc.tuple(
  fc.oneof(fc.constantFrom("s", "s-1", "__proto__"), weird),
  count,
  inkText,
  fc.record({ c: paint, w: count, e: id, h: count }, { requiredKeys: [] }),
);
const liveLine = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(inkText, paint, count) },
  { weight: 3, arbitrary: fc.tuple(inkText, paint, count, id) },
  { weight: 2, arbitrary: id },
  { weight: 1, arbitrary: weird },
);

/** Values for `canvas_json` of the row: every kind of value, whole drawings and mutations of valid ones. */
export const hostileRow: fc.Arbitrary<unknown> = drawing;

/** Messages of every event of the channel: forged, mutated, cut short, of another version. */
export const hostileMessage: fc.Arbitrary<HostileMessage> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .record(
        { json: drawing, clientId, digest, n: count, cleared: fc.constantFrom(true, 1) },
        { requiredKeys: ["json", "clientId"] },
      )
      .map((payload) => ({ event: EVENTS.update, payload })),
  },
  {
    weight: 2,
    arbitrary: fc
      .record(
        {
          clientId,
          digest,
          saved: fc.oneof(fc.record({ at: digest, seen: digest, n: count }), weird),
        },
        { requiredKeys: ["clientId"] },
      )
      .map((payload) => ({ event: EVENTS.digest, payload })),
  },
  {
    weight: 2,
    arbitrary: fc
      .record(
        {
          clientId,
          n: count,
          p: fc.oneof(fc.tuple(coordinate, coordinate), weird),
          k: fc.oneof(fc.array(ink, { maxLength: 3 }), weird),
          f: fc.oneof(fc.array(ink, { maxLength: 3 }), weird),
          l: liveLine,
          s: fc.oneof(fc.array(id, { maxLength: 3 }), weird),
          g: fc.oneof(
            fc.array(fc.tuple(id, count, count, count, count, count), { maxLength: 3 }),
            weird,
          ),
        },
        { requiredKeys: ["clientId", "n"] },
      )
      .map((payload) => ({ event: EVENTS.live, payload })),
  },
  {
    weight: 3,
    arbitrary: fc
      .record({ of: fc.nat(40), edits, cut: fc.nat(200) }, { requiredKeys: ["of", "edits"] })
      .map((payload) => ({ event: "@observed", payload })),
  },
  {
    weight: 1,
    arbitrary: fc.record({ event: fc.constantFrom("canvas-update", "x"), payload: weird }),
  },
);
