import { describe, expect, test } from "vitest";
import type { AwayPeer } from "../../canvas/view/away-peers.ts";
import { positionChips, positionDrawingChip } from "./chips.ts";

const peer = (x: number, y: number, more: Partial<AwayPeer> = {}): AwayPeer => ({
  ...{ clientId: `${x},${y}`, label: "Swift Beaver", color: "#a00", x, y },
  ...{ visible: false, following: false },
  ...more,
});

const WINDOW = { width: 1000, height: 600, small: false };

describe("UI-57 the chips of peers outside of the view", () => {
  test("stand at the edge, on the line from the middle to the peer, within the area", () => {
    const { chips } = positionChips([peer(5000, 300)], WINDOW);
    expect(chips).toMatchObject([{ x: 916, y: 300, angle: 0 }]);
    const [above] = positionChips([peer(500, -900)], WINDOW).chips;
    expect(above).toMatchObject({ x: 500, y: 30, angle: -1.57 });
    const [corner] = positionChips([peer(-9000, 9000)], WINDOW).chips;
    expect(corner?.x).toBeGreaterThanOrEqual(84);
    expect(corner?.y).toBe(570);
  });

  test("stand beside a toolbar at the left", () => {
    const area = { ...WINDOW, beside: 70 };
    expect(positionChips([peer(-5000, 300)], area).chips).toMatchObject([{ x: 154, y: 300 }]);
    expect(positionDrawingChip({ x: -5000, y: 300 }, area).x).toBe(202);
  });

  test("LANG-22 stand beside a toolbar at the right, and leave the left corner free, where one reads from right to left", () => {
    const area = { ...WINDOW, beside: 70, isMirrored: true };
    expect(positionChips([peer(5000, 300)], area).chips).toMatchObject([{ x: 846, y: 300 }]);
    expect(positionDrawingChip({ x: 5000, y: 300 }, area).x).toBe(798);
    expect(positionChips([peer(-5000, 300)], area).chips).toMatchObject([{ x: 84, y: 300 }]);
    const phone = { width: 360, height: 500, small: true, isMirrored: true };
    const [left, right] = [-900, 1260].map((x) => positionChips([peer(x, -2000)], phone).chips[0]);
    expect(left?.x).toBe(74);
    expect(left?.y).toBeGreaterThanOrEqual(60);
    expect(right).toMatchObject({ x: 286, y: 30 });
  });

  test("do not cover each other, and are five at most and a count", () => {
    const away = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => peer(5000 + i, 300));
    const { chips, more } = positionChips(away, WINDOW);
    expect(chips.map(({ y }) => y)).toEqual([300, 340, 380, 420, 460]);
    expect(more).toBe(3);
  });

  test("keep the peer that the visitor went to, at the top", () => {
    const away = [0, 1, 2, 3, 4, 5].map((i) => peer(5000 + i, 300));
    const { chips } = positionChips([...away, peer(400, 200, { visible: true })], WINDOW);
    expect(chips[0]).toMatchObject({ peer: { x: 400 }, x: 500, y: 30 });
  });

  test("leave the corner of a small window to the button Show all", () => {
    const phone = { width: 360, height: 500, small: true };
    const [chip] = positionChips([peer(900, -900)], phone).chips;
    expect(chip?.y).toBeGreaterThanOrEqual(60);
    expect(positionChips([peer(5000, 250)], phone).chips).toMatchObject([{ x: 330, y: 250 }]);
  });

  test("leave the place of new shapes free, in a window of any size", () => {
    const areas = [WINDOW, { width: 740, height: 220, small: true }];
    const half = (small: boolean) => (small ? { x: 22, y: 22 } : { x: 80, y: 18 });
    for (const area of areas)
      for (const away of [peer(-9000, 100), peer(-200, 5000), peer(150, -9000), peer(-900, 150)]) {
        const [chip] = positionChips([away], area).chips;
        const { x, y } = half(area.small);
        const covers =
          Math.abs((chip?.x ?? 0) - 175) < 75 + x && Math.abs((chip?.y ?? 0) - 175) < 75 + y;
        expect(covers, JSON.stringify({ area, away, chip })).toBe(false);
        expect(chip?.y).toBeGreaterThanOrEqual(y);
        expect(chip?.y).toBeLessThanOrEqual(area.height - y);
      }
  });
});

describe("UI-92 the chip of the drawing", () => {
  test("stands at the edge, within a window of any size, beside new shapes and the button Show all", () => {
    const areas = [
      WINDOW,
      ...[
        [740, 216],
        [390, 605],
        [320, 488],
        [320, 176],
      ].map(([width = 0, height = 0]) => ({ width, height, small: true })),
    ];
    for (const area of areas)
      for (const [x, y] of [
        [-9000, 100],
        [9000, 100],
        [150, -9000],
        [150, 9000],
        [9000, -2000],
      ] as const) {
        const chip = positionDrawingChip({ x, y }, area);
        const half = area.small ? { x: 62, y: 22 } : { x: 124, y: 20 };
        const label = JSON.stringify({ area, x, y, chip });
        expect(chip.x - half.x, label).toBeGreaterThanOrEqual(0);
        expect(chip.x + half.x, label).toBeLessThanOrEqual(area.width);
        expect(chip.y - half.y, label).toBeGreaterThanOrEqual(0);
        expect(chip.y + half.y, label).toBeLessThanOrEqual(area.height);
        const covers =
          chip.x + half.x > 100 &&
          chip.x - half.x < 250 &&
          chip.y + half.y > 100 &&
          chip.y - half.y < 250;
        expect(covers, label).toBe(false);
        const isInCorner = chip.x + half.x > area.width - 190 && chip.y - half.y < 52;
        expect(area.small && area.height > 424 && isInCorner, label).toBe(false);
      }
  });

  test("is not covered by the chips of peers", () => {
    const drawing = positionDrawingChip({ x: 5000, y: 300 }, WINDOW);
    const { chips } = positionChips([peer(5000, 300)], WINDOW, drawing);
    expect(Math.abs((chips[0]?.y ?? 0) - drawing.y)).toBeGreaterThanOrEqual(38);
  });
});
