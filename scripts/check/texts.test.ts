import { describe, expect, test } from "vitest";
import { compareCatalogues, findStyledTexts, findTexts, type Found } from "./texts.ts";

function found(source: string, path = "web/ui/a.tsx"): Found {
  const all: Found = { problems: [], texts: new Set(), counted: new Map(), strings: new Set() };
  findTexts(path, source, all);
  return all;
}

describe("LANG-6 a text that a component writes itself is found", () => {
  test.each([
    ["between elements", "const a = <p>Hello there</p>;"],
    ["in braces", 'const a = <p>{"Hello there"}</p>;'],
    ["in a choice", 'const a = <p>{is ? "Hello there" : t("Bye")}</p>;'],
    ["behind a condition", 'const a = <p>{is && "Hello there"}</p>;'],
    ["in a template", "const a = <p>{`Hello ${name}`}</p>;"],
    ["as a name", 'const a = <button aria-label="Close it" />;'],
    ["as a name in a template", "const a = <button aria-label={`Close ${it}`} />;"],
    ["as a title", 'const a = <abbr title="Close it" />;'],
    ["as a label of an action", 'toast("a", { action: { label: "Undo it" } });'],
    ["as a toast", 'toast.error("That failed");'],
    ["as a toast with a value", "toast(`${name} failed`);"],
    ["a plural without its forms", "plural(count, one, other);"],
  ])("%s", (_name, source) => expect(found(source).problems).toHaveLength(1));

  test.each([
    ["a text of a catalogue", 'const a = <p title={t("Hello")}>{t("Hello there")}</p>;'],
    ["a value", "const a = <p>{name}: {count} %</p>;"],
    ["a class", 'const a = <p className="hello there" data-name="Hello" />;'],
    ["marks", "const a = <p>+ - ⌘</p>;"],
    ["the end of a toast", 'toast.dismiss("losses");'],
    ["a name of a format", "const a = <p>PNG</p>;"],
  ])("%s is none", (_name, source) => expect(found(source).problems).toEqual([]));

  test("a translated text is known, also by a constant that comes later", () => {
    const source = 'const a = t(B) + t("C") + plural(n, "1 d", "{count} d"); const B = "Be";';
    const { texts, counted } = found(source);
    expect([...texts]).toEqual(["Be", "C"]);
    expect([...counted]).toEqual([["{count} d", "1 d"]]);
  });
});

test("LANG-6 letters in generated content of a style sheet are found", () => {
  const problems = (content: string): string[] =>
    findStyledTexts("a.css", `b::after { ${content}; }`);
  expect(problems('content: "Following "')).toEqual([
    'a.css:1: "content: "Following "" is no text of a catalogue',
  ]);
  expect(problems("content: counter(a) 'x'")).toHaveLength(1);
  expect(problems('content: ""')).toEqual([]);
  expect(problems('content: "+" attr(data-text)')).toEqual([]);
  expect(problems("justify-content: center")).toEqual([]);
});

describe("LANG-6 a catalogue that does not fit is found", () => {
  const english = { "Add {name}": "Add {name}", "{count} d": { one: "1 d", other: "{count} d" } };
  const forms = { one: "1 D", other: "{count} D" };

  test("one that fits has no problem; a form may say its number in words", () => {
    expect(
      compareCatalogues("de", english, { "Add {name}": "+ {name}", "{count} d": forms }),
    ).toEqual([]);
  });

  test.each([
    ["a missing text", { "{count} d": forms }],
    ["an empty text", { "Add {name}": " ", "{count} d": forms }],
    ["a missing value", { "Add {name}": "+", "{count} d": forms }],
    ["another value", { "Add {name}": "+ {nam}", "{count} d": forms }],
    ["a form too few", { "Add {name}": "+ {name}", "{count} d": { other: "{count} D" } }],
    ["a form too many", { "Add {name}": "+ {name}", "{count} d": { ...forms, few: "{count}" } }],
    [
      "another value in a form",
      { "Add {name}": "+ {name}", "{count} d": { ...forms, one: "{x}" } },
    ],
    ["a text that nobody shows", { "Add {name}": "+ {name}", "{count} d": forms, Old: "Alt" }],
  ])("%s", (_name, german) =>
    expect(compareCatalogues("de", english, german).length).toBeGreaterThan(0),
  );
});
