import { clickOn } from "../click.ts";
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
  await clickOn(page, "button", "Rechteck");
  await clickOn(page, "button", "Menü");
  await clickOn(page, "menuitem", "Sprache");
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
  await clickOn(page, "menuitem", "Langue");
  await clickOn(page, "menuitemradio", "English");
  await expect(root).toHaveAttribute("lang", "en");
  await expect(button(page, "Clear Canvas")).toBeVisible();
  await expect(surface(page)).toBeVisible();
});

test("LANG-3 a reader of another language is offered it once, beside the view's controls, and the page stays English until it is taken", async ({
  visit,
}) => {
  /** Visits on a tablet, as a reader of a language, whose direction the offer has. */
  const arrive = async (locale: string, name: string) => {
    const context = { locale, viewport: { width: 820, height: 1180 } };
    const person = await visit({ context });
    const { page } = person;
    const offer = page.getByRole("note").filter({ hasText: name });
    await expect(offer).toHaveAttribute("lang", locale.slice(0, 2));
    await expect(button(page, "Clear Canvas")).toBeVisible();
    for (const width of [700, 768, 820, 920]) {
      await page.setViewportSize({ width, height: 1180 });
      const { left, right, viewRight } = await offer.evaluate((note) => ({
        left: note.getBoundingClientRect().left,
        right: note.getBoundingClientRect().right,
        viewRight: document.querySelector(".view")!.getBoundingClientRect().right,
      }));
      expect(left, `${name}, ${width}`).toBeGreaterThan(viewRight);
      expect(right).toBeLessThanOrEqual(width);
    }
    return { person, page, offer };
  };
  const { person, page, offer } = await arrive("de-AT", "Deutsch");
  await clickOn(page, "button", "Nein, danke");
  await expect(offer).toHaveCount(0);
  await expect(surface(page)).toBeFocused();
  await page.reload();
  await person.ready();
  await expect(button(page, "Clear Canvas")).toBeVisible();
  await expect(offer).toHaveCount(0);

  const other = await arrive("ar", "العربية");
  await clickOn(other.page, "button", "العرض بالعربية");
  await expect(other.page.locator("html")).toHaveAttribute("lang", "ar");
  await expect(button(other.page, "مسح اللوحة")).toBeVisible();
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
  await clickOn(page, "button", "Auf Deutsch anzeigen");
  await expect(root).toHaveAttribute("lang", "de");
  expect(new URL(page.url()).search).toBe("");
  await clickOn(page, "button", "Menü");
  await clickOn(page, "menuitem", "Sprache");
  await clickOn(page, "menuitemradio", "Français");
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
  product,
  visit,
}) => {
  const line = { type: "Path", path: "M0 0l200 0", left: 298.5, top: 298.5, strokeWidth: 3 };
  const look = { stroke: "#000000", fill: null, originX: "left", originY: "top" };
  await product.seed({ objects: [{ ...line, ...look }] });
  const person = await visit({
    prepare: (one) => one.addInitScript(() => localStorage.setItem("inkpool:language", "ar-EG")),
  });
  await expect(person.page.locator("html")).toHaveAttribute("dir", "rtl");
  await expect(person.page.locator("html")).toHaveAttribute("lang", "ar");
  // At the ends of the line, within it and beside it; a mirror has it elsewhere.
  const shown = async () => {
    const { width, rgba } = await person.shotOf([295, 290], [210, 20]);
    const at = (x: number, y: number): number => rgba[((y - 290) * width + x - 295) * 4] ?? -1;
    const along = [at(297, 300), at(302, 300), at(400, 300), at(498, 300), at(503, 300)];
    return [...along, at(400, 296), at(400, 304)];
  };
  await expect.poll(shown).toEqual([255, 0, 0, 0, 255, 255, 255]);
});

test("LANG-6 notices, the buttons that close them, and keys are in the language of the page, also beside a link that was not copied, and fit a phone", async ({
  product,
  visit,
}) => {
  const context = { viewport: { width: 320, height: 568 }, hasTouch: true } as const;
  const person = await visit({ url: `${product.url}/?lang=de`, context });
  const { page } = person;
  await person.stroke([100, 200], [200, 240]);
  await clickOn(page, "button", "Alles löschen");
  const notices = page.getByRole("region", { name: "Mitteilungen", exact: true });
  await expect(notices.getByRole("listitem")).toBeVisible();
  await clickOn(page, "button", "Rechteck");
  const other = await visit();
  await expect.poll(() => other.colorAt([170, 150])).toBe("#000000");
  await other.clear();
  await notices.getByRole("button", { name: "Schließen", exact: true }).click();

  const open = async (item: string): Promise<void> => {
    await clickOn(page, "button", "Menü");
    await clickOn(page, "menuitem", item);
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
  const { page } = await visit({
    url: `${product.url}/?lang=es`,
    unready: true,
    prepare: (one) => one.setViewportSize({ width: 320, height: 256 }),
  });
  for (const language of ["es", "de"]) {
    if (language === "de") await page.goto(`${product.url}/?lang=de`);
    await expect(page.locator("html")).toHaveAttribute("lang", language);
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
