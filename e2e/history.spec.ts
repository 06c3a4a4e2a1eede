import type { Locator } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { switchTabs, type Person } from "./person.ts";
import { button, savedObjects, surface } from "./ui/controls.ts";
import {
  OLD,
  openHistory,
  panelOf,
  saveVersions,
  strokes,
  versionsOf,
} from "./ui/history-steps.ts";

const HISTORY = "**/rest/v1/canvas_history*";

async function save(person: Person): Promise<void> {
  await switchTabs(person);
  await expect(person.saving).toHaveText("Saved");
}

/** Draws a red and a black stroke, saves them, clears the board and draws a third one. */
async function drawAndClear(person: Person): Promise<void> {
  await person.color("Red");
  await person.stroke([200, 200], [400, 200]);
  await person.color("Black");
  await person.stroke([200, 300], [400, 300]);
  await save(person);
  await person.clear();
  await save(person);
  await person.stroke([200, 400], [400, 400]);
  await save(person);
}

const NOW = ["#ffffff", "#ffffff", "#000000"];
const ALL = ["#ff0000", "#000000", "#000000"];

/** Returns how many pixels of a version's picture are red and dark. */
const coloursOf = (version: Locator): Promise<{ red: number; dark: number }> =>
  version.locator("canvas").evaluate((element) => {
    const canvas = element as HTMLCanvasElement;
    const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
    const found = { red: 0, dark: 0 };
    for (let at = 0; at < data.length; at += 4) {
      const [red, green] = [data[at] ?? 0, data[at + 1] ?? 0];
      if (red > 200 && green < 80) found.red++;
      if (red < 80 && green < 80) found.dark++;
    }
    return found;
  });

test("HIS-2 a version has its picture, its objects and its size, is previewed, restored, and the restoring undone, which everybody sees; missing strokes come back, beside strokes drawn since", async ({
  visit,
  product,
}) => {
  const one = await visit();
  const other = await visit();
  await drawAndClear(one);
  await openHistory(one.page);
  const oldest = versionsOf(one.page).last();
  await expect(oldest).toContainText(/2 objects, \d+ bytes/);
  await expect(oldest.locator("canvas")).toBeVisible();
  const { red, dark } = await coloursOf(oldest);
  expect(Math.min(red, dark)).toBeGreaterThan(20);
  await oldest.click();
  await expect.poll(() => strokes(one)).toEqual(OLD);
  await expect(one.page.getByText(/^Version of \d\d:\d\d - preview$/)).toBeVisible();
  await expect(surface(one.page)).toHaveAccessibleDescription(/earlier version.*read only/);
  const dock = one.page.locator(".dock");
  await expect(dock).toBeHidden();
  // In this window it would be folded.
  await one.page.setViewportSize({ width: 740, height: 360 });
  await expect(surface(one.page)).toHaveCSS("height", "280px");
  await expect(dock).toBeHidden();
  // Keys alone lead here with a dock that is unfolded.
  await dock.locator(".dock-toggle").dispatchEvent("click");
  await expect(dock).toBeHidden();
  await one.page.setViewportSize({ width: 1280, height: 800 });
  expect(await strokes(other)).toEqual(NOW);

  await button(one.page, "Restore this version").click();
  await expect(one.page.getByText(/- preview$/)).toHaveCount(0);
  const notice = one.toast(/^Version of \d\d:\d\d restored/);
  await expect(notice).toBeVisible();
  await expect.poll(() => strokes(one)).toEqual(OLD);
  await expect.poll(() => strokes(other)).toEqual(OLD);
  await expect.poll(() => savedObjects(product, one, other)).toHaveLength(2);
  await notice.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => strokes(one)).toEqual(NOW);
  await expect.poll(() => strokes(other)).toEqual(NOW);

  await oldest.click();
  await expect.poll(() => strokes(one)).toEqual(OLD);
  await button(one.page, "Bring back what is missing").click();
  await expect.poll(() => strokes(one)).toEqual(ALL);
  await expect.poll(() => savedObjects(product, one)).toHaveLength(3);
});

test("HIS-2 the panel by keys alone; a preview is read only, and peers' strokes made meanwhile are there afterwards", async ({
  visit,
  product,
}) => {
  await saveVersions(product);
  const one = await visit();
  const other = await visit();
  const { page } = one;
  await button(page, "Menu").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("h");
  await expect(page.getByRole("menuitem", { name: "History" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(panelOf(page)).toBeFocused();
  await expect(versionsOf(page).first()).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(button(page, "Close")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(versionsOf(page).first()).toBeFocused();
  await page.keyboard.press("End");
  await expect(versionsOf(page).last()).toBeFocused();
  await page.keyboard.press("Enter");
  await expect.poll(() => strokes(one)).toEqual(OLD);
  await page.keyboard.press("Escape");
  await expect.poll(() => strokes(one)).toEqual(NOW);
  await expect(panelOf(page)).toBeVisible();
  await page.keyboard.press("Enter");
  await expect.poll(() => strokes(one)).toEqual(OLD);
  await page.keyboard.press("Tab");
  await expect(button(page, "Restore this version")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(one.toast(/restored/)).toBeVisible();
  await expect.poll(() => strokes(one)).toEqual(OLD);
  await page.keyboard.press("Control+z");
  await expect.poll(() => strokes(one)).toEqual(NOW);
  await page.keyboard.press("Escape");
  await expect(panelOf(page)).toHaveCount(0);
  await expect(button(page, "Menu")).toBeFocused();

  await openHistory(page);
  await versionsOf(page).last().click();
  await expect.poll(() => strokes(one)).toEqual(OLD);
  await one.stroke([100, 500], [300, 500]);
  await button(page, "Menu").click();
  for (const name of ["Add text", "Add picture", "Open drawing..."])
    await expect(page.getByRole("menuitem", { name })).toHaveAttribute("aria-disabled", "true");
  await page.keyboard.press("Escape");
  await surface(page).focus();
  for (const key of ["r", "Control+z", "Space", "ArrowRight", "Space"])
    await page.keyboard.press(key);
  // This is below the notice of the clearing, which a long name makes higher.
  await other.stroke([500, 250], [600, 250]);
  await expect.poll(() => savedObjects(product, one, other)).toHaveLength(2);
  expect(await one.colorAt([550, 250])).toBe("#ffffff");
  // On a phone that was turned the panel is as high as the window, and the banner stands beside it.
  await page.setViewportSize({ width: 667, height: 375 });
  await button(page, "Back to the board").click();
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect.poll(() => one.colorAt([550, 250])).toBe("#000000");
  expect(await strokes(one)).toEqual(NOW);
  expect(await one.colorAt([200, 500])).toBe("#ffffff");
  await one.stroke([100, 500], [300, 500]);
  await expect.poll(() => one.colorAt([200, 500])).toBe("#000000");
});

test("HIS-2 a server without history and one that is away are said so, the latter is asked again; before anything was replaced the panel says so, and after each save it lists the versions again, once", async ({
  visit,
}) => {
  let state: "away" | "none" | "up" = "none";
  const json = { code: "PGRST205", message: "no table", details: null, hint: null };
  const person = await visit({
    async prepare(page) {
      await page.route(HISTORY, (route) => {
        if (state === "none") return route.fulfill({ status: 404, json });
        return state === "away" ? route.abort() : route.continue();
      });
    },
  });
  person.allow(/status of 404/, /ERR_FAILED/, /could not be listed/);
  const { page } = person;
  await openHistory(page);
  await expect(panelOf(page)).toContainText("This server keeps no history.");
  await page.keyboard.press("Escape");
  state = "away";
  await openHistory(page);
  await expect(panelOf(page)).toContainText("The history could not be loaded.");
  state = "up";
  await button(page, "Try again").click();
  await expect(panelOf(page)).toContainText("Nothing was replaced yet.");

  let [lists, saves] = [0, 0];
  page.on("request", (request) => {
    if (/canvas_history\?.*order=/.test(request.url())) lists++;
    if (request.url().includes("canvas_state") && request.method() !== "GET") saves++;
  });
  for (const [at, y] of [400, 450, 500, 550].entries()) {
    await person.stroke([200, y], [400, y]);
    await save(person);
    await expect.poll(() => lists).toBeGreaterThan(at);
  }
  // One more may be the one that is read every 30 s.
  expect(lists).toBeLessThanOrEqual(saves + 1);
  await expect(versionsOf(page)).not.toHaveCount(0);
});

test("UI-79 Play goes through the versions, of which the list marks the one that is shown and none can be restored, a slider to each of them, and nothing is written", async ({
  visit,
  product,
}) => {
  await saveVersions(product);
  const person = await visit({ context: { reducedMotion: "no-preference" } });
  const { page } = person;
  await openHistory(page);
  const before = await product.row();
  // The versions arrive after the panel; the slider stands for all of them.
  await expect(versionsOf(page)).not.toHaveCount(0);
  const count = await versionsOf(page).count();
  const slider = panelOf(page).getByRole("slider", { name: /^Version/ });
  const play = panelOf(page).getByRole("button", { name: "Play" });
  const newest = versionsOf(page).first();
  const restore = panelOf(page).getByRole("button", { name: "Restore this version" });
  await newest.click();
  await expect(restore).toHaveAttribute("aria-disabled", "false");
  await play.click();
  await expect(panelOf(page).getByRole("status")).toHaveText("Pause to restore a version.");
  await expect(page.getByText(/- preview$/)).toBeVisible();
  await expect(slider).toHaveValue(`${count - 1}`);
  await expect(play).toBeVisible();
  await expect(newest).toHaveAttribute("aria-pressed", "true");
  await expect(panelOf(page).locator('[aria-pressed="true"]')).toHaveCount(1);
  await expect(restore).toHaveAttribute("aria-disabled", "false");
  await slider.press("Home");
  await expect.poll(() => strokes(person)).toEqual(OLD);
  await slider.press("Escape");
  await expect.poll(() => strokes(person)).toEqual(NOW);
  // Leaving the panel ends it.
  await play.click();
  await page.getByRole("button", { name: "Close" }).click();
  await expect.poll(() => strokes(person)).toEqual(NOW);
  await expect(page.getByText(/- preview$/)).toHaveCount(0);
  expect(await product.row()).toEqual(before);
});
