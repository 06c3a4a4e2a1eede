import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeWithHead, learnHead } from "./known-head.ts";
import { decodeText } from "./wire.ts";

const topic = "realtime:Zürich";
const frame = (payload: string, ref = '"1"', event = "e"): Buffer =>
  Buffer.from(
    `{"topic":"${topic}","event":"broadcast","payload":{"type":"broadcast","event":"${event}","payload":${payload}},"ref":${ref},"join_ref":"7"}`,
  );
const whole = (bytes: Buffer) => {
  const decoded = decodeText(1, bytes, () => null);
  return decoded.ok ? decoded.message : null;
};
const first = frame("{}");
const head = learnHead(first, whole(first)!)!;

test("a frame with a known head gives the same message as full decoding, or is left to it", () => {
  const payload = fc.oneof(
    fc.json(),
    fc.string(),
    fc.constantFrom(
      '{}},"ref":"1","join_ref":"2"},{"a":{"b":1',
      '1,"payload":2',
      '1},"payload":{"payload":2',
      '"},\\"ref\\":null',
      "",
      " [] ",
    ),
  );
  const ref = fc.constantFrom('"1"', "null", '"a\\"b"', '"é"', "5", '{"a":1}');
  let short = 0;
  fc.assert(
    fc.property(payload, ref, fc.constantFrom("e", "f"), (...parts) => {
      const bytes = frame(...parts);
      const known = decodeWithHead(bytes, head);
      if (known === null) return;
      short++;
      const all = whole(bytes)!;
      expect({ ...known, broadcast: null }).toEqual({ ...all, broadcast: null });
      expect(known.broadcast?.event).toBe(all.broadcast?.event);
      expect(known.broadcast?.payload.toString().trim()).toBe(all.broadcast?.payload.toString());
    }),
    { numRuns: 2_000, seed: 3 },
  );
  expect(short).toBeGreaterThan(100);
});

test("a frame of another form teaches nothing", () => {
  for (const text of [
    `{"payload":{"payload":{},"event":"e"},"topic":"a","event":"broadcast","ref":"1","join_ref":"7"}`,
    `{"topic":"a","event":"broadcast","payload":{"event":"e"},"ref":"1","join_ref":"7"}`,
    `{"topic":"a","event":"heartbeat","payload":{},"ref":"1","join_ref":"7"}`,
    `{"ref":"1","join_ref":"7","topic":"a","event":"broadcast","payload":{"event":"e","payload":1}}`,
  ])
    expect(learnHead(Buffer.from(text), whole(Buffer.from(text))!)).toBeNull();
  expect(decodeWithHead(first, head)).not.toBeNull();
  expect(decodeWithHead(first.subarray(0, 20), head)).toBeNull();
  expect(decodeWithHead(head.bytes, head)).toBeNull();
});

test("RT-12 a head with long members in front of the payload is not kept", () => {
  const headOf = (more: string) => {
    const bytes = Buffer.from(first.toString().replace("{", `{"more":"${more}",`));
    return learnHead(bytes, whole(bytes)!);
  };
  expect(headOf("x".repeat(100))).not.toBeNull();
  expect(headOf("x".repeat(1_000_000))).toBeNull();
});
