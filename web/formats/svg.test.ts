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

test("UI-53 the shapes of an SVG file become objects at their position", () => {
  expect(
    objects(`
      <rect x="10" y="20" width="30" height="40" rx="5" fill="#f00"/>
      <circle cx="50" cy="60" r="7" style="fill:none;stroke:rgb(0, 128, 0);stroke-width:2px"/>
      <ellipse cx="1" cy="2" rx="3" ry="4"/>
      <line x1="0" y1="0" x2="10" y2="20" stroke="blue" stroke-linecap="round"/>
      <polyline points="0,0 10,0 10,10" fill="none" stroke="#000" stroke-dasharray="4 2"/>
      <polygon points="0,0 10,0 10,10"/>
      <path d="M 5 5 h10 v10 z" fill-rule="evenodd" fill="currentColor" color="teal"/>`),
  ).toMatchObject([
    { type: "Rect", left: 25, top: 40, width: 30, height: 40, rx: 5, ry: 5, fill: "#f00" },
    { type: "Circle", left: 50, top: 60, radius: 7, fill: null, stroke: "rgb(0, 128, 0)" },
    { type: "Ellipse", left: 1, top: 2, rx: 3, ry: 4, fill: "black", strokeWidth: 0 },
    { type: "Path", path: "M0 0l10 20", stroke: "blue", strokeLineCap: "round" },
    { type: "Path", path: "M0 0l10 0 0 10", strokeDashArray: [4, 2], left: 5, top: 5 },
    { type: "Path", path: "M0 0l10 0 0 10z" },
    { type: "Path", left: 10, top: 10, fillRule: "evenodd", fill: "teal" },
  ]);
});

test("UI-53 transforms, view boxes, units and reused elements are read", () => {
  const [rect] = objects(
    '<g transform="translate(100 50) scale(2)"><rect width="10" height="10"/></g>',
  );
  expect(rect).toMatchObject({ left: 110, top: 60, width: 20, height: 20 });
  const [turned] = objects('<rect width="10" height="10" transform="rotate(90)"/>');
  expect(turned).toMatchObject({ left: -5, top: 5, angle: 90 });
  const [wide] = objects('<circle r="10" stroke="red" transform="scale(4,1)"/>');
  expect(wide).toMatchObject({ radius: 20, scaleX: 2, scaleY: 0.5, strokeWidth: 2 });
  const [slanted] = objects('<rect width="10" height="10" transform="skewX(45)"/>');
  expect(slanted).toMatchObject({ skewX: 45 });
  const [mirrored] = objects('<rect width="10" height="10" transform="matrix(1 0 0 -1 0 0)"/>');
  expect(mirrored).toMatchObject({ flipY: true, top: -5 });
  const [upsideDown] = objects('<text x="5" y="20" transform="scale(1 -1)">a</text>');
  expect(upsideDown).toMatchObject({ flipY: true, originY: "bottom", left: 5 });
  const [boxed] = objects(
    '<rect width="10" height="5"/>',
    'viewBox="0 0 20 10" width="200px" height="100"',
  );
  expect(boxed).toMatchObject({ width: 100, height: 50, left: 50, top: 25 });
  const [inches] = objects('<rect width="1in" height="25.4mm"/>');
  expect(inches).toMatchObject({ width: 96, height: 96 });
  expect(
    objects(`<defs><symbol id="s" viewBox="0 0 10 10"><circle r="2"/></symbol><g id="g"><use href="#s"/></g></defs>
      <use xlink:href="#g" x="5"/><use href="#g" transform="translate(0 9)"/>`),
  ).toMatchObject([
    { type: "Circle", left: 5 },
    { type: "Circle", top: 9 },
  ]);
});

test("UI-53 percentages of an SVG file refer to the viewport around them", () => {
  const size = 'width="200" height="120"';
  const rect = '<rect width="50%" height="100%"/>';
  expect(
    objects(
      `${rect}<line y1="50%" x2="100%" y2="50%"/><circle cx="50%" cy="50%" r="50%"/>
       <svg x="10%" width="50%" height="60" viewBox="0 0 10 6">${rect}</svg><ellipse rx="9"/>
       <text x="50%" y="50%" font-size="20">a</text>`,
      size,
    ),
  ).toMatchObject([
    { width: 100, height: 120 },
    { path: "M0 60l200 0", left: 100, top: 60 },
    { left: 100, top: 60, radius: expect.closeTo(82.46, 1) },
    { left: 45, top: 30, width: 50, height: 60 },
    { rx: 9, ry: 9 },
    { left: 100, top: expect.closeTo(60 - 17.58, 1) },
  ]);
  expect(objects(rect)).toMatchObject([{ width: 150, height: 150 }]);
  const symbol = `<symbol id="s" viewBox="0 0 10 10">${rect}</symbol>`;
  expect(objects(`${symbol}<use href="#s" x="50%" width="25%" height="50"/>`, size)).toMatchObject([
    { left: 112.5, width: 25, height: 50 },
  ]);
});

test("UI-53 a paint of an SVG file that the board does not know leaves the one before, as in older browsers", () => {
  expect(
    objects(`<style>.a {fill: oklch(0.5 0.1 100); stroke: var(--line)}</style><g stroke="#123">
      <rect class="a" width="1" height="1" fill="#ffe" style="fill: color(display-p3 1 1 1)"/></g>
      <circle r="1" fill=""/><circle r="1" style="fill: red; fill: color(display-p3 1 1 1)"/><linearGradient id="g"><stop stop-color="var(--x)"/><stop stop-color="currentColor"/></linearGradient>
      <circle r="1" fill="url(#g)"/>`),
  ).toMatchObject([
    { fill: "#ffe", stroke: "#123" },
    { fill: "black" },
    { fill: "red" },
    { fill: { colorStops: [{ color: "black" }, { color: "black" }] } },
  ]);
});

test("UI-53 one alternative of a switch in an SVG file is shown, in the file's own language", () => {
  const result = readDrawing(`<svg>
    <switch><foreignObject><img/></foreignObject><text>word</text><text>other</text></switch>
    <switch><text systemLanguage="de">Haus</text><text systemLanguage="fr">maison</text><text>house</text></switch>
    <switch><text systemLanguage="de">Baum</text><text systemLanguage="fr">arbre</text></switch>
    <switch><g requiredFeatures="x"/><a href="x"><text>Text is not SVG - cannot display</text></a></switch></svg>`);
  const texts = ["word", "house", "Baum"].map((text) => ({ text }));
  expect(result).toMatchObject({ objects: texts, leftOut: { page: 1 } });
});

test("UI-53 a symbol has the size that its use gives, and its free space is where the file says", () => {
  const icon = (ratio: string) =>
    `<symbol id="${ratio}" viewBox="0 0 10 20" preserveAspectRatio="${ratio}">
       <rect width="10" height="20"/></symbol><use href="#${ratio}" x="5" width="80" height="40"/>`;
  const placed = objects(["none", "xMinYMid", "xMidYMid", "xMaxYMid"].map(icon).join(""));
  expect(
    placed.map(({ left, scaleX, width }) => [left, Number(width) * Number(scaleX ?? 1)]),
  ).toEqual([
    [45, 80],
    [15, 20],
    [45, 20],
    [75, 20],
  ]);
  const [covering] = objects(icon("xMidYMin slice"));
  expect(covering).toMatchObject({ left: 45, top: 80, width: 80, height: 160 });
  const inner = `<svg id="a" viewBox="0 0 10 10"><rect width="10" height="10"/></svg>`;
  expect(objects(`<defs>${inner}</defs><use href="#a" width="30" height="30"/>`)).toMatchObject([
    { left: 15, top: 15, width: 30 },
  ]);
});

test("UI-53 a paint that is more transparent than the other one of its object stays so", () => {
  const paints = ["#123", "#1234", "#11223344", "rgb(1, 2, 3)", "rgb(1 2 3 / 50%)"];
  paints.push("hsla(120, 50%, 40%, 0.5)", "red");
  const fills = (opacity: number) =>
    objects(
      paints
        .map((fill) => `<circle r="1" fill="${fill}" fill-opacity="${opacity}" stroke="#000"/>`)
        .join(""),
    ).map(({ fill }) => fill);
  expect(fills(1)).toEqual(paints);
  expect(fills(0.5)).toEqual([
    ...["#11223380", "#11223322", "#11223322", "rgba(1, 2, 3, 0.500)", "rgba(1, 2, 3, 0.250)"],
    ...["hsla(120, 50%, 40%, 0.250)", "red"],
  ]);
  const [faded] = objects(
    `<linearGradient id="g"><stop stop-color="#f00"/><stop offset="1" stop-color="#00f" stop-opacity=".5"/></linearGradient>
     <circle r="1" fill="url(#g)" fill-opacity="0.5" stroke="#000"/>`,
  );
  expect(faded?.["fill"]).toMatchObject({
    colorStops: [{ color: "#ff000080" }, { color: "#0000ff40" }],
  });
});

test("UI-53 the blending of an SVG file is that of its objects, as far as it is one of CSS", () => {
  expect(
    objects(`<g style="mix-blend-mode: multiply"><g><rect width="1" height="1"/></g>
      <circle r="1" style="mix-blend-mode: screen"/></g>
      <circle r="1" mix-blend-mode="darken"/><circle r="1"/>
      <circle r="1" style="mix-blend-mode: source-in"/><circle r="1" style="mix-blend-mode: url(a)"/>`).map(
      (object) => object["globalCompositeOperation"],
    ),
  ).toEqual(["multiply", "screen", "darken", ...Array(3).fill(undefined)]);
});

test("UI-53 gradients of an SVG file", () => {
  expect(
    objects(`<linearGradient id="s"><stop offset="0%" stop-color="red"/><stop offset="1" style="stop-color:#00f;stop-opacity:.5"/></linearGradient>
      <linearGradient id="a" href="#s" x2="0" y2="100%"/>
      <radialGradient id="b" href="#s" gradientUnits="userSpaceOnUse" cx="30" cy="30" r="10"/>
      <rect x="20" y="20" width="20" height="20" fill="url(#a)"/>
      <rect x="20" y="20" width="20" height="20" fill="url(#b)" transform="scale(2)"/>
      <rect width="5" height="5" fill="url(#none) #123"/>`),
  ).toMatchObject([
    {
      fill: {
        ...{ type: "linear", gradientUnits: "percentage", coords: { x1: 0, y1: 0, x2: 0, y2: 1 } },
        colorStops: [
          { offset: 0, color: "red" },
          { offset: 1, color: "#0000ff80" },
        ],
      },
    },
    {
      fill: {
        ...{ type: "radial", coords: { x1: 60, y1: 60, r1: 0, x2: 60, y2: 60, r2: 20 } },
        gradientTransform: [1, 0, 0, 1, -40, -40],
      },
    },
    { fill: "#123" },
  ]);
});

test("UI-53 texts of an SVG file: lines below each other are one text", () => {
  expect(
    objects(`<text x="10" y="50" font-size="20" font-family="'Open Sans', sans-serif" text-anchor="middle" font-weight="700">
        Hello  <tspan font-style="italic">big</tspan>
        world &amp; all &#x1F600;</text>
      <text font-size="10"><tspan x="0" y="10">one</tspan><tspan x="0" dy="1.2em">two</tspan><tspan x="0" y="34">three</tspan></text>
      <text x="10mm" y="1in 9" font-style="oblique" font-size="10">units</text>
      <text> </text><text style="font: italic bold 13px/1.2 'Fira Sans', serif">font</text>`),
  ).toMatchObject([
    {
      ...{ type: "IText", text: "Hello big world & all 😀", left: 10, fontSize: 20 },
      ...{ fontFamily: "'Open Sans', sans-serif", textAlign: "center", fontWeight: "700" },
    },
    { text: "one\ntwo\nthree", lineHeight: 1.062 },
    { text: "units", left: 37.8, top: expect.closeTo(96 - 8.8, 0), fontStyle: "italic" },
    { fontSize: 13, fontFamily: "'Fira Sans', serif", fontWeight: "bold", fontStyle: "italic" },
  ]);
});

test("UI-53 a line of an SVG's text has the style of its longest words, whichever element around them has its position", () => {
  expect(
    objects(`<text><tspan><tspan x="5" y="40"><tspan font-size="30px" fill="red">LibreOffice</tspan></tspan></tspan></text>
      <text y="20"><tspan font-weight="bold">Note:</tspan> the rest of it</text>`),
  ).toMatchObject([
    { text: "LibreOffice", left: 5, fontSize: 30, fill: "red", top: expect.closeTo(40 - 26.4, 0) },
    { text: "Note: the rest of it", fill: "black" },
  ]);
});

test("UI-53 the spaces of an SVG's text stay where the file preserves them, and collapse elsewhere", () => {
  expect(
    objects(`
      <g xml:space="preserve"><text>  if  x:\t1 </text></g>
      <text style="white-space: pre">a   b<tspan style="white-space: normal">  c   d  </tspan></text>
      <text> a \n b<tspan xml:space="preserve">   </tspan>c \u00a0 </text>`).map(
      ({ text }) => text,
    ),
  ).toEqual(["  if  x: 1 ", "a   b c d", "a b   c \u00a0"]);
});

test("UI-53 a raised part of a line of an SVG file stays in it, and a part below it is the next line", () => {
  expect(
    objects(`
      <text y="20">x<tspan dy="-6">2</tspan><tspan dy="6"> + 1</tspan></text>
      <text y="20">above<tspan dy="1.2em">below</tspan></text>
      <text><tspan dy="30">moved</tspan></text>`),
  ).toMatchObject([
    { text: "x2 + 1" },
    { text: "above\nbelow" },
    { text: "moved", top: expect.closeTo(30 - 14.07, 1) },
  ]);
});

test("UI-53 a text of an SVG file that is written from right to left begins at its right edge", () => {
  expect(
    objects(`
      <g direction="rtl"><text x="90">שלום</text><text x="90" text-anchor="end">שלום</text></g>
      <text x="90" style="direction: rtl; text-anchor: middle">שלום</text><text x="90">שלום</text>`),
  ).toMatchObject([
    { left: 90, originX: "right", textAlign: "right", direction: "rtl" },
    { left: 90, originX: "left", direction: "rtl" },
    { left: 90, textAlign: "center", direction: "rtl" },
    { left: 90, originX: "left" },
  ]);
});

test("UI-53 baselines and the space between letters of an SVG file", () => {
  const texts = objects(`
    <text font-size="100">a</text>
    <g dominant-baseline="central"><text font-size="100">a</text></g>
    <text font-size="100" style="dominant-baseline: hanging">a</text>
    <text font-size="100" dominant-baseline="constructor">a</text>
    <text font-size="20" letter-spacing="3">a</text>
    <text font-size="20" style="letter-spacing: -0.05em">a</text>
    <text font-size="20" letter-spacing="wide">a</text>`);
  const [plain, central, hanging, unknown, ...spaced] = texts;
  expect(unknown?.["top"]).toBe(plain?.["top"]);
  expect(Number(central?.["top"]) - Number(plain?.["top"])).toBeCloseTo(35);
  expect(Number(hanging?.["top"]) - Number(plain?.["top"])).toBeCloseTo(73);
  expect(spaced.map(({ charSpacing }) => charSpacing)).toEqual([150, -50, undefined]);
});

test("UI-54 patterns and words along a path count as left out", () => {
  const result = readDrawing(`<svg><pattern id="p"/>
    <rect width="9" height="9" fill="url(#p)" stroke="red"/>
    <text y="20">A<tspan display="none">B</tspan><textPath href="#p">along</textPath></text></svg>`);
  expect(result).toMatchObject({
    objects: [{ type: "Rect", fill: null }, { text: "A" }],
    leftOut: { unknown: 2 },
  });
});

test("UI-54 parts of an SVG file that cannot be added are counted by kind", () => {
  const result = readDrawing(`<?xml version="1.0"?><!DOCTYPE svg PUBLIC "x" "y" [<!ENTITY ns "z">]>
    <svg xmlns:svg="&ns;"><svg:rect width="1" height="1" filter="url(#f)"/><image href="http://x/y.png"/>
    <image href="data:,"/><script>alert(1)</script><foreignObject><input/></foreignObject>
    <metadata><x/></metadata><sodipodi:namedview/><hatch/><path d="M0 0 L zz"/><use href="#none"/></svg>`);
  expect(result).toMatchObject({
    ok: true,
    objects: [{ type: "Rect" }],
    leftOut: { picture: 2, script: 1, page: 1, effect: 1, unknown: 1, value: 1, reference: 1 },
  });
});
