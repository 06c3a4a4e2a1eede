import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { setCatalogue } from "../language/text.ts";
import { addedNotice, partialReport, refusedReport } from "./import-report.ts";

test("UI-54 the dialog gives the result of a file, and of a paste", () => {
  expect(refusedReport([{ name: "cat.svg", reason: "it is empty" }], 1)).toEqual({
    title: "Nothing was added",
    text: "cat.svg cannot be added: it is empty.",
    sentences: [],
  });
  expect(refusedReport([{ name: null, reason: "it is cut off" }], 1).text).toBe(
    "What was pasted cannot be added: it is cut off.",
  );
  const empty = { name: "cat.svg", reason: "it is empty" };
  const cut = { name: "dog.svg", reason: "it is cut off" };
  expect(refusedReport([empty, cut, empty], 4)).toEqual({
    title: "Not everything was added",
    text: "",
    sentences: ["cat.svg cannot be added: it is empty.", "dog.svg cannot be added: it is cut off."],
  });
  expect(partialReport("cat.svg", 2_000, { picture: 1, unknown: 1_200 })).toEqual({
    title: "2,000 objects added",
    text: "Some of cat.svg could not be added:",
    sentences: [
      "1 picture: pictures can be added as files of their own.",
      "1,200 objects: of a kind that the board does not have.",
    ],
  });
  expect(partialReport(null, 0, { script: 2 }).title).toBe("Nothing was added");
});

test("UI-192 the name of a file turns no word around it", () => {
  const name = "a\u202egnp.svg";
  expect(refusedReport([{ name, reason: "it is empty" }], 1).text).toBe(
    "agnp.svg cannot be added: it is empty.",
  );
  expect(partialReport(name, 1, { script: 1 }).text).toBe("Some of agnp.svg could not be added:");
  expect(addedNotice(1, name)).toBe("1 object added from agnp.svg.");
});

describe("in another language", () => {
  const speak = (tag: string, catalogue: Parameters<typeof setCatalogue>[0]["catalogue"]): void =>
    setCatalogue({ tag, catalogue, isRightToLeft: false, translateFilled: (text) => text });
  beforeEach(() =>
    speak("pl", {
      "{name} cannot be added: {reason}.": "Nie dodano: {name} ({reason}).",
      "it is empty": "plik jest pusty",
      "it has more than 100,000 objects": "za dużo obiektów",
      "{count} scripts: nothing in a file is ever run.": {
        ...{ one: "{count} skrypt", few: "{count} skrypty" },
        ...{ many: "{count} skryptów", other: "{count} skryptu" },
      },
    }),
  );
  afterEach(() => speak("en-GB", {}));

  test("UI-54 the clause is in the language of the sentence, and a number has its form", () => {
    const texts = ["it is empty", "it has more than 100,000 objects"].map(
      (reason) => refusedReport([{ name: "kot.svg", reason }], 1).text,
    );
    expect(texts).toEqual([
      "Nie dodano: kot.svg (plik jest pusty).",
      "Nie dodano: kot.svg (za dużo obiektów).",
    ]);
    const sentences = [1, 3, 5].flatMap((script) => partialReport("a", 1, { script }).sentences);
    expect(sentences).toEqual(["1 skrypt", "3 skrypty", "5 skryptów"]);
  });
});
