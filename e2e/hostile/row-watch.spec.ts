/** Tests rows that somebody writes past every page: open pages notice by themselves, though nobody draws. */

import { expect, test } from "../fixtures.ts";
import { switchTabs } from "../person.ts";
import { watchTraffic, writesOf, type Traffic } from "../traffic.ts";
import { openAttacker } from "./attacker.ts";
import { drawLines, EMPTY, expectLines, objectsOf } from "./lines.ts";

test("SAV-62 a row that is emptied by a bare PATCH is offered back on every open page though nobody draws, an older drawing is put right, and what a script draws into the row is on every page", async ({
  product,
  visit,
}) => {
  const traffics: Traffic[] = [];
  const ann = await visit({ prepare: (page) => void traffics.push(watchTraffic(page)) });
  await drawLines(ann, [150, 200, 250]);
  await switchTabs(ann);
  await expect(ann.saving).toHaveText("Saved");
  // A plain client cannot have known an object that was just drawn, and does not remove it.
  await ann.page.reload();
  const ben = await visit();
  for (const person of [ann, ben]) await expectLines(person, [150, 200, 250]);
  const attacker = await openAttacker(product);
  const older = await attacker.read();
  expect(await attacker.write(EMPTY)).toBe(204);
  const restore = ({ page }: typeof ann) => page.getByRole("button", { name: "Restore" });
  for (const person of [ann, ben]) {
    await expect(restore(person)).toBeVisible();
    await expect.poll(() => person.colorAt([300, 200])).toBe("#ffffff");
  }
  await restore(ben).click();
  await expectLines(ann, [150, 200, 250]);
  await expect.poll(() => objectsOf(product)).toBe(3);

  await drawLines(ann, [300]);
  await switchTabs(ann);
  await expect(ann.saving).toHaveText("Saved");
  await expect.poll(() => objectsOf(product)).toBe(4);
  // It is from before that stroke, in the page's own format: nobody removed the stroke.
  expect(await attacker.write(older)).toBe(204);
  await expect.poll(() => objectsOf(product)).toBe(4);
  for (const person of [ann, ben]) {
    await expectLines(person, [300]);
    await expect(person.saving).toHaveText("Saved");
  }
  expect(writesOf(traffics[0]!).length).toBeLessThan(10);

  const square = { type: "Rect", originX: "left", originY: "top", strokeWidth: 0, fill: "#0000ff" };
  for (const left of [100, 200, 300]) {
    const objects = [{ ...square, left, top: 400, width: 50, height: 50 }];
    expect(await attacker.write({ ...EMPTY, objects })).toBe(204);
    for (const person of [ann, ben])
      await expect.poll(() => person.colorAt([left + 25, 425])).toBe("#0000ff");
  }
  for (const person of [ann, ben]) await expect(person.saving).toHaveText("Saved");
  await attacker.leave();
});
