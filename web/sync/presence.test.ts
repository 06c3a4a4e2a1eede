import { describe, expect, test } from "vitest";
import { createPlace, type Visit } from "../../testing/rooms.ts";
import { colorOf, labelOf, PEER_COLORS } from "./persona.ts";
import { ownMeta, readCompany } from "./presence.ts";

/** WCAG's relative luminance of #rrggbb. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

describe("who is here", () => {
  test("PRS-1 the number of users online is the number of presence keys, and 1 before the first sync", async () => {
    const place = createPlace();
    const ann = place.visit("ann");
    expect(ann.room.online.get()).toBe(1);
    await place.clock.advance(1000);
    expect(ann.room.online.get()).toBe(1);
    const others = ["ben", "cat", "dan"].map((name): Visit => place.visit(name));
    await place.clock.advance(1000);
    expect([ann, ...others].map(({ room }) => room.online.get())).toEqual([4, 4, 4, 4]);
    await others[0]?.room.dispose();
    await place.clock.advance(1000);
    expect(ann.room.online.get()).toBe(3);
    // Two sockets of one page are one person.
    expect(readCompany(new Map([["me", [{}, {}]]]), "me").online).toBe(1);
  });

  test("PRS-2 a page tracks itself again with online_at on every join", async () => {
    const place = createPlace();
    const [ann, ben] = [place.visit("ann"), place.visit("ben")];
    await place.clock.advance(1000);
    place.network.cut("ben");
    await place.clock.advance(60_000);
    expect(ann.room.online.get()).toBe(1);
    place.network.mend("ben");
    await place.clock.advance(1000);
    expect([ann.room.online.get(), ben.room.online.get()]).toEqual([2, 2]);
    expect(ownMeta(0)).toEqual({ online_at: "1970-01-01T00:00:00.000Z", partial: true });
  });

  test("PRS-3 partial drawings are sent only when every other entry says that it understands them", () => {
    const present = (...metas: unknown[]) =>
      new Map<string, unknown[]>([
        ["me", [{}]],
        ["other", metas],
      ]);
    expect(readCompany(present(ownMeta(0)), "me").allPartial).toBe(true);
    expect(
      readCompany(present(ownMeta(0), { online_at: "2026-01-01T00:00:00.000Z" }), "me").allPartial,
    ).toBe(false);
    for (const meta of [null, 7, {}, { partial: true }])
      expect(readCompany(present(meta), "me").allPartial).toBe(false);
    expect(readCompany(new Map([["me", [{}]]]), "me").allPartial).toBe(true);
  });

  test("PRS-4 the label and the colour of a person follow from the clientId, alike in every browser", () => {
    expect(labelOf("0123456789ab")).toBe(labelOf("0123456789ab"));
    const ids = Array.from({ length: 400 }, (_, index) => `id${index}`);
    for (const id of ids) expect(labelOf(id)).toMatch(/^[A-Z][a-z]+ [A-Z][a-z]+$/);
    expect(new Set(ids.map(labelOf)).size).toBeGreaterThan(250);
    expect(new Set(ids.map(colorOf)).size).toBe(PEER_COLORS.length);
  });

  test("PRS-5 white text on each person's colour has a contrast of at least 4.5 to 1", () => {
    for (const color of PEER_COLORS)
      expect(1.05 / (luminance(color) + 0.05)).toBeGreaterThanOrEqual(4.5);
  });
});
