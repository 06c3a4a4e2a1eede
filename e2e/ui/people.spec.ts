/** Tests the people online: the list, names, who is followed, what others have selected, and who cleared the board. */

import type { Locator, Page } from "@playwright/test";
import { expect, test } from "../fixtures.ts";
import { knowEachOther, type Person, switchTabs } from "../person.ts";
import { button } from "./controls.ts";
import { enterAsPeer } from "./socket-peer.ts";

test("UI-41 the badge opens the people: a name of one's own, Go to, Follow, and actions under that name; the list keeps the focus when a person leaves whose button has it", async ({
  visit,
}) => {
  const [one, two] = [await visit(), await visit()];
  await knowEachOther(one, two);
  const badge = button(one.page, "2 users online");
  await badge.press("Enter");
  const list = one.page.getByRole("dialog", { name: "People" });
  const rows = list.getByRole("listitem");
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText("(you)");
  await expect(badge).toHaveAttribute("aria-expanded", "true");

  // A name is for everybody, and stays on the device.
  await button(two.page, "2 users online").click();
  const field = two.page.getByRole("textbox", { name: "Your name" });
  // This Escape is an input method's, whose composition it ends.
  await field.dispatchEvent("keydown", { key: "Escape", keyCode: 229 });
  await field.fill("  Zoë \u202eof\u2066 Greenland ");
  await field.press("Enter");
  const name = "Zoë of Greenland";
  await expect(field).toHaveValue(name);
  await two.page.keyboard.press("Escape");
  await expect(rows.last()).toContainText(name);
  const go = list.getByRole("button", { name: `Go to ${name}` });
  await expect(go).toHaveAttribute("aria-disabled", "true");

  // A selected object is outlined, until it is no longer selected.
  await two.tool("Rectangle");
  const overlay = one.canvas.locator("canvas").nth(1);
  await expect(overlay).toHaveCSS("opacity", "1");
  await two.page.keyboard.press("Escape");
  await two.page.mouse.move(640, 300);
  await expect(one.canvas.locator("[data-peer]")).toHaveText(name);
  await expect(overlay).toHaveCSS("opacity", "0");

  // The view goes to the peer, and follows it until this visitor moves the view.
  await two.page.mouse.wheel(3000, 0);
  const move = async () => {
    for (let i = 0; i < 5; i++) await two.move([650 + 10 * i, 300]);
  };
  await move();
  await expect(one.canvas.locator("[data-peer]")).not.toBeInViewport();
  await go.click();
  await expect(one.canvas.locator("[data-peer]")).toBeInViewport();
  await list.getByRole("button", { name: `Follow ${name}` }).click();
  await expect(list.getByRole("status")).toContainText(`Following ${name}`);
  // A reload has another clientId, and the name of the device.
  await two.page.reload();
  await two.ready();
  await expect(rows.last()).toContainText("has not moved yet");
  await expect(rows.last()).toContainText(name);
  await two.page.mouse.wheel(6000, 0);
  await move();
  const stop = list.getByRole("button", { name: `Stop following ${name}` });
  await expect(stop).toBeVisible();
  await expect(one.canvas.locator("[data-peer]")).toBeInViewport();
  await one.page.mouse.move(300, 400);
  await one.page.mouse.wheel(0, 100);
  await expect(stop).toHaveCount(0);
  await expect(list.getByRole("status")).toBeEmpty();
  await list.getByRole("button", { name: `Follow ${name}` }).click();
  await stop.click();
  await expect(stop).toHaveCount(0);

  await two.clear();
  const notice = one.toast(`${name} cleared the board`);
  await expect(notice).toContainText("1 object");
  await one.tool("Rectangle");
  await go.focus();
  await two.page.close();
  await expect(rows).toHaveCount(1);
  await expect(button(one.page, "1 user online")).toBeVisible();
  await expect(list).toBeFocused();
  await one.page.keyboard.press("Escape");
});

test("UI-41 in a crowd the badge counts everybody, the list says how many it leaves out, and one of these is shown with a pointer", async ({
  visit,
  product,
}) => {
  const enter = (n: number) => enterAsPeer(product, `crowd${n}`);
  const crowd = await Promise.all(Array.from({ length: 160 }, (_, n) => enter(n)));
  const one = await visit();
  await button(one.page, "161 users online").click();
  const list = one.page.getByRole("dialog", { name: "People" });
  await expect(list.getByText("And 60 more, who are not listed.")).toBeVisible();
  const stranger = await enter(160);
  await expect(button(one.page, "162 users online")).toBeVisible();
  stranger.point(300, 200);
  await expect(one.canvas.locator("[data-peer]")).toBeVisible();
  const more = list.getByRole("button", { name: "Show more" });
  await more.press("Enter");
  await expect(more).toHaveCount(0);
  await expect(list.getByRole("listitem").nth(50)).toBeFocused();
  for (const peer of crowd.splice(60)) peer.leave();
  await expect(button(one.page, "62 users online")).toBeVisible();
  await expect(list.getByText("not listed")).toHaveCount(0);
  for (const peer of [stranger, ...crowd]) peer.leave();
});

/** Hides the page, or shows it again, for its scripts. */
async function setVisible({ page }: Person, visible: boolean): Promise<void> {
  await page.evaluate(
    (value) => {
      Object.defineProperty(document, "visibilityState", { value, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    },
    visible ? "visible" : "hidden",
  );
}

test("UI-47 a page that was hidden reports peers' changes meanwhile, and counts them in its title", async ({
  visit,
}) => {
  const [one, two] = [await visit(), await visit()];
  await knowEachOther(one, two);
  await two.stroke([300, 300], [400, 300]);
  await expect.poll(() => one.colorAt([350, 300])).toBe("#000000");
  await setVisible(one, false);
  await expect(one.page).toHaveTitle("Inkpool");
  await two.stroke([300, 200], [400, 200]);
  await two.tool("Rectangle");
  await expect(one.page).toHaveTitle("(2) Inkpool");
  await two.page.keyboard.press("Delete");
  await two.tool("Circle");
  await expect(one.page).toHaveTitle("(2) Inkpool");
  await two.clear();
  await expect(one.page).toHaveTitle("(1) Inkpool");
  await two.tool("Circle");
  await expect(one.page).toHaveTitle("(2) Inkpool");
  await setVisible(one, true);
  await expect(one.page).toHaveTitle("Inkpool");
  const notice = one.toast("While you were away: 1 added, 1 removed");
  await expect(notice).toBeVisible();
  await notice.getByRole("button", { name: /close/i }).click();
  await expect(notice).toHaveCount(0);
});

test("WHO-2 names last: one browser is one row, by the chosen name, also when it has gone; a reader's own rows stay theirs after a reload", async ({
  visit,
}) => {
  const teacher = await visit();
  await teacher.stroke([100, 300], [200, 300]);
  await button(teacher.page, "1 user online").click();
  const field = teacher.page.getByRole("textbox", { name: "Your name" });
  await field.fill("Ms Smith");
  await field.press("Enter");
  await teacher.page.reload();
  await teacher.ready();
  await teacher.stroke([100, 350], [200, 350]);
  const rowsOf = async ({ page }: Person) => {
    await button(page, "Menu").click();
    await page.getByRole("menuitem", { name: "Who drew what" }).click();
    return page.getByRole("dialog", { name: "Who drew what" }).getByRole("listitem");
  };
  const own = await rowsOf(teacher);
  await expect(own).toHaveCount(1);
  await expect(own).toContainText("Ms Smith (you)");
  await expect(own).toContainText("2 objects, less than 0.1 % of the space");
  await switchTabs(teacher);
  await expect(teacher.saving).toHaveText("Saved");
  await teacher.page.close();
  const child = await visit();
  await expect(button(child.page, "1 user online")).toBeVisible();
  const theirs = await rowsOf(child);
  await expect(theirs).toHaveCount(1);
  await expect(theirs).toContainText(/^Ms Smith \([A-Z][a-z]+ [A-Z][a-z]+\)/);
  await expect(theirs).toContainText("2 objects");
});

/** Returns how light the drawing is at a point, with everything over it: 0 for black, 255 for white. */
async function lightAt(person: Person, at: readonly [number, number]): Promise<number> {
  const [red = 0, green = 0, blue = 0] = await person.pixel(at);
  return Math.round((red + green + blue) / 3);
}

test("UI-140 a press of a row in Who drew what shows that author's objects and dims the others; the canvas's menu opens the row", async ({
  visit,
}) => {
  const teacher = await visit({
    prepare: (page) => page.addInitScript(() => localStorage.setItem("inkpool:name", "Ms Smith")),
  });
  const child = await visit();
  await knowEachOther(teacher, child);
  await teacher.stroke([100, 300], [200, 300]);
  await expect.poll(() => child.colorAt([150, 300])).toBe("#000000");
  await child.stroke([100, 350], [200, 350]);
  await child.leaveCanvas();

  const { page } = child;
  await button(page, "Menu").click();
  await page.getByRole("menuitem", { name: "Who drew what" }).click();
  const panel = page.getByRole("dialog", { name: "Who drew what" });
  const row = panel.getByRole("button", { name: /^Ms Smith \(/ });
  await expect(row).toHaveAttribute("aria-pressed", "false");
  await row.click();
  await expect(row).toHaveAttribute("aria-pressed", "true");
  await expect.poll(() => lightAt(child, [150, 350])).toBeGreaterThan(180);
  await expect.poll(() => lightAt(child, [150, 300])).toBe(0);
  // The outline, 2 px wide, surrounds the stroke.
  await expect.poll(() => lightAt(child, [150, 294])).toBeLessThan(200);
  // Only the display is dimmed: the drawing does not change.
  expect(await child.colorAt([150, 350])).toBe("#000000");
  // Drawings of the author meanwhile are shown too.
  await teacher.stroke([100, 400], [200, 400]);
  await expect.poll(() => lightAt(child, [150, 400])).toBe(0);
  await row.press("Enter");
  await expect(row).toHaveAttribute("aria-pressed", "false");
  await expect.poll(() => lightAt(child, [150, 350])).toBe(0);
  await row.press("Enter");
  await expect.poll(() => lightAt(child, [150, 350])).toBeGreaterThan(180);
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  await expect.poll(() => lightAt(child, [150, 350])).toBe(0);

  // The view goes to the object that the menu shows to its author.
  await child.tool("Select");
  await child.move([150, 300]);
  await page.mouse.click(150, 300 + 80, { button: "right" });
  await page.getByRole("menuitem", { name: "by Ms Smith", exact: true }).click();
  await expect(row).toBeFocused();
  await expect(row).toHaveAttribute("aria-pressed", "true");
  await row.press("Enter");
  await page.mouse.move(300, 300);
  await page.mouse.wheel(0, 3000);
  await expect.poll(() => child.colorAt([150, 300])).toBe("#ffffff");
  await row.press("Enter");
  await expect(page.getByRole("button", { name: /^Drawing:/ })).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(child.canvas).toBeFocused();

  // A selection by several people has no such item; one's own says so.
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Shift+F10");
  const menu = page.getByRole("menu", { name: "Board" });
  await expect(menu).toBeVisible();
  await expect(menu.getByRole("menuitem", { name: /^by / })).toHaveCount(0);
  await page.keyboard.press("Escape");
});

test("UI-80 two tabs of one browser are one person in everybody's list of people, and two to the badge", async ({
  visit,
  product,
}) => {
  const [person, other] = [await visit(), await visit()];
  const second = await person.context.newPage();
  await second.goto(product.url);
  const listOf = async (page: Page): Promise<Locator> => {
    await button(page, "3 users online").click();
    return page.getByRole("dialog", { name: "People" }).getByRole("listitem");
  };
  const own = await listOf(person.page);
  await expect(own.first()).toContainText("(you, in two tabs)");
  await expect(own).toHaveCount(2);
  const theirs = await listOf(other.page);
  await expect(theirs).toHaveCount(2);
  await expect(theirs.last()).toContainText("(in two tabs, has not moved yet)");
  await listOf(second);
  const field = second.getByRole("textbox", { name: "Your name" });
  await field.fill("Ms Smith");
  await field.press("Enter");
  await expect(theirs.last()).toContainText("Ms Smith");
  await expect(own.first()).toContainText("Ms Smith");
  await second.close();
  await expect(button(other.page, "2 users online")).toBeVisible();
  await expect(theirs).toHaveCount(2);
  await expect(theirs.last()).toContainText("Ms Smith");
  await expect(theirs.last()).not.toContainText("tabs");
});
