import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { parsePosted } from "../payloads/http-broadcast.ts";
import { SMALL_BYTES, decodeText, type Refusal } from "./wire.ts";

const LIMIT = 10_551_296;
const runs = { numRuns: 40, seed: 20_260_101 };

/** Counts the characters that JSON.parse gets, and the members and elements of its results. */
function countParsing() {
  const counted = { characters: 0, members: 0 };
  const { parse } = JSON;
  const spy = vi.spyOn(JSON, "parse").mockImplementation((text: string, reviver) => {
    counted.characters += text.length;
    return parse(text, (_name, value: unknown) => {
      counted.members++;
      return reviver === undefined ? value : reviver.call(null, _name, value);
    });
  });
  onTestFinished(() => spy.mockRestore());
  return {
    counted,
    reset: () => Object.assign(counted, { characters: 0, members: 0 }),
  };
}

/** Texts that are repeated until a message is as large as it may be. */
const UNITS = ["{},", "[],", "0,", "null,", '"",', '"\\u0041",', '{"a":[1]},', "[[[[]]]],", "é,"];
const fill = (unit: string, bytes: number): string => {
  const text = unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)));
  return text.slice(0, -1);
};

const size = fc.oneof(
  fc.constantFrom(0, 10, SMALL_BYTES - 200, SMALL_BYTES, 200_000, LIMIT - 1_000),
  fc.nat(1_000_000),
);
/** One JSON value of about so many bytes, or a text that begins like one. */
const value = fc
  .tuple(fc.constantFrom(...UNITS), size, fc.constantFrom("list", "map", "text", "deep", "broken"))
  .map(([unit, bytes, form]) => {
    if (form === "list") return `[${fill(unit, bytes)}]`;
    if (form === "map") return `{${fill('"a":0,', bytes)}}`;
    if (form === "text") return `"${"\\u0041".repeat(bytes / 6)}"`;
    if (form === "deep") return "[".repeat(bytes / 2) + "]".repeat(bytes / 2);
    return `[${fill(unit, bytes)}`;
  });
const event = fc.constantFrom("broadcast", "presence", "phx_join", "access_token", "heartbeat");

/** The refusal of a connection that has joined `realtime:a`. */
const refusal: Refusal = (address, bytes) => {
  if (bytes > LIMIT) return "too large";
  if (address === null) return null;
  return address.topic === "realtime:a" && address.event === "broadcast" ? null : "not taken";
};

/** Makes a message whose field `at` has any form, and whose other fields are valid. */
function message(at: string, any: string, eventName: string): Buffer[] {
  const field = (name: string, usual: string): string => (name === at ? any : usual);
  const inner = `{"type":"broadcast",${at === "name" ? `${any}:0,` : ""}"event":${field("event", '"e"')},"payload":${field("inner", "1")}}`;
  const fields = {
    join_ref: field("ref", '"1"'),
    ref: field("ref", '"2"'),
    topic: field("topic", '"realtime:a"'),
    event: field("type", JSON.stringify(eventName)),
    payload: at === "payload" ? any : inner,
  };
  const pairs = Object.entries(fields).map(([name, text]) => `"${name}":${text}`);
  const frames = [
    `[${Object.values(fields).join()}]`,
    `{${pairs.join()}}`,
    `{${pairs.reverse().join()}}`,
    any,
  ];
  return frames.map((text) => Buffer.from(text));
}

test("RT-12 of a text of any shape at most 64 KB and 4,096 members are parsed, and of a broadcast its names", () => {
  const { counted, reset } = countParsing();
  const positions = ["payload", "inner", "event", "type", "topic", "ref", "name"];
  let parsed = 0;
  fc.assert(
    fc.property(fc.constantFrom(...positions), value, event, (at, any, eventName) => {
      for (const [index, frame] of message(at, any, eventName).entries())
        for (const version of [1, 2] as const) {
          reset();
          const decoded = decodeText(version, frame, refusal);
          parsed += counted.characters;
          expect(counted.characters, `${index} ${at}`).toBeLessThanOrEqual(SMALL_BYTES);
          expect(counted.members, `${index} ${at}`).toBeLessThanOrEqual(5_000);
          if (decoded.ok && decoded.message.broadcast !== null)
            expect(counted.members).toBeLessThan(1_000);
        }
    }),
    runs,
  );
  expect(parsed).toBeGreaterThan(0);
});

test("RT-12 of a large text its topic and event are read, and nothing behind them when it is refused", () => {
  const asked: unknown[] = [];
  // The text behind the head is no JSON, which further reading would find.
  for (const version of [1, 2] as const) {
    const [two, one] = message("payload", `[${"x".repeat(1_000_000)}`, "presence");
    const decoded = decodeText(version, version === 2 ? two! : one!, (address, bytes) => {
      asked.push([address?.topic, address?.event, bytes > 1_000_000]);
      return "no";
    });
    expect(decoded).toMatchObject({ ok: false, reason: "no", address: { event: "presence" } });
  }
  expect(asked).toEqual([
    ["realtime:a", "presence", true],
    ["realtime:a", "presence", true],
  ]);
});

test("RT-12 of a list over HTTP of any shape nothing is parsed but names, and its payloads stay as they came", () => {
  const { counted, reset } = countParsing();
  fc.assert(
    fc.property(
      value,
      fc.constantFrom("payload", "topic", "more", "messages", "item"),
      (any, at) => {
        const field = (name: string, usual: string): string => (name === at ? any : usual);
        const item = `{"topic":${field("topic", '"a\\u0041"')},"event":"e","payload":${field("payload", "1.0")},"more":${field("more", "0")}}`;
        reset();
        const bytes = Buffer.from(
          at === "messages" ? `{"messages":${any}}` : `{"messages":[${field("item", item)}]}`,
        );
        const posted = parsePosted(bytes, LIMIT);
        expect(counted.characters).toBeLessThanOrEqual(SMALL_BYTES);
        expect(counted.members).toBeLessThanOrEqual(200);
        if (posted.ok && at === "payload") expect(posted.messages[0]?.payload.toString()).toBe(any);
      },
    ),
    runs,
  );
});
