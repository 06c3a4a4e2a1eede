/** Tests that nothing on the board is beyond a visitor's reach: objects that cannot be seen or selected can be removed. */

import { EVENTS } from "../../board/messages.ts";
import { expect, test } from "../fixtures.ts";
import { switchTabs, type Person } from "../person.ts";
import type { Product } from "../product.ts";
import { button } from "../ui/controls.ts";
import { openAttacker } from "./attacker.ts";
import { drawLines, EMPTY, expectLines, objectsOf, partialDrawing } from "./lines.ts";

const AUTHOR = "hostile";
const REFUSED = "Cannot save: Canvas data too large";

/** Returns objects that nobody sees, with about 12 KB each. */
function hiddenObjects(from: number, count: number): object[] {
  const hidden = [
    { visible: false },
    { left: 9_000_000, top: 9_000_000 },
    { opacity: 0 },
    { visible: false, eraser: true, stroke: "#ff0000", strokeWidth: 3 },
  ];
  const curves = "q101.5 102.5 3.5 4.5q-1.5 -2.5 3.5 4.5".repeat(310);
  return Array.from({ length: count }, (_, at) => ({
    ...{ type: "Path", id: `${AUTHOR}-${from + at}`, z: from + at, stroke: "#000000", fill: null },
    ...{ originX: "left", originY: "top", left: 300, top: 300, ...hidden[at % hidden.length] },
    path: `M0 0${curves}l${from + at} 0`,
  }));
}

/** Saves a stroke of the eraser that covers the board, and more objects that nobody sees than one drawing may contain. */
async function attack(product: Product): Promise<void> {
  const attacker = await openAttacker(product);
  const cover = {
    ...{ type: "Path", id: `${AUTHOR}-0`, z: 1e6, originX: "left", originY: "top", fill: null },
    ...{ stroke: "#ffffff", strokeWidth: 20, eraser: true, left: -10, top: -10 },
    path: `M0 0${"h1300v18h-1300v18".repeat(20)}`,
  };
  const objects = [cover, ...hiddenObjects(1, 800)];
  expect(await attacker.write({ ...EMPTY, objects, inkpool: { format: 1, seen: {} } })).toBe(204);
  const json = partialDrawing(hiddenObjects(801, 200));
  await attacker.send(EVENTS.update, { json, clientId: "attacker0000" });
  await attacker.leave();
}

/** Draws until the visitor's save is refused for its size, with the hostile visitor's objects on the board. */
async function drawUntilRefused(person: Person): Promise<void> {
  person.allow(/too large/);
  await switchTabs(person);
  await expect.poll(() => person.colorAt([300, 150]), { timeout: 60_000 }).toBe("#ffffff");
  await drawLines(person, [250]);
  await switchTabs(person);
  await expect(person.toast(REFUSED)).toBeVisible({ timeout: 60_000 });
}

test("WHO-1 10 MB that nobody sees and an eraser stroke over the board are removed by Select all and Delete, and, with nothing else, by Who drew what, to which a refused save leads", async ({
  product,
  visit,
}) => {
  test.slow();
  const ann = await visit();
  await drawLines(ann, [150]);
  await switchTabs(ann);
  await expect(ann.saving).toHaveText("Saved");
  await attack(product);
  await drawUntilRefused(ann);
  await ann.tool("Select");
  await ann.canvas.focus();
  await ann.page.keyboard.press("Control+a");
  await ann.page.keyboard.press("Delete");
  await expect(ann.saving).toHaveText("Saved", { timeout: 60_000 });
  expect(await objectsOf(product)).toBe(0);
  await expect(ann.toast(REFUSED)).toHaveCount(0);

  // The visitor's strokes are to stay: the removal is undone.
  await ann.page.keyboard.press("Control+z");
  await switchTabs(ann);
  await expect(ann.toast(REFUSED)).toBeVisible({ timeout: 60_000 });
  // A notice about changes while the page was hidden may come to lie over it at any time: the pointer spreads them.
  await expect(async () => {
    await ann.page.locator("[data-sonner-toast][data-front=true]").hover({ timeout: 2_000 });
    await button(ann.page, "Who drew what").click({ timeout: 2_000 });
  }).toPass();
  const authors = ann.page.getByRole("dialog", { name: "Who drew what" }).getByRole("listitem");
  await expect(authors).toHaveCount(2);
  await expect(authors.first()).toContainText("of them hidden");
  await authors
    .first()
    .getByRole("button", { name: /^Remove everything by/ })
    .click();
  await expectLines(ann, [150, 250]);
  await expect(ann.saving).toHaveText("Saved", { timeout: 60_000 });
  expect(await objectsOf(product)).toBe(2);
});
