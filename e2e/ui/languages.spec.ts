import { expect, test } from "../fixtures.ts";
import { button, savedObjects, surface } from "./controls.ts";

test("LANG-2 the address chooses a language, the device keeps it, and the menu chooses another one", async ({
  product,
  visit,
}) => {
  const { page } = await visit({ url: `${product.url}/?lang=de`, unready: true });
  const root = page.locator("html");
  await expect(button(page, "Rechteck")).toBeVisible();
  await expect(root).toHaveAttribute("lang", "de");
  expect(new URL(page.url()).search).toBe("");
  // An object that was drawn just before a choice is there in the other language.
  await button(page, "Rechteck").click();
  await button(page, "Menü").click();
  await page.getByRole("menuitem", { name: "Sprache" }).click();
  const french = page.getByRole("menuitemradio", { name: "Français" });
  await expect(french).toHaveAttribute("lang", "fr");
  await expect(page.getByRole("menuitemradio", { name: "Deutsch" })).toBeChecked();
  await french.click();
  await expect(root).toHaveAttribute("lang", "fr");
  await expect(button(page, "Rectangle")).toBeVisible();
  await page.reload();
  await expect(root).toHaveAttribute("lang", "fr");
  await expect
    .poll(async () => (await savedObjects(product, { page })).length, { timeout: 20_000 })
    .toBe(1);

  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("menuitem", { name: "Langue" }).click();
  await page.getByRole("menuitemradio", { name: "English" }).click();
  await expect(root).toHaveAttribute("lang", "en");
  await expect(button(page, "Clear Canvas")).toBeVisible();
  await expect(surface(page)).toBeVisible();
});

test("LANG-3 a reader of another language is offered it once, and the page stays English until it is taken", async ({
  visit,
}) => {
  const context = { locale: "de-AT" };
  const person = await visit({ context });
  const { page } = person;
  const offer = page.getByRole("note").filter({ hasText: "Deutsch" });
  await expect(offer).toHaveAttribute("lang", "de");
  await expect(button(page, "Clear Canvas")).toBeVisible();
  await button(page, "Nein, danke").click();
  await expect(offer).toHaveCount(0);
  await expect(surface(page)).toBeFocused();
  await page.reload();
  await person.ready();
  await expect(button(page, "Clear Canvas")).toBeVisible();
  await expect(offer).toHaveCount(0);

  const other = await visit({ context });
  await button(other.page, "Auf Deutsch anzeigen").click();
  await expect(other.page.locator("html")).toHaveAttribute("lang", "de");
  await expect(button(other.page, "Rechteck")).toBeVisible();
});

test("LANG-3 on a tablet the offer stands beside the view's controls, also one that is read from right to left", async ({
  visit,
}) => {
  for (const [locale, name] of [
    ["de-AT", "Deutsch"],
    ["ar", "العربية"],
  ] as const) {
    const { page } = await visit({ context: { locale, viewport: { width: 820, height: 1180 } } });
    const offer = page.getByRole("note").filter({ hasText: name });
    await expect(offer).toBeVisible();
    for (const width of [700, 768, 820, 920]) {
      await page.setViewportSize({ width, height: 1180 });
      const [box, view] = [
        (await offer.boundingBox())!,
        (await page.getByRole("group", { name: "View" }).boundingBox())!,
      ];
      expect(box.x, `${name}, ${width}`).toBeGreaterThan(view.x + view.width);
      expect(box.x + box.width).toBeLessThanOrEqual(width);
    }
  }
});

test("UI-155 where the browser refuses storage the menu and the offer restart the page in the chosen language", async ({
  visit,
}) => {
  const refuse = (): void => {
    Storage.prototype.setItem = () => {
      throw new DOMException("The request was denied.", "SecurityError");
    };
  };
  const { page } = await visit({
    context: { locale: "de-AT" },
    prepare: (one) => one.addInitScript(refuse),
  });
  const root = page.locator("html");
  await button(page, "Auf Deutsch anzeigen").click();
  await expect(root).toHaveAttribute("lang", "de");
  expect(new URL(page.url()).search).toBe("");
  await button(page, "Menü").click();
  await page.getByRole("menuitem", { name: "Sprache" }).click();
  await page.getByRole("menuitemradio", { name: "Français" }).click();
  await expect(root).toHaveAttribute("lang", "fr");
  expect(new URL(page.url()).search).toBe("");
});

test("LANG-7 texts that do not arrive leave the page English, with a notice", async ({ visit }) => {
  const person = await visit({
    prepare: async (page) => {
      await page.addInitScript(() => localStorage.setItem("inkpool:language", "ja"));
      await page.route(/\/assets\/language-ja-/, (route) => route.abort());
    },
  });
  person.allow(/Failed to load resource|net::ERR_FAILED/);
  await expect(button(person.page, "Clear Canvas")).toBeVisible();
  await expect(person.page.locator("html")).toHaveAttribute("lang", "en");
  await expect(person.toast("This part of the page could not be loaded")).toBeVisible();
});

test("LANG-5 a page in Arabic is read from right to left, and its canvas is as everybody's", async ({
  visit,
}) => {
  const ann = await visit();
  const { page } = await visit({
    prepare: (one) => one.addInitScript(() => localStorage.setItem("inkpool:language", "ar-EG")),
    unready: true,
  });
  await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
  await expect(page.locator("html")).toHaveAttribute("lang", "ar");
  await ann.stroke([300, 300], [500, 300]);
  const { x = 0, y = 0 } = (await page.getByRole("application").boundingBox()) ?? {};
  const clip = { x: x + 400, y: y + 290, width: 1, height: 20 };
  const expected = await ann.page.screenshot({ clip });
  await expect
    .poll(async () => (await page.screenshot({ clip })).equals(expected), { timeout: 15_000 })
    .toBe(true);
});

test("LANG-6 the notices and the buttons that close them are named in the language of the page", async ({
  product,
  visit,
}) => {
  const person = await visit({ url: `${product.url}/?lang=de` });
  const { page } = person;
  await person.stroke([300, 300], [400, 340]);
  await button(page, "Alles löschen").click();
  const notices = page.getByRole("region", { name: "Mitteilungen", exact: true });
  await expect(notices.getByRole("listitem")).toBeVisible();
  await button(page, "Rechteck").click();
  const other = await visit();
  await expect.poll(() => other.colorAt([170, 150])).toBe("#000000");
  await other.clear();
  await expect(notices.getByRole("button", { name: "Schließen", exact: true })).toBeVisible();
});

test("LANG-6 keys have the names of the language, also beside a link that was not copied, and fit a phone", async ({
  product,
  visit,
}) => {
  const context = { viewport: { width: 320, height: 568 }, hasTouch: true } as const;
  const { page } = await visit({ url: `${product.url}/?lang=de`, context });
  const open = async (item: string): Promise<void> => {
    await button(page, "Menü").click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  await open("Tastenkürzel");
  const keys = page.locator(".keys");
  await expect(keys.getByText("Strg+Umschalt+Z")).toBeVisible();
  expect(await keys.evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0);
  await page.keyboard.press("Escape");
  await page.evaluate(() => {
    Object.assign(navigator.clipboard, { writeText: () => Promise.reject(new Error("refused")) });
  });
  await open("Link kopieren");
  await expect(page.getByRole("dialog").getByRole("status")).toContainText("Strg+C");
});

test("UI-98 the word on the button that unfolds the dock lies inside the dock, clear of new shapes, however long it is", async ({
  visit,
  product,
}) => {
  for (const language of ["es", "de"]) {
    const context = { viewport: { width: 320, height: 256 } };
    const { page } = await visit({ url: `${product.url}/?lang=${language}`, context });
    const dock = await page.locator(".dock").boundingBox();
    const word = await page.locator(".dock-toggle span").evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      const { left, right } = range.getBoundingClientRect();
      return { left, right };
    });
    const [left, right] = [dock?.x ?? 0, (dock?.x ?? 0) + (dock?.width ?? 0)];
    expect(word.left).toBeGreaterThan(left);
    expect(word.right).toBeLessThan(right);
    expect(right).toBeLessThan(100);
  }
});
