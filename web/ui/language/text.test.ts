import { afterEach, describe, expect, test } from "vitest";
import { onlineLabel, shortcutLabel } from "../kit/labels.ts";
import { shareLabel, sizeLabel, versionAge } from "../kit/version-labels.ts";
import { LIMITS, TEXTS } from "../../../board/constants.ts";
import { VISITOR_REFUSALS } from "../../../board/refusals.ts";
import { fetchCatalogue, languageFor, preferredLanguage, CHOICES, speak } from "./languages.ts";
import { languageTag, plural, setCatalogue, t, translate } from "./text.ts";

const english = {
  ...{ tag: "en-GB", catalogue: {}, isRightToLeft: false },
  translateFilled: (text: string) => text,
};

afterEach(() => setCatalogue(english));

async function show(tag: string): Promise<void> {
  setCatalogue({ ...english, tag, catalogue: await fetchCatalogue(tag) });
}

describe("LANG-1 without a choice the page is English", () => {
  test("a text is its own translation, with its values put in", () => {
    expect(t("Copy link")).toBe("Copy link");
    expect(t("{name} joined.", { name: "Ann {time}" })).toBe("Ann {time} joined.");
    expect(plural(1, "1 object", "{count} objects")).toBe("1 object");
    expect(plural(10_500, "1 object", "{count} objects")).toBe("10,500 objects");
    expect(plural(0, "1 object", "{count} objects")).toBe("0 objects");
  });

  test("the specification's count of visitors is as it stands there", () => {
    for (const count of [1, 2, 1234]) expect(onlineLabel(count)).toBe(TEXTS.usersOnline(count));
  });
});

describe("LANG-5 numbers, plurals and times are those of the language", () => {
  test("Polish has three forms for whole numbers", async () => {
    await show("pl");
    const forms = [1, 3, 5, 22, 112].map((count) => plural(count, "1 object", "{count} objects"));
    expect(forms.map((form) => form.replace(/^\d+ /, ""))).toEqual([
      "obiekt",
      "obiekty",
      "obiektów",
      "obiekty",
      "obiektów",
    ]);
  });

  test("in German the author of an object is no object of a preposition", async () => {
    await show("de");
    const byOf = (name: string) => t("by {name}, at {x}, {y}", { name, x: "1", y: "2" });
    expect(byOf(t("you"))).toBe("Herkunft: Sie, bei 1, 2");
    expect(byOf(t("another program"))).toBe("Herkunft: ein anderes Programm, bei 1, 2");
  });

  test("German writes numbers and ages its own way", async () => {
    await show("de");
    expect(
      t("The board is full: {count} objects. Remove something first.", { count: 100_000 }),
    ).toContain("100.000");
    expect(sizeLabel(9.5 * 1024 * 1024)).toBe("9,5\u00a0MB");
    expect(versionAge("2026-01-01T00:00:00Z", Date.parse("2026-01-01T03:00:00Z"))).toBe(
      "vor 3 Stunden",
    );
  });

  test("a size and a share have the signs and spaces of the language", async () => {
    const [kilobytes, share] = [48 * 1024, LIMITS.canvasBytes / 200];
    await show("fr");
    expect([sizeLabel(kilobytes), shareLabel(share)]).toEqual(["48\u00a0Ko", "0,5\u00a0%"]);
    await show("pl");
    expect([sizeLabel(kilobytes), shareLabel(share)]).toEqual(["48\u00a0KB", "0,5%"]);
    await show("ar");
    expect([sizeLabel(kilobytes), shareLabel(share)]).toEqual(["48\u00a0كيلوبايت", "0.5%"]);
  });

  test("keys have the names that are printed on them, apart from actions of the same name", async () => {
    const keys = ["Delete", "Backspace", "Escape", "Enter", "Space", "PageUp", "PageDown"];
    await show("de");
    expect(keys.map((key) => shortcutLabel([key], false))).toEqual([
      ...["Entf", "Rücktaste", "Esc", "Eingabe", "Leertaste", "Bild auf", "Bild ab"],
    ]);
    expect(t("Delete")).toBe("Löschen");
    expect(shortcutLabel(["Mod", "Shift", "Arrows"], false)).toBe("Strg+Umschalt+Pfeiltasten");
    expect(shortcutLabel(["Mod", "Shift", "Arrows"], true)).toBe("⌘⇧Pfeiltasten");
  });

  test("there are eight other languages", () => {
    expect(CHOICES.slice(1)).toHaveLength(8);
  });

  test.each(CHOICES.slice(1))("every form of a text is shown in $name", async ({ tag }) => {
    await show(tag);
    const shown = [0, 1, 2, 3, 5, 11, 100, 1_000_000].map((count) =>
      plural(count, "1 user online", "{count} users online"),
    );
    expect(shown.join("\n")).not.toMatch(/users? online|[{}]/);
  });
});

test("LANG-5 in an Arabic sentence a name keeps its place", () => {
  const catalogue = { "{name} joined.": "انضم {name}." };
  setCatalogue({ ...english, tag: "ar", catalogue, isRightToLeft: true });
  expect(t("{name} joined.", { name: "Ann" })).toBe("انضم \u2068Ann\u2069.");
});

test("LANG-5 a text that arrives with its values is translated, and a visitor's own words are not", async () => {
  await speakWithoutPage("de");
  const reason = TEXTS.dataTooLarge("11.52");
  expect(translate(TEXTS.cannotSave(reason))).toMatch(/11\.52.*10/s);
  expect(translate(TEXTS.cannotSave(reason))).not.toMatch(/Cannot|large/);
  for (const sentence of [TEXTS.locked, ...Object.values(VISITOR_REFUSALS)])
    expect(translate(sentence)).not.toBe(sentence);
  for (const word of ["Ann's house", "constructor", "__proto__", "{count} objects"])
    expect(translate(word)).toBe(word);
});

/** Switches the language of a document: `speak` writes it there, too. */
async function speakWithoutPage(tag: string): Promise<void> {
  const root = { lang: "en", dir: "" };
  Object.assign(globalThis, { document: { documentElement: root } });
  try {
    await speak(tag);
  } finally {
    Reflect.deleteProperty(globalThis, "document");
  }
  expect(root.lang).toBe(languageTag());
}

describe("LANG-2 which language is meant", () => {
  test.each([
    ["de", "de"],
    ["de-AT", "de"],
    ["PT_pt", "pt-BR"],
    ["zh-CN", "zh-Hans"],
    ["zh-Hans-SG", "zh-Hans"],
    ["zh-Hans-HK", "zh-Hans"],
    ["en-US", "en"],
    ["zh-TW", undefined],
    ["zh-MO", undefined],
    ["zh-Hant", undefined],
    ["it", undefined],
    ["", undefined],
    ["<script>", undefined],
    ["constructor", undefined],
  ])("%j means %j", (wanted, tag) => expect(languageFor(wanted)).toBe(tag));

  test("LANG-3 the first language of the browser that the page has is offered, unless it is English", () => {
    expect(preferredLanguage(["it", "fr-CA", "en"])).toBe("fr");
    expect(preferredLanguage(["en-US", "de"])).toBeUndefined();
    expect(preferredLanguage(["it", "en", "de"])).toBeUndefined();
    expect(preferredLanguage([])).toBeUndefined();
  });

  test("LANG-2 a language that the page has not leaves it English", async () => {
    await speak("tlh");
    expect(t("Copy link")).toBe("Copy link");
    await expect(fetchCatalogue("tlh")).rejects.toThrow("no language");
  });
});
