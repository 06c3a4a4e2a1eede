import { expect, test } from "vitest";
import { decodeMessage, encodeMessage, type ClusterMessage } from "./messages.ts";

const SENDER = "sixteen-letters-";

const snapshot = (json: string): ClusterMessage => ({
  kind: "snapshot",
  topic: "t",
  version: 1,
  metas: new Map([["key", [{ ref: "r", json }]]]),
});

test("CLU-5 a presence that is no JSON object is not read: it would be put into messages to clients", () => {
  for (const json of [
    "",
    "{",
    "{}}",
    '{},"b":{',
    "[]",
    "null",
    "5",
    '"text"',
    '{"a":1} x',
    "\u0001",
  ])
    expect([json, decodeMessage(encodeMessage(SENDER, snapshot(json)))]).toEqual([json, null]);
  for (const json of ["{}", '{"name":"é","__proto__":1,"phx_ref":"r"}', ' {"a":[{}]} '])
    expect(decodeMessage(encodeMessage(SENDER, snapshot(json)))).toEqual({
      sender: SENDER,
      message: snapshot(json),
    });
});

test("CLU-5 a broadcast whose event does not fit into a frame, and a sender that is no process's id, are not read", () => {
  const message = (event: string): ClusterMessage => ({
    kind: "broadcast",
    content: { topic: "t", event, encoding: 1, payload: Buffer.from("{}") },
  });
  const read = (sender: string, event: string): string | undefined =>
    decodeMessage(encodeMessage(sender, message(event)))?.message.kind;
  expect(read(SENDER, "e".repeat(255))).toBe("broadcast");
  expect([read(SENDER, "e".repeat(256)), read(SENDER, "")]).toEqual([undefined, undefined]);
  expect(read("sixteen\r\nletters", "e")).toBeUndefined();
});
