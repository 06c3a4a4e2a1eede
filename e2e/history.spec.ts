import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import type { Product } from "./product.ts";
import { switchTabs, type Person } from "./person.ts";
import { button, savedObjects, surface } from "./ui/controls.ts";
import { setLocked } from "./ui/host-steps.ts";

const HISTORY = "**/rest/v1/canvas_history*";
const panelOf = (page: Page): Locator => page.getByRole("dialog", { name: "History" });
const versionsOf = (page: Page): Locator => panelOf(page).getByRole("button", { name: / ago|now/ });

async function openHistory(page: Page): Promise<void> {
  await button(page, "Menu").click();
  await page.getByRole("menuitem", { name: "History" }).click();
  await expect(panelOf(page)).toBeVisible();
}

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

/** Saves the same versions as `drawAndClear`, before a page is opened. */
async function saveVersions(product: Product): Promise<void> {
  const line = (stroke: string, y: number): object => ({
    ...{ type: "Path", id: `line-${y}`, originX: "left", originY: "top", fill: null, stroke },
    ...{ left: 198.5, top: y - 1.5, strokeWidth: 3, path: "M0 0L200 0" },
  });
  await product.seed({ objects: [line("#ff0000", 200), line("#000000", 300)] });
  const headers = { "content-type": "application/json" };
  for (const objects of [[], [line("#000000", 400)]]) {
    const body = JSON.stringify({ canvas_json: { objects } });
    const path = `canvas_state?id=eq.${(await product.row())?.id}`;
    expect((await product.rest(path, { method: "PATCH", headers, body })).status).toBe(204);
  }
}

/** Returns the colours of the three strokes. */
async function strokes(person: Person): Promise<readonly string[]> {
  const colors: string[] = [];
  for (const y of [200, 300, 400]) colors.push(await person.colorAt([300, y]));
  return colors;
}

const OLD = ["#ff0000", "#000000", "#ffffff"];
const NOW = ["#ffffff", "#ffffff", "#000000"];
const ALL = ["#ff0000", "#000000", "#000000"];

test("HIS-2 a version is previewed, restored, and the restoring undone; everybody sees it", async ({
  visit,
  product,
}) => {
  const one = await visit();
  const other = await visit();
  await drawAndClear(one);
  await openHistory(one.page);
  await versionsOf(one.page).last().click();
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
});

test("HIS-2 each version has its picture, its objects and its size; missing strokes come back, beside strokes drawn since", async ({
  visit,
  product,
}) => {
  const one = await visit();
  await drawAndClear(one);
  await openHistory(one.page);
  const oldest = versionsOf(one.page).last();
  await expect(oldest).toContainText(/2 objects, \d+ bytes/);
  const colors = () =>
    oldest.locator("canvas").evaluate((element) => {
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
  await expect(oldest.locator("canvas")).toBeVisible();
  const { red, dark } = await colors();
  expect(Math.min(red, dark)).toBeGreaterThan(20);

  await oldest.click();
  await expect.poll(() => strokes(one)).toEqual(OLD);
  await button(one.page, "Bring back what is missing").click();
  await expect.poll(() => strokes(one)).toEqual(ALL);
  await expect.poll(() => savedObjects(product, one)).toHaveLength(3);
});

test("HIS-2 a preview is read only; peers' strokes made meanwhile are there afterwards", async ({
  visit,
  product,
}) => {
  await saveVersions(product);
  const one = await visit();
  const other = await visit();
  await openHistory(one.page);
  await versionsOf(one.page).last().click();
  await expect.poll(() => strokes(one)).toEqual(OLD);
  await one.stroke([100, 500], [300, 500]);
  await button(one.page, "Menu").click();
  for (const name of ["Add text", "Add picture", "Open drawing..."])
    await expect(one.page.getByRole("menuitem", { name })).toHaveAttribute("aria-disabled", "true");
  await one.page.keyboard.press("Escape");
  await surface(one.page).focus();
  for (const key of ["r", "Control+z", "Space", "ArrowRight", "Space"])
    await one.page.keyboard.press(key);
  // This is below the notice of the clearing, which a long name makes higher.
  await other.stroke([500, 250], [600, 250]);
  await expect.poll(() => savedObjects(product, one, other)).toHaveLength(2);
  expect(await one.colorAt([550, 250])).toBe("#ffffff");
  // On a phone that was turned the panel is as high as the window, and the banner stands beside it.
  await one.page.setViewportSize({ width: 667, height: 375 });
  await button(one.page, "Back to the board").click();
  await one.page.setViewportSize({ width: 1280, height: 800 });
  await expect.poll(() => one.colorAt([550, 250])).toBe("#000000");
  expect(await strokes(one)).toEqual(NOW);
  expect(await one.colorAt([200, 500])).toBe("#ffffff");
  await one.stroke([100, 500], [300, 500]);
  await expect.poll(() => one.colorAt([200, 500])).toBe("#000000");
});

test("HIS-2 the panel by keys alone", async ({ visit, product }) => {
  await saveVersions(product);
  const one = await visit();
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
});

test("HIS-2 a server without history and one that is away are said so, the latter is asked again; before anything was replaced the panel says so", async ({
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
});

test("HIS-2 the versions are listed again after a save, once", async ({ visit, product }) => {
  await saveVersions(product);
  const person = await visit();
  const { page } = person;
  await openHistory(page);
  await expect(versionsOf(page).first()).toBeVisible();
  let [lists, saves] = [0, 0];
  page.on("request", (request) => {
    if (/canvas_history\?.*order=/.test(request.url())) lists++;
    if (request.url().includes("canvas_state") && request.method() !== "GET") saves++;
  });
  for (const [at, y] of [450, 500, 550].entries()) {
    await person.stroke([200, y], [400, y]);
    await save(person);
    await expect.poll(() => lists).toBeGreaterThan(at);
  }
  // One more may be the one that is read every 30 s.
  expect(lists).toBeLessThanOrEqual(saves + 1);
});

test("HIS-10 Play goes through the versions, a slider to each of them, and nothing is written", async ({
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
  await panelOf(page).getByRole("button", { name: "Play" }).click();
  await expect(page.getByText(/- preview$/)).toBeVisible();
  await expect(slider).toHaveValue(`${count - 1}`);
  await expect(panelOf(page).getByRole("button", { name: "Play" })).toBeVisible();
  await slider.press("Home");
  await expect.poll(() => strokes(person)).toEqual(OLD);
  await slider.press("Escape");
  await expect.poll(() => strokes(person)).toEqual(NOW);
  // Leaving the panel ends it.
  await panelOf(page).getByRole("button", { name: "Play" }).click();
  await page.getByRole("button", { name: "Close" }).click();
  await expect.poll(() => strokes(person)).toEqual(NOW);
  await expect(page.getByText(/- preview$/)).toHaveCount(0);
  expect(await product.row()).toEqual(before);
});

test("UI-79 while it plays, the list marks the version that is shown, and nothing can be restored", async ({
  visit,
  product,
}) => {
  await saveVersions(product);
  const person = await visit();
  const { page } = person;
  await openHistory(page);
  const newest = versionsOf(page).first();
  const restore = panelOf(page).getByRole("button", { name: "Restore this version" });
  await newest.click();
  await expect(restore).toHaveAttribute("aria-disabled", "false");
  await panelOf(page).getByRole("button", { name: "Play" }).click();
  await expect(panelOf(page).getByRole("status")).toHaveText("Pause to restore a version.");
  await expect(panelOf(page).getByRole("button", { name: "Play" })).toBeVisible();
  await expect(newest).toHaveAttribute("aria-pressed", "true");
  await expect(panelOf(page).locator('[aria-pressed="true"]')).toHaveCount(1);
  await expect(restore).toHaveAttribute("aria-disabled", "false");
});

test.describe("a board that a host locks", () => {
  test.use({ ownServer: true });

  test("HOST-19 the buttons that restore a shown version are off, with the reason, and the version stays", async ({
    visit,
    product,
  }) => {
    await saveVersions(product);
    const person = await visit();
    await openHistory(person.page);
    await versionsOf(person.page).last().click();
    await expect.poll(() => strokes(person)).toEqual(OLD);
    await setLocked(product, true);
    for (const name of ["Restore this version", "Bring back what is missing"]) {
      const restore = button(person.page, name);
      await expect(restore).toHaveAccessibleDescription("The host has locked the board");
      await expect(restore).toHaveAttribute("aria-disabled", "true");
      await restore.press("Enter");
    }
    await expect(person.page.getByText(/- preview$/)).toBeVisible();
    await expect(person.toast("The host has locked the board")).toHaveCount(0);
  });
});
