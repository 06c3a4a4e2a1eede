import { expect, test } from "vitest";
import type { NamedPeer } from "./named-peer.ts";
import { AwayPeers } from "./away-peers.ts";

const FRAME = { left: 0, top: 0, right: 800, bottom: 500 };
const same = (at: { readonly x: number; readonly y: number }) => at;
const peer = (clientId: string, x: number, y = 100): NamedPeer => ({
  ...{ clientId, label: clientId, color: "#a00", pointer: { x, y }, ink: [], drags: [] },
});

test("UI-57 peers are away while they are active outside of the view", () => {
  const away = new AwayPeers();
  away.show([peer("a", 100), peer("b", 900)], 0);
  expect(away.list(FRAME, same, 0)).toMatchObject([{ clientId: "b", x: 900, visible: false }]);
  // A peer that only stays in its position becomes idle, and so does one that is silent.
  away.show([peer("b", 900)], 9000);
  expect(away.list(FRAME, same, 9000)).toHaveLength(1);
  expect(away.list(FRAME, same, 10_001)).toEqual([]);
  away.show([peer("b", 901)], 10_002);
  expect(away.list(FRAME, same, 10_003)).toHaveLength(1);
});

test("UI-57 one press goes to a peer, a second one follows, a third one and a move of the view stay", () => {
  const away = new AwayPeers();
  away.show([peer("b", 900)], 0);
  expect(away.choose("b")).toEqual({ x: 900, y: 100 });
  expect(away.followed).toBeUndefined();
  // The view shows the peer now, and its chip stays for the second press.
  const shown = (): object[] => away.list(FRAME, () => ({ x: 400, y: 250 }), 0);
  expect(shown()).toMatchObject([{ visible: true, following: false }]);
  away.choose("b");
  expect(away.followed).toEqual({ x: 900, y: 100 });
  expect(shown()).toMatchObject([{ visible: true, following: true }]);
  away.choose("b");
  expect(away.followed).toBeUndefined();
  away.choose("b");
  away.choose("b");
  away.release();
  expect([away.followed, shown()]).toEqual([undefined, []]);
});

test("UI-57 a peer from the list is gone to and followed as it is said, also while it rests", () => {
  const away = new AwayPeers();
  away.show([peer("b", 900)], 0);
  expect(away.located).toEqual(["b"]);
  expect(away.choose("b", true)).toEqual({ x: 900, y: 100 });
  expect(away.following).toBe("b");
  expect(away.choose("b", true)).toEqual({ x: 900, y: 100 });
  expect(away.list(FRAME, same, 60_000)).toMatchObject([{ clientId: "b", following: true }]);
  expect(away.choose("b", false)).toEqual({ x: 900, y: 100 });
  expect(away.following).toBeNull();
  expect(away.list(FRAME, same, 60_000)).toEqual([]);
  expect(away.choose("b", true)).toEqual({ x: 900, y: 100 });
  away.release();
  expect(away.following).toBeNull();
  expect(away.choose("c", true)).toBeUndefined();
});
