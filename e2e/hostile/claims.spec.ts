/** Tests false claims of a hostile visitor: to have observed, to have saved, to have removed. */

import type { Drawing } from "../../board/drawing.ts";
import { hash53 } from "../../board/hash.ts";
import { EVENTS } from "../../board/messages.ts";
import { expect, test } from "../fixtures.ts";
import { switchTabs } from "../person.ts";
import { openAttacker } from "./attacker.ts";
import {
  authorOfVisitor,
  drawLines,
  EMPTY,
  expectLines,
  expectReadable,
  objectsOf,
  partialDrawing,
  sendMark,
} from "./lines.ts";

const OFFLINE = [
  /ERR_INTERNET_DISCONNECTED/,
  /WebSocket/,
  /not (?:saved|loaded)/,
  /the canvas's menu could not be loaded/,
];

const hasDigest = ({ digest }: Readonly<Record<string, unknown>>) => typeof digest === "string";

test("MRG-19 strokes drawn offline survive a row that claims to have observed their numbers, on the screen and in undo", async ({
  product,
  visit,
}) => {
  const ann = await visit();
  ann.allow(...OFFLINE);
  const attacker = await openAttacker(product);
  await drawLines(ann, [150]);
  const author = await authorOfVisitor(attacker);
  await switchTabs(ann);
  await expect(ann.saving).toHaveText("Saved");
  await ann.context.setOffline(true);
  await drawLines(ann, [200, 250, 300]);
  await expect(ann.saving).toHaveText("Offline: kept on this device");
  const inkpool = { format: 1, seen: { [author]: 1_000_000 } };
  expect(await attacker.write({ ...EMPTY, inkpool })).toBe(204);
  await ann.context.setOffline(false);
  await expect(ann.saving).toHaveText("Saved", { timeout: 40_000 });
  await expectLines(ann, [200, 250, 300]);
  await expect.poll(() => objectsOf(product)).toBe(3);
  await ann.page.keyboard.press("Control+z");
  await expect.poll(() => ann.colorAt([300, 300])).toBe("#ffffff");
  await expectLines(ann, [200, 250]);
  await ann.page.keyboard.press("Control+y");
  await expectLines(ann, [300]);
  await switchTabs(ann);
  await expect(ann.saving).toHaveText("Saved");
  await expectReadable(product, [200, 250, 300]);
  await attacker.leave();
});

test("SAV-13 forged digests that say everything is saved end nothing: the next visit has the stroke, and the page saves by itself", async ({
  product,
  visit,
}) => {
  const ann = await visit({
    async prepare(page) {
      // This is as when the browser dies: the page has no time to save.
      await page.addInitScript(() => {
        addEventListener("pagehide", (event) => event.stopImmediatePropagation(), true);
      });
      await page.route("**/rest/v1/canvas_state*", (route) =>
        ["GET", "OPTIONS"].includes(route.request().method()) ? route.fallback() : route.abort(),
      );
    },
  });
  ann.allow(/ERR_FAILED/, /not saved/);
  const attacker = await openAttacker(product);
  await drawLines(ann, [150]);
  await authorOfVisitor(attacker);
  const update = attacker.received.find(hasDigest) ?? {};
  // A page that has saved the victim's very board would send this.
  const { inkpool } = update["json"] as Drawing;
  const hash = hash53(JSON.stringify(inkpool.seen)).toString(36);
  for (let at = 0; at < 10; at++) {
    const saved = { at: new Date().toISOString(), seen: hash, n: (update["n"] as number) + at };
    const digest = update["digest"];
    await attacker.send(EVENTS.digest, { clientId: "attacker0000", digest, saved });
  }
  await sendMark(attacker, ann);
  await expect(ann.saving).not.toHaveText("Saved");
  await ann.page.reload();
  await expectLines(ann, [150]);
  expect(await product.row()).toBeNull();
  await ann.page.unroute("**/rest/v1/canvas_state*");
  await expect(ann.saving).toHaveText("Saved", { timeout: 40_000 });
  await expect.poll(() => objectsOf(product)).toBeGreaterThanOrEqual(1);

  const received = attacker.received.length;
  await drawLines(ann, [200]);
  await expect.poll(() => attacker.received.slice(received).some(hasDigest)).toBe(true);
  const { digest } = attacker.received.findLast(hasDigest) ?? {};
  const saved = { at: "2026-01-01T00:00:00.000Z", seen: "00000000", n: 1_000 };
  for (let at = 0; at < 20; at++)
    await attacker.send(EVENTS.digest, { clientId: "attacker0000", digest, saved });
  const strokes = async () =>
    (await product.row())?.canvas_json.objects.filter(({ type }) => type === "Path").length;
  await expect.poll(strokes, { timeout: 30_000 }).toBe(2);
  await expectReadable(product, [150, 200]);
  await expect(ann.saving).toHaveText("Saved");
  await attacker.leave();
});

test("LOS-1 a partial update that claims everything was removed is offered back, regardless of its label", async ({
  product,
  visit,
}) => {
  const [ann, ben] = [await visit(), await visit()];
  const attacker = await openAttacker(product);
  const heights = [150, 200, 250, 300, 350, 400];
  await drawLines(ann, heights);
  const author = await authorOfVisitor(attacker);
  await switchTabs(ann);
  await expect(ann.saving).toHaveText("Saved");
  const json = partialDrawing([], { [author]: 5 });
  await attacker.send(EVENTS.update, { json, clientId: "attacker0000" });
  for (const person of [ann, ben]) {
    await expect.poll(() => person.colorAt([300, 150])).toBe("#ffffff");
    await expect(person.toast(/Someone/)).toHaveCount(1);
  }
  await ben
    .toast(/Someone/)
    .getByRole("button", { name: "Restore" })
    .click();
  for (const person of [ann, ben]) await expectLines(person, heights);
  await expect(ben.saving).toHaveText("Saved");
  await switchTabs(ann);
  await expectLines(ann, heights);
  expect(await objectsOf(product)).toBe(6);
  await attacker.leave();
});

test("UI-43 59 forged messages that the board was cleared give one notice, which restores everything", async ({
  product,
  visit,
}) => {
  const count = 59;
  const objects = Array.from({ length: count }, (_, at) => ({
    ...{ type: "Rect", id: `seed-${at}`, originX: "left", originY: "top", fill: "#0000ff" },
    ...{ left: 10 * at, top: 300, width: 9, height: 9, z: at + 1 },
  }));
  await product.seed({ ...EMPTY, objects, inkpool: { format: 1, seen: { seed: count - 1 } } });
  const ann = await visit();
  const attacker = await openAttacker(product);
  await expect.poll(() => ann.colorAt([5, 305])).toBe("#0000ff");
  for (let at = 0; at < count; at++) {
    const json = partialDrawing([], { seed: [at, at] });
    const clientId = `attacker${at}`;
    await attacker.send(EVENTS.update, { json, clientId, cleared: true });
  }
  await sendMark(attacker, ann);
  await expect.poll(() => ann.colorAt([585, 305])).toBe("#ffffff");
  await expect(ann.page.locator("[data-sonner-toast]")).toHaveCount(1);
  await ann
    .toast(/Someone/)
    .getByRole("button", { name: "Restore" })
    .click();
  for (const x of [5, 305, 585]) await expect.poll(() => ann.colorAt([x, 305])).toBe("#0000ff");
  await expect.poll(() => objectsOf(product), { timeout: 40_000 }).toBeGreaterThanOrEqual(count);
  await attacker.leave();
});
