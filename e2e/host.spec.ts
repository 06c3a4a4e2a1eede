import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { LIMITS } from "../board/constants.ts";
import { expect, test } from "./fixtures.ts";
import { OLD, openHistory, saveVersions, strokes, versionsOf } from "./ui/history-steps.ts";
import { hostLink, openHostPanel, setLocked, takeLink } from "./ui/host-steps.ts";
import type { Person } from "./person.ts";
import { button, savedObjects, selectionBar, selectionButton, surface } from "./ui/controls.ts";

// The next test's server is this one.
test.afterEach(({ product }) => setLocked(product, false));

const LOCKED = "The host has locked the board";

const lockSwitch = (page: Page) => page.getByRole("switch", { name: "Lock the board" });

async function expectLocked({ page }: Person): Promise<void> {
  await expect(page.locator(".lock-sign")).toHaveText(LOCKED);
  await expect(surface(page)).toHaveAccessibleDescription(LOCKED);
  for (const name of ["Draw", "Undo", "Redo"]) {
    await expect(button(page, name)).toHaveAttribute("aria-disabled", "true");
    await expect(button(page, name)).toHaveAccessibleDescription(LOCKED);
  }
}

test("HOST-18 a host locks the board, gives a drawing link, and opens it again", async ({
  visit,
  product,
}) => {
  const link = await hostLink(product);
  const teacher = await visit({ url: link });
  expect(teacher.page.url()).toBe(`${product.url}/`);
  const pupil = await visit();
  await button(pupil.page, "Menu").click();
  await expect(pupil.page.getByRole("menuitem", { name: "Show all" })).toBeVisible();
  await expect(pupil.page.getByRole("menuitem", { name: "Host" })).toHaveCount(0);
  await pupil.page.keyboard.press("Escape");

  await openHostPanel(teacher.page);
  await lockSwitch(teacher.page).click();
  await expect(lockSwitch(teacher.page)).toBeChecked();
  await expectLocked(pupil);
  await button(teacher.page, "Copy drawing link").click();
  const field = teacher.page.getByRole("textbox", { name: "Drawing link" });
  await expect(field).toHaveValue(/#draw=[\w-]{43}$/);
  await button(teacher.page, "New links").press("Enter");
  await expect(teacher.page.getByText("The host link and the drawing link of now")).toBeFocused();
  await button(teacher.page, "Cancel").press("Enter");
  await expect(button(teacher.page, "New links")).toBeFocused();
  const helper = await visit({ url: await field.inputValue() });
  expect(helper.page.url()).toBe(`${product.url}/`);
  await expect(helper.page.locator(".lock-sign")).toBeVisible();
  await helper.stroke([300, 300], [500, 300]);
  await expect.poll(() => pupil.colorAt([400, 300])).toBe("#000000");
  await pupil.stroke([300, 400], [500, 400]);
  await teacher.stroke([300, 450], [500, 450]);
  await expect.poll(() => pupil.colorAt([400, 450])).toBe("#000000");
  expect(await pupil.colorAt([400, 400])).toBe("#ffffff");

  await lockSwitch(teacher.page).click();
  await expect(pupil.page.getByText(LOCKED)).toHaveCount(0);
  await expect(pupil.page.locator("[data-own-actions]")).toHaveText("Everybody draws.");
  await expect(surface(pupil.page)).toHaveAccessibleDescription(/^Draw: arrow keys/);
  await pupil.stroke([300, 400], [500, 400]);
  await expect.poll(() => teacher.colorAt([400, 400])).toBe("#000000");

  await pupil.clear();
  // A notice under the pointer does not end by itself.
  await pupil.toast("Canvas cleared!").hover();
  await lockSwitch(teacher.page).click();
  await expect(pupil.toast("Canvas cleared!")).toHaveCount(0);
  await expectLocked(pupil);
});

test("HOST-19 on a locked board an unsaved change waits through a reload; view and export work; it is saved when the board opens", async ({
  visit,
  product,
}) => {
  // The link comes from a command, which is slow: the stroke would be saved meanwhile.
  await hostLink(product);
  const pupil = await visit();
  await pupil.stroke([300, 300], [500, 300]);
  await setLocked(product, true);
  await expectLocked(pupil);
  await expect(pupil.saving).toHaveText("1 change not saved yet");
  await pupil.page.reload();
  await pupil.ready();
  await expectLocked(pupil);
  await expect(pupil.saving).toHaveText("1 change not saved yet");
  await expect.poll(() => pupil.colorAt([400, 300])).toBe("#000000");
  for (const name of ["Rectangle", "Clear Canvas"]) {
    await expect(button(pupil.page, name)).toHaveAccessibleDescription(LOCKED);
    await button(pupil.page, name).click({ force: true });
  }
  await surface(pupil.page).focus();
  await pupil.page.keyboard.press("r");
  await button(pupil.page, "Zoom in").click();
  await expect(button(pupil.page, "Zoom: 100 %")).toHaveCount(0);
  const download = pupil.page.waitForEvent("download");
  await button(pupil.page, "Menu").click();
  await pupil.page.getByRole("menuitem", { name: "Download drawing (JSON)" }).click();
  await download;
  await expect(pupil.saving).toHaveText("1 change not saved yet");

  await setLocked(product, false);
  await expect(pupil.toast("your 1 change is saved")).toBeVisible();
  await expect(pupil.saving).toHaveText("Saved");
  expect(await savedObjects(product)).toHaveLength(1);
});

test("HOST-17 a made-up link takes no power from a host; one whose link another host renews loses the panel and the menu's Host with it", async ({
  visit,
  product,
}) => {
  const link = await hostLink(product);
  const [host, other] = [await visit({ url: link }), await visit({ url: link })];
  host.allow(/status of 401/);
  other.allow(/status of 40[13]/);
  await openHostPanel(host.page);
  const answers: number[] = [];
  host.page.on("response", (response) => {
    if (response.url().endsWith("/host/v1/token")) answers.push(response.status());
  });
  await host.page.evaluate(() => {
    location.hash = `#host=${"A".repeat(43)}`;
  });
  await expect.poll(() => answers.slice(-2)).toEqual([401, 200]);
  await expect(host.page).toHaveURL(`${product.url}/`);
  await openHostPanel(host.page);
  await lockSwitch(host.page).click();
  await expect(lockSwitch(host.page)).toBeChecked();

  await openHostPanel(other.page);
  await button(host.page, "New links").click();
  await button(host.page, "Make new links").click();
  await expect(host.page.getByText("The links from before are void.")).toBeVisible();
  await takeLink(product, host.page);
  await expect(other.toast("The link with which you drew is no longer valid")).toBeVisible();
  await expect(other.page.getByRole("dialog", { name: "Host" })).toHaveCount(0);
  await button(other.page, "Menu").click();
  await expect(other.page.getByRole("menuitem", { name: "Show all" })).toBeVisible();
  await expect(other.page.getByRole("menuitem", { name: "Host" })).toHaveCount(0);
});

test("HOST-19 menus that are open when a lock begins are off, and a file that was being chosen is refused with the reason; the panel of the stickers, which it closes, does not open by itself when it ends", async ({
  visit,
  product,
}) => {
  const pupil = await visit();
  const { page } = pupil;
  const item = (name: string) => page.getByRole("menuitem", { name, exact: true });
  await button(page, "Menu").click();
  await expect(item("Add picture")).not.toHaveAttribute("aria-disabled");
  await setLocked(product, true);
  for (const name of ["Add text", "Add picture", "Open drawing..."])
    await expect(item(name)).toHaveAccessibleDescription(LOCKED);
  await setLocked(product, false);
  await expect(item("Open drawing...")).not.toHaveAttribute("aria-disabled");
  const choosing = page.waitForEvent("filechooser");
  await item("Open drawing...").click();
  const chooser = await choosing;
  await setLocked(product, true);
  await expectLocked(pupil);
  const drawing = { version: "7.4.0", objects: [{ type: "Rect", width: 50, height: 50 }] };
  const buffer = Buffer.from(JSON.stringify(drawing));
  await chooser.setFiles({ name: "drawing.json", mimeType: "application/json", buffer });
  await expect(pupil.toast(LOCKED)).toBeVisible();
  await setLocked(product, false);
  await expect(page.locator(".lock-sign")).toHaveCount(0);

  await page.mouse.click(300, 300, { button: "right" });
  await expect(item("Paste")).not.toHaveAttribute("aria-disabled");
  await setLocked(product, true);
  for (const name of ["Paste", "Add text"])
    await expect(item(name)).toHaveAccessibleDescription(LOCKED);
  await page.keyboard.press("Escape");
  await button(page, "Rectangle").hover();
  await page.mouse.down();
  await page.mouse.move(600, 400, { steps: 4 });
  await expect(page.locator(".drag-image")).toHaveCount(0);
  await page.mouse.up();
  await setLocked(product, false);
  await expect(page.locator(".lock-sign")).toHaveCount(0);

  const stickers = page.getByRole("dialog", { name: "Sticker panel" });
  await pupil.tool("Stickers");
  await expect(stickers).toBeVisible();
  await setLocked(product, true);
  await expectLocked(pupil);
  await expect(stickers).toHaveCount(0);
  await setLocked(product, false);
  await expect(button(page, "Stickers")).toHaveAttribute("aria-pressed", "true");
  await expect(button(page, "Stickers")).toHaveAttribute("aria-expanded", "false");
  await expect(stickers).toHaveCount(0);
});

test("HOST-19 on a locked board the buttons that restore a shown version are off, Who drew what and Objects act on nothing, and the reason is given; on a phone its sign leaves the button Show all free", async ({
  visit,
  product,
}) => {
  await saveVersions(product);
  const pupil = await visit({ context: { hasTouch: true } });
  const { page } = pupil;
  await openHistory(page);
  await versionsOf(page).last().click();
  await expect.poll(() => strokes(pupil)).toEqual(OLD);
  await setLocked(product, true);
  for (const name of ["Restore this version", "Bring back what is missing"]) {
    const restore = button(page, name);
    await expect(restore).toHaveAccessibleDescription(LOCKED);
    await expect(restore).toHaveAttribute("aria-disabled", "true");
    await restore.press("Enter");
  }
  await expect(page.getByText(/- preview$/)).toBeVisible();
  await expect(pupil.toast(LOCKED)).toHaveCount(0);
  await button(page, "Back to the board").click();
  await page.keyboard.press("Escape");
  await expectLocked(pupil);

  await button(page, "Menu").click();
  await page.getByRole("menuitem", { name: "Who drew what" }).click();
  const remove = page.getByRole("button", { name: /^Remove everything by / });
  await expect(remove).toHaveAccessibleDescription(LOCKED);
  await button(page, "Menu").click();
  await page.getByRole("menuitem", { name: "Objects" }).click();
  await page.getByRole("option").click();
  await page.keyboard.press("Delete");
  // A key that selected the object would have said so by the time the panel is closed.
  await page.keyboard.press("Escape");
  await expect(page.getByRole("listbox", { name: "Objects" })).toHaveCount(0);
  await expect(page.locator("[data-own-actions]")).not.toContainText("selected");
  await expect(selectionBar(page)).toHaveCount(0);

  // A part of the line is outside.
  await page.setViewportSize({ width: 320, height: 568 });
  const showAll = page.getByRole("button", { name: /^Show all/ });
  await expect(showAll).toBeVisible();
  const sign = page.locator(".lock-sign");
  await expect(sign).toBeVisible();
  const end = await showAll.evaluate((one) => one.getBoundingClientRect().bottom);
  await expect
    .poll(() => sign.evaluate((one) => one.getBoundingClientRect().top))
    .toBeGreaterThan(end);
});

test("HOST-70 on a locked board objects are selected and copied, and nothing changes them, by pointer, keys or menus", async ({
  visit,
  product,
}) => {
  const corner = { originX: "left", originY: "top", top: 200 };
  const objects = [
    { ...corner, type: "Rect", left: 200, width: 150, height: 100, fill: "#ff0000" },
    { ...corner, type: "IText", left: 500, text: "Look", fontSize: 60, fill: "#0000ff" },
  ];
  await product.seed({ version: "7.4.0", objects });
  await setLocked(product, true);
  const pupil = await visit({ context: { permissions: ["clipboard-read", "clipboard-write"] } });
  const { page } = pupil;
  await expectLocked(pupil);
  await expect(button(page, "Select")).toHaveAttribute("aria-pressed", "true");
  const keys = async (...presses: readonly string[]): Promise<void> => {
    for (const press of presses) await page.keyboard.press(press);
  };

  await expect(async () => {
    await pupil.click([275, 250]);
    await expect(selectionBar(page)).toBeVisible({ timeout: 500 });
  }).toPass();
  for (const name of ["Colour", "Outline", "Duplicate", "To front", "To back", "Delete"]) {
    await expect(selectionButton(page, name)).toHaveAccessibleDescription(LOCKED);
    await selectionButton(page, name).click({ force: true });
  }
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await pupil.stroke([275, 250], [275, 350]);
  await pupil.stroke([350, 300], [450, 400]);
  await surface(page).focus();
  await keys("ArrowRight", "Shift+ArrowDown", "Alt+ArrowRight", "Control+Shift+ArrowRight");
  await keys("Delete", "Control+d", "Control+]", "Control+z", "t", "r", "Control+x");
  await expect(selectionBar(page)).toBeVisible();

  await pupil.page.mouse.dblclick(560, 230 + LIMITS.headerHeight);
  await pupil.page.mouse.dblclick(600, 450 + LIMITS.headerHeight);
  await page.keyboard.type("vandal");
  await surface(page).focus();
  await keys("Escape", "Control+a");
  await expect(selectionBar(page).getByText("2 selected")).toBeVisible();
  await keys("Control+c", "Control+v");
  await expect(pupil.toast(LOCKED)).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("Look");

  await page.mouse.click(275, 250 + LIMITS.headerHeight, { button: "right" });
  const item = (name: string) => page.getByRole("menuitem", { name, exact: true });
  for (const name of ["Cut", "Paste", "Duplicate", "To front", "To back", "Delete", "Add text"])
    await expect(item(name)).toHaveAccessibleDescription(LOCKED);
  await item("Delete").click({ force: true });
  await item("Copy").click();
  await expect(item("Copy")).toHaveCount(0);
  await button(page, "Menu").click();
  for (const name of ["Add text", "Add picture", "Open drawing..."])
    await expect(item(name)).toHaveAccessibleDescription(LOCKED);
  await item("Objects").click();
  await page.getByRole("option", { name: /Text/ }).click();
  await expect(button(page, "Delete").last()).toHaveAccessibleDescription(LOCKED);
  await page.keyboard.press("Delete");
  await button(page, "Go to").click();
  await expect(selectionBar(page)).toBeVisible();

  await expect(pupil.saving).toHaveText("Saved");
  const expected = objects.map(({ type, left, top }) => ({ type, left, top }));
  expect(await savedObjects(product, pupil)).toMatchObject(expected);
  const shown = page.waitForEvent("download");
  await button(page, "Menu").click();
  await item("Download drawing (JSON)").click();
  const drawing = JSON.parse(await readFile(await (await shown).path(), "utf8")) as object;
  expect(drawing).toMatchObject({ objects });
});
