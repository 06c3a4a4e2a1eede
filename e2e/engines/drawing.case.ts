/** The ink and the shapes of the tools, in every engine: by mouse, keys and pen, shown alike by a partner in Chromium. */

import { expect } from "@playwright/test";
import { inSteps } from "../in-steps.ts";
import { expectSame } from "./same-picture.ts";
import { BLACK, objectsOf, RED, type Test, WHITE } from "./steps.ts";
import type { Engine, PenPoint, Point } from "./tab.ts";

/** A rectangle whose upper side sags, from its upper left corner. */
const SAGGING: readonly Point[] = [
  [300, 200],
  [500, 220],
  [700, 200],
  [703, 300],
  [700, 400],
  [500, 398],
  [300, 400],
  [303, 300],
  [300, 204],
];

/** A point on its upper side, near the corner, where it does not sag yet; that of the shape is lower. */
const UPPER: Point = [320, 198];

/** Numbers of a path of two points: where it begins and where it ends. */
async function endsOf(path: unknown): Promise<number[]> {
  const [x = 0, y = 0, dx = 0, dy = 0] = (String(path).match(/-?[\d.]+/g) ?? []).map(Number);
  return [x, y, x + dx, y + dy];
}

/** Defines the steps for an engine. */
export function drawingSteps(engine: Engine, test: Test): void {
  test(`${engine.name}: lines of the tools are alike on both sides`, async ({
    visitor,
    partner,
    product,
  }) => {
    await inSteps({
      "a line that is drawn with Shift has a direction of 15 degrees": async () => {
        await visitor.rest([200, 200]);
        await visitor.tab.press("a");
        await visitor.tab.hold("Shift");
        await visitor.stroke([200, 200], [500, 212]);
        await visitor.stroke([200, 300], [400, 480]);
        await visitor.tab.letGo("Shift");
        await visitor.saved();
        const saved = await objectsOf(product);
        expect(await endsOf(saved[0]?.["path"])).toEqual([200, 200, 500, 200]);
        expect(await endsOf(saved[1]?.["path"])).toEqual([200, 300, 390, 490]);
      },
      "an end of a line is dragged, in steps of 15 degrees with Shift, and moved by keys":
        async () => {
          await visitor.clear(partner);
          await visitor.press("Red");
          await visitor.rest([200, 200]);
          await visitor.tab.press("l");
          await visitor.stroke([200, 200], [400, 200]);
          await visitor.press("Select");
          await visitor.click([300, 200]);
          await visitor.sees("Duplicate");
          await visitor.stroke([400, 200], [600, 400]);
          for (const person of [visitor, partner]) await person.shows([400, 300], RED);
          for (const person of [visitor, partner]) await person.shows([350, 200], WHITE);
          await visitor.tab.hold("Shift");
          await visitor.stroke([600, 400], [604, 206]);
          await visitor.tab.letGo("Shift");
          for (const person of [visitor, partner]) await person.shows([590, 200], RED);
          await visitor.saved();
          expect(await endsOf((await objectsOf(product))[0]?.["path"])).toEqual([
            200, 200, 604, 200,
          ]);
          // By keys: first the end where the line leads, then the other one.
          await visitor.focusCanvas();
          await visitor.tab.press("Enter");
          for (let i = 0; i < 3; i++) await visitor.tab.press("Shift+ArrowDown");
          await visitor.tab.press("ArrowLeft");
          await visitor.tab.press("Enter");
          await visitor.tab.press("Shift+ArrowUp");
          await visitor.tab.press("Escape");
          // The line itself is still selected.
          await visitor.sees("Duplicate");
          await expect
            .poll(async () => {
              await visitor.saveNow();
              return endsOf((await objectsOf(product))[0]?.["path"]);
            })
            .toEqual([200, 190, 603, 230]);
          await visitor.tab.press("Escape");
          await expectSame(visitor, partner, 300);
        },
    });
  });

  test(`${engine.name}: held shapes and the ink of every tool are alike on both sides`, async ({
    visitor,
    partner,
    product,
  }) => {
    await inSteps({
      "a stroke that is held becomes its shape, undo brings back its ink and then removes it":
        async () => {
          await visitor.clear(partner);
          await visitor.press("Draw");
          await visitor.press("Red");
          await visitor.rest([300, 200]);
          await visitor.tab.press("3");
          await visitor.beginStroke(...SAGGING);
          // WebKit gets the moves late: all of them have arrived when the last side is there.
          await visitor.shows([302, 260], RED, "all");
          await visitor.shows(UPPER, WHITE, "all");
          await visitor.release();
          for (const person of [visitor, partner]) {
            await person.shows([702, 300], RED);
            await person.shows(UPPER, WHITE);
          }
          await expectSame(visitor, partner, 10_000);
          await visitor.saved();
          expect(await objectsOf(product)).toMatchObject([
            { type: "Path", path: expect.stringMatching(/z$/), strokeWidth: 12 },
          ]);
          await visitor.tab.press("Control+z");
          for (const person of [visitor, partner]) await person.shows(UPPER, RED);
          await expectSame(visitor, partner, 10_000);
          await visitor.tab.press("Control+z");
          for (const person of [visitor, partner]) await person.shows(UPPER, WHITE);
          await visitor.saved();
          expect(await objectsOf(product)).toEqual([]);
        },
      "ink, lines, a highlighter, the eraser, shapes and ink of a pen's pressure": async () => {
        await visitor.chooseFromMenu("Pressure");
        await visitor.tab.press("Escape");
        await visitor.press("Red");
        await visitor.rest([200, 100]);
        await visitor.tab.press("3");
        await visitor.penStroke(
          Array.from({ length: 41 }, (_, i): PenPoint => [
            200 + 10 * i,
            250 + 40 * Math.sin(i / 5),
            (i + 1) / 41,
          ]),
        );
        await visitor.stroke([200, 350], [300, 450], [400, 350], [500, 450], [600, 350]);
        for (const [at, key] of ["l", "a", "h"].entries()) {
          await visitor.rest([700, 200]);
          await visitor.tab.press(key);
          await visitor.stroke([700, 200 + at * 60], [1000, 230 + at * 60]);
        }
        await visitor.stroke([700, 260], [1000, 260]);
        await visitor.press("Eraser");
        await visitor.stroke([250, 300], [550, 480]);
        await visitor.press("Teal");
        await visitor.press("Circle");
        await visitor.tab.press("Escape");
        await visitor.saved();
        expect(await objectsOf(product)).toMatchObject([
          { type: "Path", fill: RED, strokeWidth: 0 },
          { type: "Path", fill: null, strokeWidth: 12 },
          { type: "Path", strokeWidth: 12 },
          { type: "Path", strokeWidth: 12 },
          { type: "Path", strokeWidth: 20, opacity: 0.4 },
          { type: "Path", strokeWidth: 20, opacity: 0.4 },
          { type: "Path", eraser: true },
          { type: "Circle" },
        ]);
        // Thin where the pen was light, wide where it was not.
        await visitor.shows([210, 264], WHITE);
        await visitor.shows([590, 283], RED);
        await expectSame(visitor, partner, 20_000);
      },
    });
  });

  test(`${engine.name}: Escape cancels the first stroke after an object was selected`, async ({
    visitor,
    partner,
    product,
  }) => {
    await visitor.press("Rectangle");
    await visitor.sees("Duplicate");
    await visitor.rest([300, 300]);
    await visitor.tab.press("d");
    await visitor.beginStroke([400, 400], [500, 460], [600, 400]);
    for (const person of [visitor, partner]) await person.shows([450, 430], BLACK, "all");
    await visitor.tab.press("Escape");
    for (const person of [visitor, partner]) await person.shows([450, 430], WHITE, "all");
    await visitor.release();
    await visitor.saved();
    expect(await objectsOf(product)).toMatchObject([{ type: "Rect" }]);
  });
}
