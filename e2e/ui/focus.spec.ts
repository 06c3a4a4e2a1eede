/** Tests that some element always has the focus. */

import { STICKERS } from "../../board/stickers.ts";
import { decodePng } from "../../testing/pictures/png.ts";
import { clickOn } from "../click.ts";
import { expect, test } from "../fixtures.ts";
import { inSteps } from "../in-steps.ts";
import { button, selectionBar, surface } from "./controls.ts";
import { findControls } from "./press.ts";
import { choose } from "./file-steps.ts";

test("UI-97 some element always has the focus", async ({ visit }) => {
  const visitor = await visit();
  const { page } = visitor;
  const fresh = async (): Promise<void> => {
    await visitor.clear();
    await clickOn(page, "button", "Draw");
  };
  await inSteps({
    "a control removed by a press or a key gives it to the canvas": async () => {
      await clickOn(page, "button", "Rectangle");
      await visitor.clear();
      await visitor.toast("Canvas cleared!").getByRole("button", { name: "Undo" }).focus();
      await page.keyboard.press("Enter");
      await expect(visitor.toast("Canvas cleared!")).toHaveCount(0);
      await expect(surface(page)).toBeFocused();
      await clickOn(page, "button", "Rectangle");
      await page
        .getByRole("toolbar", { name: "Selection" })
        .getByRole("button", { name: "Delete" })
        .focus();
      await page.keyboard.press("Enter");
      await expect(selectionBar(page)).toHaveCount(0);
      await expect(surface(page)).toBeFocused();
    },
    "Tab leads from the canvas to the toolbar Selection, and enters Tools at the active tool":
      async () => {
        await fresh();
        const selection = selectionBar(page);
        await clickOn(page, "button", "Rectangle");
        await expect(selection).toBeVisible();
        await expect(surface(page)).toBeFocused();
        await page.keyboard.press("Tab");
        await expect(selection.locator(":focus")).toHaveCount(1);
        await page.keyboard.press("Tab");
        await expect(button(page, "Rectangle")).toBeFocused();
        await page.keyboard.press("Shift+Tab");
        await page.keyboard.press("Escape");
        await surface(page).focus();
        await page.keyboard.press("e");
        await expect(button(page, "Eraser")).toHaveAttribute("aria-pressed", "true");
        await expect(selection).toHaveCount(0);
        await page.keyboard.press("Tab");
        await expect(button(page, "Eraser")).toBeFocused();
        await page.keyboard.press("ArrowRight");
        await expect(button(page, "Stickers")).toBeFocused();
      },
    "a key that chooses another tool in the stickers gives it to the canvas": async () => {
      const size = page.viewportSize() ?? undefined;
      await page.setViewportSize({ width: 320, height: 568 });
      await surface(page).focus();
      await page.keyboard.press("s");
      await expect(button(page, STICKERS[0]?.name ?? "")).toBeFocused();
      await page.keyboard.press("a");
      await expect(page.getByRole("dialog", { name: "Sticker panel" })).toHaveCount(0);
      await expect(surface(page)).toBeFocused();
      if (size) await page.setViewportSize(size);
    },
    "a panel returns it to the element that opened it": async () => {
      await fresh();
      await surface(page).focus();
      await page.keyboard.press("?");
      await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeFocused();
      await page.keyboard.press("Escape");
      await expect(surface(page)).toBeFocused();
      await clickOn(page, "button", "1 user online");
      await expect(page.getByRole("dialog", { name: "People" })).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(button(page, "1 user online")).toBeFocused();
    },
  });
});

test("UI-97 Tab leads on from the last button of a notice, and reaches tools and colours in every layout of the dock", async ({
  visit,
}) => {
  // A phone, and magnified windows, whose dock is folded. A page that was not used yet, since a toolbar that had the
  // focus once can be reached again in any case.
  const visitor = await visit({
    prepare: (one) => one.setViewportSize({ width: 390, height: 800 }),
  });
  const { page } = visitor;
  const reachAll = async (): Promise<void> => {
    await surface(page).focus();
    for (const name of ["Draw", "More tools", "Black", "Custom color", "Clear Canvas"]) {
      await page.keyboard.press("Tab");
      await expect(page.locator(":focus")).toHaveAccessibleName(name);
    }
  };
  await reachAll();
  for (const [width, height] of [
    [320, 256],
    [640, 360],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.reload();
    await visitor.ready();
    await clickOn(page, "button", "Tools");
    await reachAll();
  }

  await page.setViewportSize({ width: 1280, height: 800 });
  await clickOn(page, "button", "Rectangle");
  await visitor.clear();
  const undo = visitor.toast("Canvas cleared!").getByRole("button", { name: "Undo" });
  await page.getByRole("group", { name: "View" }).getByRole("button", { name: "Show all" }).focus();
  await expect(async () => {
    await page.keyboard.press("Tab");
    await expect(undo).toBeFocused({ timeout: 50 });
  }).toPass();
  await page.keyboard.press("Tab");
  // Beyond the end of the document nothing has the focus, and the canvas gets it.
  await expect(surface(page)).toBeFocused();
});

test("UI-163 the toolbar of a selection above the dock of a phone stands clear of the notice of a clear", async ({
  visit,
}) => {
  const visitor = await visit({
    prepare: (one) => one.setViewportSize({ width: 360, height: 740 }),
  });
  const { page } = visitor;
  await clickOn(page, "button", "Rectangle");
  await visitor.clear();
  const notice = visitor.toast("Canvas cleared!");
  await expect(notice).toBeVisible();
  await clickOn(page, "button", "Rectangle");
  await visitor.stroke([150, 150], [150, 340]);
  const bar = selectionBar(page);
  await expect(bar).toBeVisible();
  const [above, below] = [(await bar.boundingBox())!, (await notice.boundingBox())!];
  expect(above.y + above.height).toBeLessThanOrEqual(below.y);
});

test("UI-98 nothing covers a control of the toolbar Selection in small windows; the custom colour has the size of the presets, and the QR code fills its panel", async ({
  visit,
}) => {
  const { page } = await visit({
    prepare: (one) => one.setViewportSize({ width: 320, height: 256 }),
  });
  const check = async (width: number, height: number): Promise<void> => {
    await page.setViewportSize({ width, height });
    if (height < 394) {
      await expect(button(page, "Tools")).toHaveText("Tools");
      await clickOn(page, "button", "Tools");
    }
    await clickOn(page, "button", "Rectangle");
    await expect(selectionBar(page)).toBeVisible();
    const controls = await findControls(page, '[role="toolbar"][aria-label="Selection"]');
    expect(controls.length).toBeGreaterThan(1);
    for (const { name, isHit } of controls) expect(isHit, name).toBe(true);
    await page.keyboard.press("Delete");
    await expect(selectionBar(page)).toHaveCount(0);
  };
  const measure = async (): Promise<void> => {
    const preset = await button(page, "White").boundingBox();
    const custom = await page.locator(".dock .custom-color").boundingBox();
    expect([custom!.width, custom!.height]).toEqual([preset!.width, preset!.height]);
    await choose(page, "Copy link");
    const code = await page.getByRole("img", { name: "QR code of the link" }).boundingBox();
    const panel = await page.getByRole("dialog").boundingBox();
    expect(Math.min(480, panel!.width - 34) - code!.width).toBeLessThanOrEqual(16);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  };
  await inSteps({
    "at 320x256": () => check(320, 256),
    "at 740x360": () => check(740, 360),
    "at 390x844": () => check(390, 844),
    "colour and code at 390x844": measure,
    "colour and code at 1280x800": async () => {
      await page.setViewportSize({ width: 1280, height: 800 });
      await measure();
    },
  });
});

test("UI-141 nothing stands on an empty board but the dock, also with forced colours", async ({
  visit,
}) => {
  const context = { viewport: { width: 320, height: 256 }, hasTouch: true } as const;
  const { page } = await visit({ context });
  await expect(page.getByRole("group", { name: "View" })).toBeAttached();
  // Their shadows are included.
  for (const part of await page.locator(".dock, .header").all())
    await part.evaluate((element) => (element.style.visibility = "hidden"));
  const check = async (width: number, height: number): Promise<void> => {
    await page.setViewportSize({ width, height });
    for (const forcedColors of ["none", "active"] as const) {
      await page.emulateMedia({ forcedColors });
      const board = { x: 0, y: 80, width, height: height - 80 };
      const found = async (): Promise<string> => {
        const { rgba } = decodePng(await page.screenshot({ clip: board }));
        const at = rgba.findIndex((value) => value !== 255);
        return at < 0 ? "nothing" : `at ${(at >> 2) % width}, ${80 + Math.floor(at / 4 / width)}`;
      };
      await expect.poll(found, `forced colours: ${forcedColors}`).toBe("nothing");
    }
  };
  await inSteps({
    "at 320x256": () => check(320, 256),
    "at 390x844": () => check(390, 844),
    "at 740x360": () => check(740, 360),
  });
});
