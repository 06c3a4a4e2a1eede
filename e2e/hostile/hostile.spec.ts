/** Tests the effects of one hostile visitor on a board (SECURITY.md). */

import { setTimeout as pause } from "node:timers/promises";
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

test("MRG-19 a claim to have observed a visitor's objects removes none that the attacker cannot have observed", async ({
  product,
  visit,
}) => {
  const [ann, ben] = [await visit(), await visit()];
  const attacker = await openAttacker(product);
  await drawLines(ann, [150]);
  const author = await authorOfVisitor(attacker);
  // Everything that this author has made or will make counts as observed and removed, claims the attacker.
  const claim = { ...EMPTY, inkpool: { format: 1, seen: { [author]: 1_000_000 } } };
  await attacker.send(EVENTS.update, { json: claim, clientId: "attacker0000", n: 1 });
  await drawLines(ann, [200, 250, 300]);
  await attacker.send(EVENTS.update, { json: claim, clientId: "attacker0000", n: 2 });
  await drawLines(ann, [350]);
  for (const person of [ann, ben]) await expectLines(person, [200, 250, 300, 350]);
  await switchTabs(ann);
  await expect.poll(() => objectsOf(product), { timeout: 30_000 }).toBeGreaterThanOrEqual(4);
  await expectReadable(product, [200, 250, 300, 350]);
  await attacker.leave();
});

test("SAV-72 a writer that changes the row without a pause stops no visitor's save", async ({
  product,
  visit,
}) => {
  const ann = await visit();
  await drawLines(ann, [150]);
  await switchTabs(ann);
  await expect.poll(() => objectsOf(product)).toBe(1);
  const attacker = await openAttacker(product);
  let writes = 0;
  let stopped = false;
  const flood = (async () => {
    for (; !stopped; writes++) {
      // The server lets this address make 1,200 requests a minute, the visitor's among them: this is a rate, not a wait.
      await pause(100);
      const drawing = await attacker.read().catch(() => null);
      if (drawing) await attacker.write({ ...drawing, background: `#${String(100_000 + writes)}` });
    }
  })();
  await drawLines(ann, [200, 250]);
  await expect(ann.saving).toHaveText(/not saved|Saving/);
  await expect(ann.saving).toHaveText("Saved", { timeout: 60_000 });
  stopped = true;
  await flood;
  expect(writes).toBeGreaterThan(5);
  // The writer may have written back what it read before the save: the page that saved checks the row again.
  await expect.poll(() => objectsOf(product), { timeout: 60_000 }).toBe(3);
  await expect(ann.saving).toHaveText("Saved", { timeout: 30_000 });
  await drawLines(ann, [300]);
  await switchTabs(ann);
  await expect(ann.saving).toHaveText("Saved", { timeout: 30_000 });
  await expect.poll(() => objectsOf(product)).toBe(4);
  await attacker.leave();
});

test("DAT-20 malformed broadcasts of every kind change nothing and write nothing to the console", async ({
  product,
  visit,
}) => {
  const ann = await visit();
  ann.allow(/console warning/);
  await drawLines(ann, [150]);
  const attacker = await openAttacker(product);
  const deep = JSON.parse(`${"[".repeat(2_000)}${"]".repeat(2_000)}`) as unknown;
  const bad: unknown[] = [
    ...[null, 7, "x", [], {}, deep].map((json) => ({ json, clientId: "attacker0000" })),
    { json: { objects: [null, 7, { type: "Image" }] }, clientId: "attacker0000" },
    { json: EMPTY, clientId: "<script>" },
    { clientId: 5 },
    { clientId: "attacker0000", tick: -1, ink: {}, pointer: [Number.MAX_VALUE, 0] },
    { clientId: "attacker0000", digest: 5, saved: { at: 1, seen: 2, n: "x" } },
    JSON.parse('{"__proto__":{"polluted":1},"clientId":"attacker0000"}') as unknown,
  ];
  for (const event of Object.values(EVENTS))
    for (const payload of bad) await attacker.send(event, payload);
  await drawLines(ann, [200]);
  await expectLines(ann, [150, 200]);
  await switchTabs(ann);
  await expect.poll(() => objectsOf(product)).toBe(2);
  expect(await ann.page.evaluate(() => "polluted" in {})).toBe(false);
  expect(ann.problems.filter((text) => /uncaught|console error/.test(text))).toEqual([]);
  await attacker.leave();
});

test("DAT-29 a peer's texts that no database can store end no saving", async ({
  product,
  visit,
}) => {
  const ann = await visit();
  const attacker = await openAttacker(product);
  const texts = ["a\0b", "\ud83c", "x\udf89"].map((text, at) => ({
    ...{ type: "IText", id: `texts-${at}`, text, left: 300, top: 400 + 50 * at, z: at },
  }));
  await attacker.send(EVENTS.update, { json: partialDrawing(texts), clientId: "attacker0000" });
  await sendMark(attacker, ann);
  await drawLines(ann, [150]);
  await expect
    .poll(async () => (await product.row())?.canvas_json.objects.map(({ text }) => text), {
      timeout: 30_000,
    })
    .toEqual(expect.arrayContaining(["a\ufffdb", "\ufffd", "x\ufffd"]));
  await expect(ann.saving).toHaveText("Saved");
  await attacker.leave();
});
