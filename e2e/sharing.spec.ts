import type { Page } from "@playwright/test";
import { LIMITS } from "../board/constants.ts";
import { expect, test } from "./fixtures.ts";
import { openPresences } from "./hostile/attacker.ts";
import { switchTabs } from "./person.ts";
import { updatesOf, watchTraffic, writesOf, type Traffic } from "./traffic.ts";

test("UI-2 the badge counts the visitors who are online", async ({ product, visit }) => {
  let leave = await openPresences(product, 2);
  const { page } = await visit();
  await expect(page.getByText("3 users online")).toBeVisible();
  await leave();
  await expect(page.getByText("1 user online")).toBeVisible();
  leave = await openPresences(product, 1);
  await expect(page.getByText("2 users online")).toBeVisible();
  await leave();
  await expect(page.getByText("1 user online")).toBeVisible();
});

test("SYN-1 a visitor sees each object that the other adds, moves or removes, in few broadcasts where the changes are many, and the next visit restores the latest drawing", async ({
  visit,
}) => {
  const traffics: Traffic[] = [];
  const a = await visit({ prepare: (page: Page) => void traffics.push(watchTraffic(page)) });
  const b = await visit();
  await b.color("Blue");
  await b.stroke([500, 400], [700, 400]);
  await a.color("Red");
  await a.tool("Rectangle");
  await expect.poll(() => b.colorAt([150, 150])).toBe("#ff0000");
  await expect.poll(() => a.colorAt([600, 400])).toBe("#45b7d1");

  await a.tool("Select");
  await a.stroke([150, 150], [450, 250]);
  await expect.poll(() => b.colorAt([450, 250])).toBe("#ff0000");
  await expect.poll(() => b.colorAt([150, 150])).toBe("#ffffff");

  await a.canvas.press("Delete");
  await expect.poll(() => b.colorAt([450, 250])).toBe("#ffffff");
  expect(await b.colorAt([600, 400])).toBe("#45b7d1");

  await a.color("Purple");
  await a.tool("Circle");
  await a.tool("Draw");
  const [traffic] = traffics as [Traffic];
  const updates = updatesOf(traffic).length;
  const since = Date.now();
  for (let row = 0; row < 8; row++) await a.stroke([300, 450 + row * 20], [500, 450 + row * 20]);
  await expect.poll(() => b.colorAt([400, 590])).toBe("#9b59b6");
  const seconds = Math.ceil((Date.now() - since) / 1000);
  const sent = updatesOf(traffic).length - updates;
  expect(sent).toBeGreaterThan(0);
  // There is one immediately, then at most one a second.
  expect(sent).toBeLessThanOrEqual(seconds + 1);

  await a.stroke([400, 100], [600, 100]);
  await switchTabs(a);
  await expect(a.saving).toHaveText("Saved");
  await a.leaveCanvas();
  const before = await a.drawing();
  for (const { page } of [a, b]) await page.close();
  const newcomer = await visit();
  await expect.poll(() => newcomer.colorAt([500, 100])).toBe("#9b59b6");
  await newcomer.tool("Select");
  expect(Buffer.compare((await newcomer.drawing()).rgba, before.rgba)).toBe(0);
});

test("SAV-1 a save comes after the changes, once: select id, then insert or update", async ({
  product,
  visit,
}) => {
  const traffics: Traffic[] = [];
  const a = await visit({
    async prepare(page: Page) {
      traffics.push(watchTraffic(page));
      await page.clock.install();
    },
  });
  const [traffic] = traffics as [Traffic];
  for (let row = 0; row < 3; row++) {
    await a.stroke([100, 50 + row * 20], [300, 50 + row * 20]);
    await a.page.clock.fastForward(LIMITS.saveDebounce / 5);
  }
  expect(writesOf(traffic)).toEqual([]);
  await a.page.clock.fastForward(LIMITS.saveDebounce);
  await expect(a.saving).toHaveText("Saved");
  expect(writesOf(traffic)).toHaveLength(1);
  expect(traffic.table.filter((request) => request === "GET ?select=id&limit=1")).toHaveLength(1);
  expect(writesOf(traffic)[0]).toMatch(/^POST/);
  const first = await product.row();
  expect(first?.canvas_json.objects).toHaveLength(3);

  await a.stroke([100, 200], [300, 200]);
  await a.page.clock.fastForward(LIMITS.saveDebounce);
  await expect.poll(() => writesOf(traffic)).toHaveLength(2);
  await expect(a.saving).toHaveText("Saved");
  expect(writesOf(traffic)).toHaveLength(2);
  expect(writesOf(traffic)[1]).toMatch(new RegExp(`^PATCH .*id=eq\\.${first?.id}`));
  const second = await product.row();
  expect(second?.id).toBe(first?.id);
  expect(second?.canvas_json.objects).toHaveLength(4);
  expect(Date.parse(second?.updated_at ?? "")).toBeGreaterThan(Date.parse(first?.updated_at ?? ""));
});
