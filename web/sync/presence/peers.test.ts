import { describe, expect, test } from "vitest";
import { makeAuthor } from "../../../board/author.ts";
import type { Author } from "../../../board/drawing.ts";
import { createTestBed, type Visit } from "../../../testing/sync/test-bed.ts";
import {
  PEER_COLORS,
  colorOf,
  colorOfAuthor,
  isAuthorOf,
  labelOf,
  labelOfAuthor,
} from "../../../board/peer-label.ts";
import { ownPresence, readPresence } from "./peers.ts";

/** WCAG's relative luminance of #rrggbb. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

describe("online clients", () => {
  test("UI-2 the number of users online is the number of presence keys, and 1 before the first sync", async () => {
    const bed = createTestBed();
    const ann = bed.visit("ann");
    expect(ann.client.presence.get().online).toBe(1);
    await bed.clock.advance(1000);
    expect(ann.client.presence.get().online).toBe(1);
    const peers = ["ben", "cat", "dan"].map((name): Visit => bed.visit(name));
    await bed.clock.advance(1000);
    expect([ann, ...peers].map(({ client }) => client.presence.get().online)).toEqual([4, 4, 4, 4]);
    await peers[0]?.client.dispose();
    await bed.clock.advance(1000);
    expect(ann.client.presence.get().online).toBe(3);
    // Two sockets of one page are one client.
    expect(readPresence(new Map([["me", [{}, {}]]]), "me").online).toBe(1);
  });

  test("UI-2 a page tracks itself again with online_at on every join", async () => {
    const bed = createTestBed();
    const [ann, ben] = [bed.visit("ann"), bed.visit("ben")];
    await bed.clock.advance(1000);
    bed.network.cut("ben");
    await bed.clock.advance(60_000);
    expect(ann.client.presence.get().online).toBe(1);
    bed.network.restore("ben");
    await bed.clock.advance(1000);
    expect([ann.client.presence.get().online, ben.client.presence.get().online]).toEqual([2, 2]);
    expect(ownPresence(0)).toEqual({ online_at: "1970-01-01T00:00:00.000Z", partial: true });
  });

  test("PRS-4 a name reaches everybody who is online, those who come later too, and can be taken away", async () => {
    const bed = createTestBed();
    const [ann, ben] = [bed.visit("ann"), bed.visit("ben")];
    ann.client.rename("  Ann\u202e ");
    await bed.clock.advance(1000);
    const cat = bed.visit("cat");
    await bed.clock.advance(1000);
    const { clientId } = ann.client;
    const names = () =>
      [ben, cat].map(({ client }) => client.presence.get().peers.get(clientId) ?? null);
    expect(names()).toEqual(["Ann", "Ann"]);
    expect(cat.client.presence.get().peers.get(ben.client.clientId)).toBeUndefined();
    ann.client.rename("Anna");
    await bed.clock.advance(1000);
    expect(names()).toEqual(["Anna", "Anna"]);
    ann.client.rename(" ");
    await bed.clock.advance(1000);
    expect(names()).toEqual([null, null]);
    expect(ben.client.presence.get().online).toBe(3);
  });

  test("SYN-8 partial drawings are sent only when every other entry says that it understands them", () => {
    const present = (...metas: unknown[]) =>
      new Map<string, unknown[]>([
        ["me", [{}]],
        ["other", metas],
      ]);
    expect(readPresence(present(ownPresence(0)), "me").allPartial).toBe(true);
    expect(
      readPresence(present(ownPresence(0), { online_at: "2026-01-01T00:00:00.000Z" }), "me")
        .allPartial,
    ).toBe(false);
    for (const meta of [null, 7, {}, { partial: true }])
      expect(readPresence(present(meta), "me").allPartial).toBe(false);
    expect(readPresence(new Map([["me", [{}]]]), "me").allPartial).toBe(true);
  });

  test("UI-80 a client's presence names pages of its browser: what all entries under its key say", () => {
    const named = (...tabs: string[]) => ownPresence(0, undefined, tabs);
    const state = new Map([
      ["me", [named("tab", "gone", "many")]],
      ["tab", [named("me")]],
      ["impostor", [named("me", "tab", "twice")]],
      ["twice", [named(), named("impostor")]],
      ["itself", [named("itself")]],
      ["hostile", [{ ...named("me"), tabs: ["me", 7] }]],
      ["many", [{ ...named("me"), tabs: Array.from({ length: 9 }, () => "me") }]],
    ]);
    const { online, tabs } = readPresence(state, "me");
    expect([...(tabs ?? [])]).toEqual([
      ["me", ["tab", "gone", "many"]],
      ["tab", ["me"]],
      ["impostor", ["me", "tab", "twice"]],
      ["itself", ["itself"]],
    ]);
    expect(online).toBe(7);
    expect(readPresence(new Map([["me", [named()]]]), "me").tabs).toBeUndefined();
  });

  test("UI-80 a page names the tabs of its browser to its peers", async () => {
    const bed = createTestBed();
    const [ann, tab, ben] = ["ann", "tab", "ben"].map((name) => bed.visit(name).client);
    await bed.clock.advance(1000);
    expect(ben!.presence.get().tabs).toBeUndefined();
    tab!.setTabs([ann!.clientId]);
    await bed.clock.advance(1000);
    expect(ben!.presence.get().tabs?.get(tab!.clientId)).toEqual([ann!.clientId]);
    expect(ben!.presence.get().online).toBe(3);
    tab!.setTabs([]);
    await bed.clock.advance(1000);
    expect(ben!.presence.get().tabs).toBeUndefined();
  });

  test("PRS-4 the label and the colour of a peer follow from its clientId, alike in every browser", () => {
    expect(["0123456789ab", "ann", ""].map((id) => [labelOf(id), colorOf(id)])).toEqual([
      ["Proud Panda", "#8b3aa8"],
      ["Calm Bear", "#4c6a00"],
      ["Keen Turtle", "#3a55c4"],
    ]);
    const ids = Array.from({ length: 400 }, (_, index) => `id${index}`);
    for (const id of ids) expect(labelOf(id)).toMatch(/^[A-Z][a-z]+ [A-Z][a-z]+$/);
    expect(new Set(ids.map(labelOf)).size).toBeGreaterThan(250);
    expect(new Set(ids.map(colorOf)).size).toBe(PEER_COLORS.length);
  });

  test("UI-16 white text on each peer's colour has a contrast of at least 4.5 to 1", () => {
    for (const color of PEER_COLORS)
      expect(1.05 / (luminance(color) + 0.05)).toBeGreaterThanOrEqual(4.5);
  });
});

describe("an author is named as its pointer was", () => {
  test.each(["0123456789ab", "ABCDEF012345", "short", "12345-6789-abcdef"])("%s", (clientId) => {
    for (const day of [0, 2400, 46_655]) {
      const author = makeAuthor(day, clientId);
      expect(labelOfAuthor(author)).toBe(labelOf(clientId));
      expect(colorOfAuthor(author)).toBe(colorOf(clientId));
      expect(isAuthorOf(author, clientId)).toBe(true);
    }
  });

  test("and after a peer discredited its name, when letters were added to it", () => {
    const author = makeAuthor(2400, "0123456789ab");
    const renamed = `${author}k2j3h4g5` as Author;
    expect(labelOfAuthor(renamed)).toBe(labelOf("0123456789ab"));
    expect(isAuthorOf(renamed, "0123456789ab")).toBe(true);
  });

  test("another page is another author", () => {
    const author = makeAuthor(2400, "0123456789ab");
    for (const clientId of ["1123456789ab", "0123456780ab", "ab0123456789", ""])
      expect(isAuthorOf(author, clientId)).toBe(false);
  });
});
