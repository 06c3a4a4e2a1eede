import fc from "fast-check";
import { expect, test } from "vitest";
import "../../../testing/random/fast-check.ts";
import { createSamlIdp } from "../../../testing/auth/saml-idp.ts";
import { all, parse } from "../saml/metadata.ts";
import { XML_BOUNDS, xmlFault } from "./bounds.ts";

const { bytes, elements, siblings, depth, attributes } = XML_BOUNDS;

const nest = (levels: number): string => "<a>".repeat(levels) + "</a>".repeat(levels);
const beside = (count: number): string => `<a>${"<b/>".repeat(count)}</a>`;
const named = (count: number): string =>
  `<a ${Array.from({ length: count }, (_, n) => `a${n}="1"`).join(" ")}/>`;

test("AUTH-31 XML at its bounds is taken, and one more of anything is refused", () => {
  const groups = Math.ceil(elements / (siblings / 2));
  const many = (count: number): string =>
    `<r>${Array.from({ length: groups }, (_, n) => beside(Math.floor((count + n) / groups))).join("")}</r>`;
  const taken = [
    nest(depth),
    beside(siblings),
    named(attributes),
    many(elements - groups - 1),
    `<a>${"x".repeat(bytes - 7)}</a>`,
    '<?xml version="1.0" encoding="UTF-8"?>\n<a b="x > y" c=\'"\'>text > &amp;</a>\n',
    createSamlIdp("https://idp.example").metadata,
  ];
  for (const xml of taken)
    expect([xml.slice(0, 60), xmlFault(xml)]).toEqual([xml.slice(0, 60), undefined]);
  const refused = [
    nest(depth + 1),
    beside(siblings + 1),
    named(attributes + 1),
    many(elements - groups),
    `<a>${"x".repeat(bytes - 6)}</a>`,
    "",
    "text",
    "<a/><b/>",
    "<a>",
    "</a>",
    "<a></a></a>",
    "</a><a><b/>",
    '<a b="<c>"/>',
    '<a b="/>" <c/>',
    "<a b='></a>",
    "<a><!-- --></a>",
    "<a><![CDATA[<b/>]]></a>",
    "<!DOCTYPE a><a/>",
    "<a><?b ?></a>",
  ];
  for (const xml of refused)
    expect([xml.slice(0, 60), xmlFault(xml) !== undefined]).toEqual([xml.slice(0, 60), true]);
});

test("AUTH-31 any text within the bounds is XML with as many elements as were counted", async () => {
  const name = fc.constantFrom("a", "b:c", "d-e");
  const value = fc.constantFrom('"1"', "'<'", '"/>"', '"\'"', "2", '">"');
  const tag = fc
    .tuple(name, value, fc.constantFrom("", "/"))
    .map(([one, text, end]) => `<${one} x=${text}${end}>`);
  const part = fc.oneof(
    tag,
    name.map((one) => `</${one}>`),
    fc.constantFrom("<", ">", "&lt;", " ", "t", "<!-- -->"),
  );
  const text = fc.oneof(
    fc.array(part, { maxLength: 12 }).map((parts) => parts.join("")),
    fc.array(part, { maxLength: 6 }).map((parts) => `<r xmlns:b="urn:b">${parts.join("")}</r>`),
  );
  let within = 0;
  await fc.assert(
    fc.asyncProperty(text, async (xml) => {
      if (xmlFault(xml) !== undefined) return;
      const root = await parse(xml).catch(() => undefined);
      if (root === undefined) return;
      within++;
      // The parser sees no more than was counted.
      const opened = xml.match(/<[^/]/g)?.length ?? 0;
      expect(all(root, "*", "*").length).toBeLessThanOrEqual(opened);
    }),
    { numRuns: 2_000 },
  );
  expect(within).toBeGreaterThan(100);
});

test("AUTH-31 texts that a pattern with a choice would try again and again are refused", () => {
  for (const xml of [
    `<a ${" ".repeat(100_000)}`,
    `<a ${"b ".repeat(50_000)}>`,
    `<a ${'b="c" '.repeat(20_000)}`,
    `<${"a".repeat(100_000)}`,
    `<a b="${'"'.repeat(100_000)}`,
  ])
    expect(xmlFault(xml)).toBeDefined();
});
