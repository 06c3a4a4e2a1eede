import { EventEmitter } from "node:events";
import type { FastifyReply } from "fastify";
import { expect, test, vi } from "vitest";
import { createLargeGate } from "./large.ts";

const MB = 1024 * 1024;

/** Begins bodies at one gate, none of which is slow; `close` ends the connection of the first one. */
function open() {
  vi.spyOn(performance, "now").mockReturnValue(0);
  const gate = createLargeGate();
  const replies: EventEmitter[] = [];
  const arrive = (client: string, bytes: number): boolean => {
    const raw = new EventEmitter();
    replies.push(raw);
    return gate.receive(client, { raw } as unknown as FastifyReply, () => {}).arrived(bytes);
  };
  return { arrive, close: () => replies[0]?.emit("close") };
}

test("TAB-19 a client may have 4 bodies of 1 MB, and all together 64", () => {
  const { arrive, close } = open();
  for (let client = 0; client < 16; client++) {
    for (let body = 0; body < 4; body++) expect(arrive(`${client}`, MB)).toBe(true);
    expect(arrive(`${client}`, MB)).toBe(false);
    expect(arrive(`${client}`, 1000)).toBe(true);
  }
  expect(arrive("another", MB)).toBe(false);
  close();
  expect(arrive("another", MB)).toBe(true);
});

test("TAB-19 a client may have 64 MB of smaller bodies, and all together 256 MB", () => {
  const { arrive, close } = open();
  const half = MB / 2;
  for (let client = 0; client < 4; client++) {
    for (let body = 0; body < 128; body++) expect(arrive(`${client}`, half)).toBe(true);
    expect(arrive(`${client}`, 1)).toBe(false);
  }
  expect(arrive("another", 1)).toBe(false);
  close();
  expect(arrive("another", half)).toBe(true);
});
