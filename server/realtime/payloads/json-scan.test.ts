import fc from "fast-check";
import { expect, test } from "vitest";
import { isJson, makeText, readMembers, readString } from "./json-scan.ts";
import { decodeText } from "../wire/wire.ts";

const runs = { numRuns: 2_000, seed: 20_260_101 };

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test("a text is JSON exactly when JSON.parse takes it", () => {
  const value = fc.json();
  const spaced = fc.jsonValue().map((one) => ` \t${JSON.stringify(one, null, 2)}\r\n`);
  const broken = fc
    .tuple(
      value,
      fc.nat(),
      fc.constantFrom(
        "",
        ",",
        '"',
        "\\",
        "{",
        "]",
        ":",
        "0",
        "-",
        "e",
        ".",
        "\u0001",
        "\\u12",
        " ",
      ),
    )
    .map(([text, position, with_]) => {
      const cut = position % (text.length + 1);
      return text.slice(0, cut) + with_ + text.slice(cut + (position % 3));
    });
  const check = (text: string): void => {
    expect([text, isJson(Buffer.from(text))]).toEqual([text, parses(text)]);
  };
  fc.assert(fc.property(fc.oneof(value, spaced, broken, fc.string()), check), runs);
  for (const text of [
    "",
    "-",
    "01",
    "1.",
    ".5",
    "1e",
    "1e+5",
    "-0",
    "tru",
    "nul",
    "nullx",
    '"\\x"',
    '"\\u00e9"',
    "[1,]",
    "{}}",
    "\u00a01",
  ])
    check(text);
});

test("long strings are read to their end wherever they stand in memory, and no further", () => {
  const plain = "x".repeat(2_000);
  for (let shift = 0; shift < 4; shift++)
    for (const [inside, valid] of [
      ["", true],
      ["é€😀\u007f", true],
      ['\\"', true],
      ["\n", false],
      ["\u001f", false],
      ['"', false],
    ] as const) {
      const text = Buffer.from(`"${plain}${inside}${plain}"`);
      const whole = Buffer.concat([Buffer.alloc(shift), text, Buffer.from("more plain text here")]);
      expect([shift, inside, isJson(whole.subarray(shift, shift + text.length))]).toEqual([
        shift,
        inside,
        valid,
      ]);
      expect(isJson(whole.subarray(shift, shift + text.length - 1))).toBe(false);
    }
});

test("members are found where they stand, the last of equal names", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
      const bytes = Buffer.from(JSON.stringify(object));
      const { spans, end } = readMembers(makeText(bytes), 0)!;
      expect(end).toBe(bytes.length);
      const read = [...spans].map(([name, { from, to }]) => [
        name,
        JSON.parse(bytes.toString("utf8", from, to)),
      ]);
      expect(read).toEqual(
        Object.entries(JSON.parse(bytes.toString())).map(([name, value]) => [name, value]),
      );
    }),
    { ...runs, numRuns: 500 },
  );
  const twice = Buffer.from('{"a":1, "\\u0061" : "last" }');
  const { spans } = readMembers(makeText(twice), 0)!;
  expect(readString(makeText(twice), spans.get("a")!)).toBe("last");
  expect(readMembers(makeText(Buffer.from("5")), 0)).toBeNull();
});

test("a frame gives the same fields in both versions", () => {
  const name = fc.string();
  fc.assert(
    fc.property(name, name, name, fc.jsonValue(), (ref, topic, event, payload) => {
      fc.pre(event !== "broadcast");
      const expected = {
        joinRef: null,
        ref,
        topic,
        event,
        payload: JSON.parse(JSON.stringify(payload)),
        broadcast: null,
      };
      const one = decodeText(
        1,
        Buffer.from(JSON.stringify({ payload, event, topic, ref })),
        () => null,
      );
      const two = decodeText(
        2,
        Buffer.from(JSON.stringify([null, ref, topic, event, payload])),
        () => null,
      );
      expect(one).toEqual({ ok: true, message: expected });
      expect(two).toEqual({ ok: true, message: expected });
    }),
    { ...runs, numRuns: 500 },
  );
});
