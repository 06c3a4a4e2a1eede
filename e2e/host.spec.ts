import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import type { Person } from "./person.ts";
import type { Product } from "./product.ts";
import { button, savedObjects, surface } from "./ui/controls.ts";

test.use({ ownServer: true });

const COMMAND = fileURLToPath(new URL("../dist/server/server/host-link/main.js", import.meta.url));
const LOCKED = "The host has locked the board";

async function hostLink({ dataDir, url }: Product): Promise<string> {
  const env = { ...process.env, DATA_DIR: dataDir };
  const args = [COMMAND, "--origin", url];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return stdout.trim().replace("host link: ", "");
}

async function openHostPanel(page: Page): Promise<void> {
  await button(page, "Menu").click();
  await page.getByRole("menuitem", { name: "Host" }).click();
  await expect(page.getByRole("dialog", { name: "Host" })).toBeVisible();
}

const lockSwitch = (page: Page) => page.getByRole("switch", { name: "Lock the board" });

async function expectLocked({ page }: Person): Promise<void> {
  await expect(page.getByText(LOCKED)).toBeVisible();
  await expect(button(page, "Draw")).toHaveAttribute("aria-disabled", "true");
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
  const helper = await visit({ url: await field.inputValue() });
  expect(helper.page.url()).toBe(`${product.url}/`);
  await expect(helper.page.getByText(LOCKED)).toBeVisible();
  await helper.stroke([300, 300], [500, 300]);
  await expect.poll(() => pupil.colorAt([400, 300])).toBe("#000000");
  await pupil.stroke([300, 400], [500, 400]);
  await teacher.stroke([300, 450], [500, 450]);
  await expect.poll(() => pupil.colorAt([400, 450])).toBe("#000000");
  expect(await pupil.colorAt([400, 400])).toBe("#ffffff");

  await lockSwitch(teacher.page).click();
  await expect(pupil.page.getByText(LOCKED)).toHaveCount(0);
  await pupil.stroke([300, 400], [500, 400]);
  await expect.poll(() => teacher.colorAt([400, 400])).toBe("#000000");
});

test("HOST-19 on a locked board what was not saved waits through a reload; view and export work; it is saved when the board opens", async ({
  visit,
  product,
}) => {
  const teacher = await visit({ url: await hostLink(product) });
  const pupil = await visit();
  await openHostPanel(teacher.page);
  await pupil.stroke([300, 300], [500, 300]);
  await lockSwitch(teacher.page).click();
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

  await lockSwitch(teacher.page).click();
  await expect(pupil.toast("your 1 change is being saved")).toBeVisible();
  await expect(pupil.saving).toHaveText("Saved");
  expect(await savedObjects(product)).toHaveLength(1);
});
