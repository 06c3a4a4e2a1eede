import { beforeEach, expect, test, vi } from "vitest";
import { readDrawing } from "./read-drawing.ts";

beforeEach(() => {
  // Each letter is half as wide as high.
  const context = { font: "", measureText: (words: string) => ({ width: 200 * words.length }) };
  vi.stubGlobal(
    "OffscreenCanvas",
    class {
      getContext = (): unknown => context;
    },
  );
});

function read(text: string) {
  const result = readDrawing(`<svg><g font-size="20">${text}</g></svg>`);
  if (!result.ok) throw new Error(result.reason);
  const objects = result.objects.map(({ text: words, charSpacing, scaleX }) =>
    JSON.stringify([words, charSpacing, scaleX]),
  );
  return [...objects, result.leftOut];
}

test("UI-171 words of an SVG file are as long as it says, by the space between letters or by wider letters", () => {
  expect(read('<text textLength="70">abcd</text>')).toEqual(['["abcd",500,null]', {}]);
  expect(read('<text textLength="30" letter-spacing="9">abcd</text>')).toEqual([
    '["abcd",-167,null]',
    {},
  ]);
  expect(read('<text textLength="80" lengthAdjust="spacingAndGlyphs">abcd</text>')).toEqual([
    '["abcd",null,2]',
    {},
  ]);
  expect(
    read('<text><tspan x="3" textLength="80">a</tspan><tspan x="3" y="30">b</tspan></text>'),
  ).toEqual(['["a",null,null]', '["b",null,null]', {}]);
});

test("UI-171 words of an SVG file that look like all of their line are not shown differently", () => {
  const plain = 'style="word-spacing: 0px; writing-mode: lr-tb; font-variant: normal"';
  expect(read(`<text ${plain}>a <tspan>b <tspan dx="0">c</tspan></tspan> </text>`)).toEqual([
    '["a b c",null,null]',
    {},
  ]);
});

test("UI-171 letters of an SVG file with places of their own are where it says if the space between them is even", () => {
  expect(read('<text x="0 10 20 30">abcd</text>')).toEqual(['["abcd",null,null]', {}]);
  expect(read('<text x="5,20 36">abc</text>')).toEqual(['["abc",275,null]', {}]);
  expect(read('<text x="0 11 20" y="9 9">abcd</text>')).toEqual(['["abcd",null,null]', {}]);
});

test.each([
  ["of several colours", '<text>a<tspan fill="red">b</tspan></text>'],
  ["of several sizes", '<text>a<tspan><tspan font-size="9">b</tspan></tspan></text>'],
  ["raised", '<text>x<tspan dy="-6">2</tspan></text>'],
  ["apart", '<text word-spacing="9">a b</text>'],
  ["below each other", '<g style="writing-mode: tb"><text>ab</text></g>'],
  ["small capitals", '<text font-variant="small-caps">ab</text>'],
  ["uneven", '<text x="0 10 90">abc</text>'],
  ["only some", '<text x="0 20 40">abcd</text>'],
  ["in the middle", '<text x="0 10 20" text-anchor="middle">abc</text>'],
  ["turned", '<text rotate="20">abc</text>'],
  ["falling", '<text y="0 5 9">abc</text>'],
  ["moved", '<text dx="0 3">abc</text>'],
  ["in two lines", '<text textLength="90">ab<tspan y="30">c</tspan></text>'],
  ["behind others", '<text>ab<tspan textLength="90">c</tspan></text>'],
])(
  "UI-171 letters of an SVG file that no text of the board has count as shown differently: %s",
  (_, text) => {
    expect(read(text).at(-1)).toEqual({ look: 1 });
  },
);

/** Words as Fabric writes them, each letter in its place: half as wide as high, with so much space between them. */
function letters(words: string, x: number, y: number, spacing: number): string {
  return Array.from(
    words,
    (letter, at) => `<tspan x="${x + at * (10 + spacing)}" y="${y}">${letter}</tspan>`,
  ).join("");
}

test("UI-191 letters that an SVG file places one by one, with an even space between them, become one text", () => {
  const pre = 'style="white-space: pre"';
  expect(read(`<text ${pre}>${letters("a bc", 5, 20, 4)}</text>`)).toEqual([
    '["a bc",200,null]',
    {},
  ]);
  expect(
    read(`<text ${pre}>${letters("ab", 5, 20, 4)}${letters("cdef", 5, 45, 4)}</text>`),
  ).toEqual(['["ab\\ncdef",200,null]', {}]);
  expect(read(`<text>${letters("a", 0, 20, 0)}${letters("b", 300, 20, 0)}</text>`)).toEqual([
    ...['["a",null,null]', '["b",null,null]'],
    {},
  ]);
  expect(
    read(`<text>${letters("abc", 0, 20, 4)}<tspan x="70" y="20">d</tspan></text>`),
  ).toHaveLength(5);
});

test("UI-191 words that an SVG file places one after the other are one text, and those apart are several", () => {
  const words =
    '<tspan x="0" y="9">T</tspan>\n<tspan x="11" y="9">able </tspan><tspan x="60" y="9">leg</tspan>';
  expect(read(`<text xml:space="preserve">${words.replace("\n", "")}</text>`)).toEqual([
    '["Table leg",null,null]',
    {},
  ]);
  expect(
    read('<text><tspan x="0" y="9">one</tspan><tspan x="90" y="9">two</tspan></text>'),
  ).toHaveLength(3);
  expect(
    read('<text><tspan x="0" y="9">one</tspan><tspan x="30" y="9" fill="red">two</tspan></text>'),
  ).toHaveLength(3);
});

test("UI-191 lines of an SVG file whose middles or ends are below each other are one text, aligned so", () => {
  const lines = (xs: readonly number[]) =>
    ["abcd", "ab", "abc"].map(
      (words, at) => `<tspan x="${xs[at]}" y="${20 * at}">${words}</tspan>`,
    );
  const aligned = (xs: readonly number[]): unknown => {
    const result = readDrawing(`<svg><text font-size="20">${lines(xs).join("")}</text></svg>`);
    return result.ok && result.objects.map((one) => [one["textAlign"], one["left"]]);
  };
  expect(aligned([0, 10, 5])).toEqual([["center", 20]]);
  expect(aligned([0, 20, 10])).toEqual([["right", 40]]);
  expect(aligned([0, 10, 10])).toHaveLength(2);
});
