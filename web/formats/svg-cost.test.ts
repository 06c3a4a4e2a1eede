import { expect, test } from "vitest";
import { readParts } from "./read-drawing.ts";
import { refuseSvg } from "./svg-cost.ts";

const REPEATS = "it is larger than 20 MB with what it repeats";
const RECT = '<rect width="9" height="9"/>';
const svg = (inner: string): string => `<svg xmlns="http://www.w3.org/2000/svg">${inner}</svg>`;
const url = (text: string): string => `data:image/svg+xml;base64,${btoa(text)}`;

/** Elements that each refer twice to the one before. */
function doubled(times: number, twice: (id: string, of: string) => string): string {
  return Array.from({ length: times }, (_, at) => twice(`n${at + 1}`, `n${at}`)).join("");
}

const bomb = (times: number): string =>
  svg(
    `<g id="n0">${RECT}</g>${doubled(times, (id, of) => `<g id="${id}"><use href="#${of}"/><use xlink:href="#${of}"/></g>`)}`,
  );

test("IMG-12 an SVG that would repeat itself beyond 20 MB is not drawn, however it repeats", () => {
  expect(refuseSvg(bomb(40))).toBe(REPEATS);
  const patterns = doubled(
    40,
    (id, of) =>
      `<pattern id="${id}"><path fill="url(#${of})" style="stroke:url('#${of}')"/></pattern>`,
  );
  expect(refuseSvg(svg(`<pattern id="n0">${RECT}</pattern>${patterns}`))).toBe(REPEATS);
  expect(refuseSvg(svg('<g id="a"><use href="#a"/></g>'))).toBe(REPEATS);
  const chain = Array.from({ length: 50_000 }, (_, at) => `<use id="n${at + 1}" href="#n${at}"/>`);
  expect(refuseSvg(svg(chain.toReversed().join("")))).toBe(REPEATS);
  expect(refuseSvg(svg(`<image href="${url(bomb(40))}"/>`))).toBe(REPEATS);
  const style = "<style>rect{filter:url(#f)}</style>";
  const blurs = `<filter id="f">${"<feGaussianBlur/>".repeat(30)}</filter>`;
  expect(refuseSvg(svg(style + blurs + RECT.repeat(200)))).toBe(REPEATS);
  expect(refuseSvg(svg(`<g style="filter:blur(90px)">${RECT}</g>`.repeat(3_000)))).toBe(REPEATS);
  // Two characters are a point, and each has the marker.
  const line = `M0 0${"h1".repeat(20_000)}`;
  const marker = `<marker id="m">${RECT.repeat(50)}</marker>`;
  for (const marked of [
    `<path marker-mid="url(#m)" d="${line}"/>`,
    `<defs><path id="p" d="${line}"/></defs><g style="marker : url(#m)"><use href="#p"/></g>`,
    `<style>path{mar\\6b er-mid:U\\72l(#m)}</style><path d="${line}"/>`,
    `<path style="marker-mid/**/:url(#m)" d="${line}"/>`,
    `<path style="marker-mid:url(#m)"><set attributeName="d" to="${line}"/></path>`,
  ])
    expect(refuseSvg(svg(marker + marked)), marked.slice(0, 40)).toBe(REPEATS);
  const laughs = '<!DOCTYPE svg [<!ENTITY a "<g/>"><!ENTITY b "&a;&a;">]>';
  expect(refuseSvg(laughs + svg("&b;"))).toBe(REPEATS);
});

/** Disguises in which a browser finds what an SVG repeats, by the text that each replaces in `bomb`. */
const DISGUISES: readonly (readonly [written: RegExp, disguise: string])[] = [
  [/<use href/g, "<s:use href"],
  [/xlink:href/g, "x:href"],
  [/xlink:href="(#\w+)"/g, 'href="$1" xlink:href="#none"'],
  [/="#n/g, '="#%6E'],
  [/="#n/g, '="#&#9;n'],
  [/="#n/g, '="#&n;'],
];

test("IMG-12 an SVG that repeats itself in a disguise is not drawn either", () => {
  const entity = '<!DOCTYPE svg [<!ENTITY n "n">]>';
  for (const [written, disguise] of DISGUISES) {
    const disguised = (times: number): string => entity + bomb(times).replace(written, disguise);
    expect(refuseSvg(disguised(40)), disguise).toBe(REPEATS);
    expect(refuseSvg(disguised(8)), disguise).toBeNull();
  }
  const image = url(bomb(40));
  for (const data of [
    image.replace("data:image/svg", "Data:Image/SVG"),
    image.replace("t", "t&#9;"),
  ])
    expect(refuseSvg(svg(`<image href="${data}"/>`)), data.slice(0, 20)).toBe(REPEATS);
  const css = "data:text/css,rect%7Bfilter:url(%23f)%7D";
  const blurs = `<filter id="f">${"<feGaussianBlur/>".repeat(30)}</filter>`;
  const many = blurs + RECT.repeat(200);
  for (const style of [
    `<style>@\\69mport url(${css});</style>`,
    `<s:style>rect{filter:url(#f)}</s:style>`,
    `<h:link rel="stylesheet" href="${css}"/>`,
    "<style>svg{/**/--f:url(#f)}rect{filter:var(--f)}</style>",
  ])
    expect(refuseSvg(svg(style + many)), style).toBe(REPEATS);
  expect(refuseSvg(`<?xml-stylesheet href="d&#97;ta:text/css,"?>${svg(many)}`)).toBe(REPEATS);
  expect(refuseSvg(`<?xml-stylesheet href="a.css"?>${svg(many)}`)).toBeNull();
  expect(refuseSvg(`<!DOCTYPE svg [<!ATTLIST use href CDATA "#a">]>${svg("<use/>")}`)).toBe(
    REPEATS,
  );
  expect(refuseSvg(svg('<use><set attributeName="href" to="#a"/></use>'))).toBe(REPEATS);
  const growing = `<!DOCTYPE svg [<!ENTITY a "${"a".repeat(10_000)}">]>${svg("&a;".repeat(3_000))}`;
  expect(refuseSvg(growing)).toBe(REPEATS);
});

test("IMG-12 an SVG that repeats a little is drawn", () => {
  expect(refuseSvg(bomb(8))).toBeNull();
  const names = '<!DOCTYPE svg [<!ENTITY ns_svg "http://www.w3.org/2000/svg">]>';
  const link = `<g id="a"><a href="#a">${RECT}</a></g>`;
  const inner = `<image href="${url(bomb(8))}"/><rect fill="url(#none)" filter="url(#f)"/>`;
  const shadow = '<filter id="f"><feDropShadow/></filter>';
  const arrow = `<marker id="m">${RECT}</marker><path marker-end="url(#m)" d="M0 0${"h1".repeat(9_000)}"/>`;
  expect(refuseSvg(svg(arrow + '<path style="marker:url(#m)" d="M0 0h9v9z"/>'))).toBeNull();
  expect(refuseSvg(svg(`<path style="marker:none" d="${"h1".repeat(2_000_000)}"/>`))).toBeNull();
  expect(refuseSvg(names + svg(link + inner + shadow))).toBeNull();
});

test("IMG-12 the check of an SVG picture reads its file, and adds nothing", async () => {
  const check = async (text: string) => {
    const parts = [];
    for await (const part of readParts({ picture: new Blob([text]) })) parts.push(part);
    return parts;
  };
  expect(await check(bomb(8))).toEqual([{ objects: [] }, { end: { ok: true, leftOut: {} } }]);
  expect(await check(bomb(40))).toEqual([{ end: { ok: false, reason: REPEATS } }]);
  expect(await check(svg("<g>"))).toEqual([
    { end: { ok: false, reason: "it is not well-formed" } },
  ]);
});

test("IMG-12 the check ends soon for text that is made to slow it down", () => {
  for (const text of [
    ...["<!ENTITY ".repeat(300_000), '<!ENTITY "'.repeat(300_000)],
    svg(`<style>${"data:image/svg+xml".repeat(200_000)}</style>`),
    svg(`<g style="${"url(".repeat(500_000)}"/>`),
    svg(`<style>${"@import--url(".repeat(300_000)}</style>`),
    ...["<?xml-stylesheet ".repeat(200_000), `${"<!ENTITY a '".repeat(200_000)}"`],
    svg(`<!--${"<?xml-stylesheet ".repeat(200_000)}-->${"&a".repeat(500_000)}`),
  ])
    expect([null, REPEATS, "it is cut off", "it is not well-formed"]).toContain(refuseSvg(text));
});
