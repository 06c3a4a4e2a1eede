/** Steps of two people in two engines, who see each other. */

import { expect } from "@playwright/test";
import { inSteps } from "../in-steps.ts";
import { BLACK, objectsOf, RED, type Test, WHITE } from "./steps.ts";
import type { Engine } from "./tab.ts";
import type { Visitor } from "./visitor.ts";

/** Defines the steps for an engine. */
export function partnerSteps(engine: Engine, test: Test): void {
  test(`${engine.name}: two people in two engines see each other's pointers and ink`, async ({
    visitor,
    partner,
    product,
  }) => {
    await inSteps({
      "pointer and ink at once": async () => {
        const both = [visitor, partner] as const;
        for (const [at, [one, two]] of [both, both.toReversed() as [Visitor, Visitor]].entries()) {
          const y = 200 + at * 100;
          await one.beginStroke([200, y], [400, y]);
          // A peer that does not know of this one yet begins with the next point.
          await expect
            .poll(async () => {
              await one.move([400 + (Date.now() % 50), y]);
              return two.colourAt([300, y], "all");
            })
            .toBe(BLACK);
          expect(await two.colourAt([300, y])).toBe(WHITE);
          await expect
            .poll(async () => {
              await one.move([400 + (Date.now() % 50), y]);
              return two.text("[data-peer]");
            })
            .not.toBeNull();
          await one.tab.up();
          await two.shows([300, y], BLACK);
        }
      },
      "a line, an arrow, the highlighter and fading ink": async () => {
        await visitor.clear(partner);
        await visitor.press("Red");
        for (const [at, key] of ["l", "a", "h"].entries()) {
          await visitor.rest([200, 200]);
          await visitor.tab.press(key);
          await visitor.stroke([200, 200 + at * 80], [500, 200 + at * 80]);
        }
        for (const person of [visitor, partner]) {
          await person.shows([300, 200], RED);
          await person.shows([300, 280], RED);
          // It is 0.4 of the colour, on white.
          await person.shows([300, 368], "#ff9999");
        }
        await visitor.tab.press("f");
        await visitor.beginStroke([200, 440], [500, 440]);
        for (const person of [visitor, partner]) await person.shows([300, 440], RED, "all");
        await visitor.release();
        await visitor.saved();
        expect(await objectsOf(product)).toMatchObject([
          { type: "Path", strokeWidth: 3 },
          { type: "Path", strokeWidth: 3 },
          { type: "Path", strokeWidth: 20, globalCompositeOperation: "multiply" },
        ]);
      },
      "ink of a finger or a pen becomes a line when it rests": async () => {
        await visitor.clear(partner);
        await visitor.press("Draw");
        await visitor.press("Red");
        await visitor.beginTouch([200, 200], [350, 208], [500, 200]);
        // The ink was 4 px away from there; the partner sees the ink until the end.
        await visitor.shows([275, 200], RED, "all");
        await partner.shows([275, 204], RED, "all");
        await visitor.tab.contact.up();
        for (const person of [visitor, partner]) {
          await person.shows([275, 200], RED);
          await person.shows([275, 204], WHITE);
        }
        await visitor.saved();
        expect(await objectsOf(product)).toMatchObject([
          { type: "Path", stroke: RED, strokeWidth: 3 },
        ]);
      },
    });
  });
}
