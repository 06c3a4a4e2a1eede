import { expect, test } from "vitest";
import type { NewObject } from "../../board/drawing.ts";
import { readDrawing } from "./read-drawing.ts";

function objects(inner: string, attributes = ""): readonly NewObject[] {
  const result = readDrawing(
    `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inner}</svg>`,
  );
  if (!result.ok) throw new Error(result.reason);
  return result.objects;
}

test("UI-53 comments and imports of a style sheet hide no rule of an SVG file", () => {
  const css = `@charset "a";@import url("f.css?a;b");/** by X **/ .a{fill:red} /* .a {fill:blue}`;
  expect(objects(`<style>${css}</style><circle class="a" r="1"/>`)).toMatchObject([
    { fill: "red" },
  ]);
});

test("UI-53 styles are inherited, from attributes, style sheets and groups; invisible elements are left out", () => {
  expect(
    objects(`<style>/* all */ .a, #b {fill: #00f; opacity: .5} rect {stroke:#f00} .a > p {fill:red}</style>
      <g fill="green" opacity="0.5"><rect width="1" height="1"/><rect class="a" width="1" height="1"/></g>
      <circle id="b" r="1" style="fill:#abc"/>
      <circle r="1" display="none"/><circle r="1" visibility="hidden"/><circle r="0"/>
      <circle r="1" fill="#123" stroke="#456" fill-opacity="0.5"/>
      <circle r="1" fill="#123" fill-opacity="25%"/>`),
  ).toMatchObject([
    { fill: "green", stroke: "#f00", opacity: 0.5 },
    { fill: "#00f", opacity: 0.25 },
    { fill: "#abc", opacity: 0.5 },
    { fill: "#11223380", stroke: "#456" },
    { fill: "#123", opacity: 0.25 },
  ]);
});

test("UI-53 the style sheets of an SVG file apply by names around an element, by several names, and the most specific one last", () => {
  expect(
    objects(
      `<style>#m .node rect, #m .node circle {fill: #eef; stroke: #97d} rect {fill: #f00} * {stroke-linejoin: round}
      .hot.big {fill: #f90} .hot {fill: #0f0} g > ellipse {fill: #0ff} .out rect {stroke: #123} rect:hover {fill: #999}</style>
      <g class="node"><g><rect width="1" height="1"/></g><circle r="1"/></g><rect class="hot big" width="1" height="1"/>
      <rect width="1" height="1"/><g><ellipse rx="1" ry="2"/></g><ellipse rx="1" ry="2"/>
      <symbol id="s"><rect width="1" height="1"/></symbol><svg class="out" width="9"><use href="#s"/></svg>`,
      'id="m"',
    ),
  ).toMatchObject([
    { fill: "#eef", stroke: "#97d", strokeLineJoin: "round" },
    { fill: "#eef" },
    { fill: "#f90" },
    { fill: "#f00", strokeWidth: 0 },
    { fill: "#0ff" },
    { fill: "black" },
    { fill: "#f00", strokeWidth: 0 },
  ]);
});

test("UI-53 rules for a printer or a dark screen leave the objects of an SVG file as they are", () => {
  const css = `.a {fill: #f00} .b {fill: #0f0}
    @media (prefers-color-scheme: dark) { .a {fill: #fff} .b {fill: #fff} }
    @font-face {font-family: "x"} @media print { .c, .x {display: none} .a {display: none} } .c {fill: #00f}`;
  const circles = ["a", "b", "c"].map((name) => `<circle class="${name}" r="1"/>`).join("");
  expect(objects(`<style>${css}</style>${circles}`).map(({ fill }) => fill)).toEqual([
    ...["#f00", "#0f0", "#00f"],
  ]);
});

test("UI-28 the style sheets of an SVG file are compared with its elements two million times at most", () => {
  const css = Array.from({ length: 2_000 }, (_, at) => `g .a{fill:#${at + 100_000}}`).join("");
  const found = objects(`<style>${css}</style><g>${`<circle class="a" r="1"/>`.repeat(2_000)}</g>`);
  expect(found[0]).toMatchObject({ fill: "#101999" });
  expect(found.at(-1)).toMatchObject({ fill: "black" });
});

test("UI-53 sizes of letters that are relative refer to the element around, in style sheets and texts", () => {
  const sizes = objects(
    `<style>.small {font-size: 0.5em} .em {font-size: 1.5em}</style><text>a</text>
    <g class="em"><g class="small"><text>b</text></g><text font-size="150%">c<tspan y="9" class="small">d</tspan></text></g>
    <text font-size="2rem">e</text>`,
    'font-size="12px"',
  ).map(({ fontSize }) => fontSize);
  expect(sizes).toEqual([12, 9, 27, 13.5, 32]);
});

function effects(
  inner: string,
  attributes = 'width="100" height="80" viewBox="0 0 100 80"',
): number {
  const result = readDrawing(
    `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inner}</svg>`,
  );
  if (!result.ok) throw new Error(result.reason);
  return result.leftOut.effect ?? 0;
}

test("UI-54 a clip of an SVG file counts as left out only where it cuts something", () => {
  const clipped = (inner: string, clip: string, more = "") =>
    effects(`<g clip-path="url(#c)" ${more}>${inner}</g>
      <defs><clipPath id="c">${clip}</clipPath></defs>`);
  const page = '<rect width="100" height="80" fill="white"/>';
  const shapes = '<rect x="90" y="70" width="10" height="10"/><circle cx="50" cy="40" r="40"/>';
  const text = '<text x="95" y="20" text-anchor="end" font-size="10">Inside</text>';
  expect(clipped(shapes + text, page)).toBe(0);
  expect(clipped(shapes, '<path d="M 0 0 L 100 0 L 100 80 L 0 80 Z M 0 0" />')).toBe(0);
  expect(clipped(shapes, '<path d="M0 0H100V80H0Z"/>')).toBe(0);
  expect(clipped(shapes, page, 'transform="translate(30 3) scale(2)"')).toBe(0);
  // Each clip counts once.
  const outside = '<rect x="95" width="10" height="10"/>'.repeat(3);
  expect(clipped(outside, page)).toBe(1);
  expect(clipped('<path d="M50 0V80" stroke="red" stroke-width="3"/>', page)).toBe(1);
  expect(clipped('<text x="95" y="20" font-size="10">Outside</text>', page)).toBe(1);
  for (const other of [
    '<circle cx="50" cy="40" r="90"/>',
    '<rect width="100" height="80" rx="9"/>',
    '<path d="M0 0L100 80L100 0L0 80Z"/>',
    '<path d="M0 0L100 0L100 80L40 80Z"/>',
    `${page}<rect width="1" height="1"/>`,
    '<rect width="100" height="80" transform="rotate(45)"/>',
    '<rect width="0" height="80"/>',
    "",
  ])
    expect(clipped('<rect width="1" height="1"/>', other)).toBe(1);
  expect(effects('<rect width="1" height="1" clip-path="url(#none)"/>')).toBe(1);
  expect(effects('<rect width="1" height="1" style="clip-path:inset(10%)"/>')).toBe(1);
});

test("UI-53 dashes of an SVG file without a length, as in Mermaid's edges, or too short to be seen are a whole line", () => {
  const dashed = (value: string): unknown =>
    objects(`<path d="M0 0h9" stroke="red" stroke-dasharray="${value}"/>`).map(
      ({ strokeDashArray, stroke }) => [stroke, strokeDashArray],
    );
  for (const value of ["0", "0 0", "0.2,0.3"]) expect(dashed(value)).toEqual([["red", undefined]]);
  expect(dashed("0 1")).toEqual([["red", [0, 1]]]);
});

test("UI-53 sizes and weights of letters that have names, in an SVG file", () => {
  expect(
    objects(`<text font-size="x-large">a</text><g font-size="20px" font-weight="bolder">
      <text style="font-size: smaller">b</text></g>`),
  ).toMatchObject([{ fontSize: 24 }, { fontSize: 16.6, fontWeight: "bold" }]);
});

test("UI-54 a viewport inside of an SVG file counts as a clip where it cuts something", () => {
  const inside = (inner: string, more = "") =>
    effects(`<g transform="scale(2)"><svg x="5" width="20" height="10" ${more}>${inner}</svg></g>`);
  const [fitting, wide] = [20, 22].map((width) => `<rect width="${width}" height="10"/>`);
  expect(inside(fitting!)).toBe(0);
  expect(inside(wide! + wide!)).toBe(1);
  expect(inside(wide!, 'overflow="visible"')).toBe(0);
  expect(inside(wide!, 'viewBox="0 0 40 20"')).toBe(0);
  expect(effects(wide!)).toBe(0);
  const icon = `<symbol id="s" viewBox="0 0 20 10">${wide}</symbol>`;
  expect(effects(`${icon}<use href="#s" width="20" height="10"/>`)).toBe(1);
});

test("UI-171 what is translucent as a whole counts as shown differently where something is seen through it", () => {
  const parts = (inner: string): unknown => {
    const read = readDrawing(`<svg>${inner}</svg>`);
    return read.ok && [read.leftOut, read.objects.map(({ opacity }) => opacity)];
  };
  const [left, right, over] = [0, 10, 5].map((x) => `<rect x="${x}" width="10" height="10"/>`);
  expect(parts(`<g opacity=".5">${left}${right}</g>${over}`)).toEqual([{}, [0.5, 0.5, undefined]]);
  expect(parts(`<g opacity=".5">${left}<g>${over}${right}</g></g>`)).toEqual([
    { look: 1 },
    [0.5, 0.5, 0.5],
  ]);
  expect(parts(`<g id="a">${left}${over}</g><use href="#a" y="20" opacity="0.5"/>`)).toEqual([
    { look: 1 },
    [undefined, undefined, 0.5, 0.5],
  ]);
  expect(parts('<circle r="9" stroke="red" stroke-width="8" opacity=".5"/>')).toEqual([{}, [0.5]]);
});

test("UI-53 where the fill and the line of an SVG's shape are translucent, the fill is seen through the line", () => {
  expect(
    objects(
      '<circle r="9" opacity=".5" fill="#ff0000" fill-opacity=".5" stroke="#0000ff" stroke-opacity=".5"/>',
    ),
  ).toMatchObject([{ fill: "#ff000080", stroke: "#0000ff80", opacity: 0.5 }]);
});

test("UI-190 custom properties of an SVG file, and what stands in for them, are read; of two colours that for a light screen", () => {
  const look = 'style="--own: #0f0; fill: var(--own)" stroke="var(--c, red)"';
  expect(
    objects(`<style>:root {--c: #abc; --d: var(--c)} .loop {--l: var(--l)}</style>
      <rect width="1" height="1" fill="var(--fill-0, #d9d9d9)" ${look}/>
      <g fill="#00f"><rect width="1" height="1" fill="var(--none)"/><rect width="1" height="1" fill="var(--d)"/>
      <rect width="1" height="1" class="loop" fill="var(--l)"/><rect width="1" height="1" fill="var(--fill-0, rgb(1, 2, 3))"/></g>
      <rect width="1" height="1" fill="red" style="fill: light-dark(rgb(1, 2, 3), var(--dark, #fff))"/>
      <rect width="1" height="1" fill="var(--a, var(--b, #123))" opacity="var(--o, 0.5)"/>`).map(
      ({ fill, stroke, opacity }) => [fill, stroke, opacity],
    ),
  ).toEqual([
    ["#0f0", "#abc", undefined],
    ["#00f", undefined, undefined],
    ["#abc", undefined, undefined],
    ["#00f", undefined, undefined],
    ["rgb(1, 2, 3)", undefined, undefined],
    ["rgb(1, 2, 3)", undefined, undefined],
    ["#123", undefined, 0.5],
  ]);
  const names = ["constructor", "__proto__", "toString"];
  const foreign = names.map((name) => `<circle r="1" fill="var(${name}, #456)"/>`).join("");
  expect(objects(foreign).map(({ fill }) => fill)).toEqual(["#456", "#456", "#456"]);
});

test.each([
  ["rect:first-child", "100000"],
  ["rect:last-child", "000001"],
  ["rect:nth-child(3)", "001000"],
  ["rect:nth-child( 2n + 1 )", "101010"],
  [".all:nth-child(even)", "010101"],
  ["rect:nth-child(-n+2)", "110000"],
  ["rect:nth-last-child(2)", "000010"],
  ["rect:nth-child(n + 5)", "000011"],
  ["[data-k]", "110000"],
  ['[data-k="a b"]', "100000"],
  ["rect[data-k~=b]", "100000"],
  ["[data-k^='a'].all", "100000"],
  ["[data-k$=d]", "010000"],
  ["rect[data-k*=' ']:first-child", "100000"],
  [":root > g rect:first-child", "100000"],
  [
    "svg:root:only-child rect, rect:hover, rect + rect, rect:nth-child(x), rect:first-child:last-child",
    "000000",
  ],
])("UI-190 selectors in the style sheets of an SVG file: %s", (selector, chosen) => {
  const rects = ['data-k="a b"', 'data-k="cd"', "", "", "", ""]
    .map((more) => `<rect width="1" height="1" class="all" ${more}/>`)
    .join("\n");
  const found = objects(`<style>${selector} {fill: #fff}</style><g>${rects}</g>`);
  expect(found.map(({ fill }) => (fill === "#fff" ? 1 : 0)).join("")).toBe(chosen);
});

test("UI-190 important declarations of an SVG file come after all others, and a space between letters has a unit in them", () => {
  expect(
    objects(`<style>.hot > * {fill: #f96 !important; stroke: #333!important} #m rect {fill: #eef; stroke: #97d}
      text {letter-spacing: 5; fill: #123}</style>
      <g id="m" class="hot"><rect width="1" height="1" style="fill: #fff"/></g>
      <rect width="1" height="1" class="hot" style="fill: #fff ! important" fill="#000"/><text>a</text>`),
  ).toMatchObject([{ fill: "#f96", stroke: "#333" }, { fill: "#fff" }, { fill: "#123" }]);
  expect(objects('<text style="letter-spacing: 5">a</text>')[0]).not.toHaveProperty("charSpacing");
});

test("UI-53 shapes of an SVG file that paint nothing are left out", () => {
  expect(
    objects(`<rect width="9" height="9" fill="#000" fill-opacity="0.0"/><rect width="9" height="9" fill="none"/>
      <rect width="9" height="9" fill="transparent" stroke="#00000000"/><rect width="9" height="9" opacity="0" stroke="red"/>
      <rect width="9" height="9" fill="none" stroke="red" stroke-width="0"/><rect width="9" height="9"/>`),
  ).toHaveLength(1);
});

test("UI-193 the entities that an SVG file defines itself, as Illustrator does for namespaces and styles, are read", () => {
  const type = `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd" [
    <!ENTITY ns_svg "http://www.w3.org/2000/svg"> <!ENTITY st0 "fill:#39B54A;stroke:#000000;">]>`;
  const read = readDrawing(
    `<?xml version="1.0"?>${type}<svg xmlns="&ns_svg;"><rect width="9" height="9" style="&st0;"/></svg>`,
  );
  expect(read).toMatchObject({ objects: [{ fill: "#39B54A", stroke: "#000000" }] });
});
