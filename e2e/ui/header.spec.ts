import { once } from "node:events";
import { TAGLINE } from "../../board/constants.ts";
import { expect, test } from "../fixtures.ts";
import { button, noteSaving, saveState } from "./controls.ts";

test("UI-1 on a phone on its side a long save state wraps beside the whole name", async ({
  visit,
  product,
}) => {
  const visitor = await visit({
    url: `${product.url}/?lang=de`,
    unready: true,
    prepare: async (page) => {
      await page.setViewportSize({ width: 740, height: 360 });
      await page.route("**/rest/v1/canvas_state*", (route) => route.fulfill({ status: 500 }));
    },
  });
  visitor.allow(/status of 500/, /not loaded/);
  await expect(saveState(visitor.page)).toHaveText("Noch nicht geladen: neuer Versuch läuft");
  const cut = await visitor.page
    .locator(".header-title, .save output")
    .evaluateAll((texts) => texts.map((one) => one.scrollWidth > one.clientWidth));
  expect(cut).toEqual([false, false]);
});

test("UI-40 the product's name is the heading and the title", async ({ visit }) => {
  const name = "Pond & <Friends>";
  const { page } = await visit({
    prepare: (one) =>
      one.route("**/config.json", async (route) => {
        const response = await route.fetch();
        const config = (await response.json()) as object;
        // This is the answer of a server with such a PRODUCT_NAME.
        await route.fulfill({ response, json: { ...config, productName: name } });
      }),
  });
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  await expect(page).toHaveTitle(name);
  await expect(page.getByText(TAGLINE)).toBeVisible();
  await expect(page.getByText("1 user online")).toBeVisible();
});

/** Messages on a console when the network fails. */
const OFFLINE = [/ERR_INTERNET_DISCONNECTED/, /the canvas's menu could not be loaded/];

test("UI-10 the header says how far saving has come, politely; that a save waits or runs is not spoken", async ({
  visit,
}) => {
  const person = await visit();
  const state = saveState(person.page);
  await expect(state).toHaveAttribute("aria-live", "polite");
  const notes = await noteSaving(person.page);
  await person.stroke([300, 200], [420, 260]);
  await expect.poll(notes).toContain("polite: Saved");
  expect(await notes()).toEqual(["off: Saving soon", "off: Saving...", "polite: Saved"]);
  person.allow(...OFFLINE);
  await person.context.setOffline(true);
  await person.stroke([300, 400], [420, 460]);
  await expect(state).toHaveText("Offline: kept on this device");
  await person.context.setOffline(false);
  await expect(state).toHaveText("Saved");
});

test("PNT-90 while the page saves, the icon turns without work of the page for each frame", async ({
  visit,
}) => {
  const person = await visit({ context: { reducedMotion: "no-preference" } });
  const { page } = person;
  const release = new AbortController();
  const released = once(release.signal, "abort");
  await page.route("**/rest/v1/canvas_state*", async (route) => {
    await released;
    await route.continue();
  });
  await person.stroke([300, 200], [420, 260]);
  // This saves at once.
  await person.clear();
  const state = page.locator(".save");
  await expect(state).toHaveAttribute("data-state", "saving");
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const styled = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "RecalcStyleCount")!.value;
  };
  const turned = () =>
    page
      .locator(".save-icon")
      .evaluate((icon) => Number(icon.getAnimations()[0]?.currentTime ?? 0));
  const before = { styled: await styled(), turned: await turned() };
  await expect.poll(turned).toBeGreaterThan(before.turned + 1_000);
  // An icon of the page turns by two computations of styles in each of some 60 frames.
  expect((await styled()) - before.styled).toBeLessThan(40);
  release.abort();
  await expect(state).toHaveAttribute("data-state", "saved");
});

test("UI-91 the badge is grey as soon as the connection is lost, and with it again when it is back", async ({
  visit,
}) => {
  const person = await visit();
  person.allow(...OFFLINE);
  const badge = button(person.page, "1 user online");
  const color = () => badge.locator("span").evaluate((pill) => getComputedStyle(pill).color);
  await expect(badge).toHaveAttribute("data-connected", "true");
  const connected = await color();
  await person.context.setOffline(true);
  await expect(badge).toHaveAttribute("data-connected", "false");
  expect(await color()).not.toBe(connected);
  await person.context.setOffline(false);
  await expect(badge).toHaveAttribute("data-connected", "true");
});
