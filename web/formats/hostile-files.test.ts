/** Reads hundreds of files that nobody should have to open: generated with seeds, and one of each known kind. */

import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { MAX_OBJECTS } from "../../board/limits.ts";
import { decodeText, type ReadDrawing, readDrawing, readParts } from "./read-drawing.ts";
import { looksLikeDrawing } from "./reader.ts";
import { expectSound, svg } from "./reading-bed.case.ts";

const nested = (open: string, close: string, times: number): string =>
  open.repeat(times) + close.repeat(times);

test("UI-54 a file that is no drawing, empty, cut off or too large is refused with one clause", () => {
  const reasons: Readonly<Record<string, string>> = {
    "": "it is empty",
    " \n\t": "it is empty",
    hello: "it is no drawing",
    "7": "it is no drawing",
    null: "it is no drawing",
    "[1,2]": "it is no drawing",
    '{"objects":{}}': "it is no drawing",
    "{}": "it is no drawing",
    '{"objects":[{"type":"Re': "it is cut off",
    "<html><body>hi</body></html>": "it is no drawing",
    "<svg><g>": "it is cut off",
    '<svg><rect width="1': "it is cut off",
    "<svg><!-- ": "it is cut off",
    "<svg></g></svg>": "it is not well-formed",
    "<svg/><svg/>": "it is not well-formed",
    "<": "it is cut off",
    "<!DOCTYPE svg [": "it is cut off",
    "<?xml?>": "it is not well-formed",
    [svg(nested("<g>", "</g>", 200))]: "it is nested too deeply",
    [svg(nested("<g>", "</g>", 100_000))]: "it is nested too deeply",
    [svg("<rect/>".repeat(200_001))]: "it has too many objects",
    [`[${"{},".repeat(MAX_OBJECTS)}{}]`]: "it has more than 100,000 objects",
    [`{"type":"excalidraw","elements":[${"7,".repeat(MAX_OBJECTS)}7]}`]:
      "it has more than 100,000 objects",
    ["x".repeat(10 * 1024 * 1024 + 1)]: "it is larger than 10 MB",
  };
  for (const [text, reason] of Object.entries(reasons))
    expect(readDrawing(text), text.slice(0, 60)).toEqual({ ok: false, reason });
});

test("UI-53 nothing in an SVG file grows, runs, or refers to itself without an end", () => {
  const laughs = Array.from(
    { length: 10 },
    (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`,
  );
  const bomb = `<!DOCTYPE svg [<!ENTITY l0 "lol">${laughs.join("")}<!ENTITY f SYSTEM "file:///etc/passwd">]>`;
  const lol = readDrawing(`${bomb}<svg><text>&l10;&f;x</text></svg>`);
  expect(lol).toMatchObject({ objects: [{ type: "IText", text: "x" }] });
  const uses = (id: string, of: string): string =>
    `<g id="${id}">${`<use href="#${of}"/>`.repeat(10)}</g>`;
  const ids = Array.from({ length: 9 }, (_, at) => uses(`g${at + 1}`, `g${at}`)).join("");
  expect(readDrawing(svg(`<g id="g0"><rect width="1" height="1"/></g>${ids}`))).toEqual({
    ok: false,
    reason: "it has more than 100,000 objects",
  });
  expect(readDrawing(svg('<g id="a"><use href="#a"/></g>'))).toMatchObject({
    leftOut: { reference: 1 },
  });
  const chain = '<linearGradient id="a" href="#b"/><linearGradient id="b" href="#a"/>';
  expect(readDrawing(svg(`${chain}<circle r="1" fill="url(#a)" stroke="red"/>`))).toMatchObject({
    objects: [{}],
  });
  const raised = '<tspan dy="1">a few raised words</tspan>'.repeat(60_000);
  expect(readDrawing(svg(`<text>${raised}</text>`))).toMatchObject({ ok: true });
  const spaces = " ".repeat(300_000);
  for (const text of [
    ...["<!x>".repeat(300_000), "&".repeat(1_000_000), "]".repeat(1_000_000)],
    `<circle r="1" fill="${"url(#x) ".repeat(100_000)}red"/>`,
    `<circle r="1${spaces}!"/><path d="M0${spaces}!"/><g transform="scale${spaces}(1"/>`,
    `<text font-size="1">${"<tspan x='0' dy='1'>x</tspan>".repeat(20_000)}</text>`,
    `<text>${"<tspan x='0' dy='1'>x</tspan>".repeat(20_000)}</text>`,
  ])
    expectSound(readDrawing(`<!DOCTYPE svg>${svg(text)}`));
});

test("UI-28 every repetition in an SVG file counts, up to 20 MB", () => {
  const reason = "it is larger than 20 MB with what it repeats";
  const uses = (times: number): string => '<use href="#a"/>'.repeat(times);
  const points = `<polyline id="a" points="${"1,2 ".repeat(1_000_000)}"/>`;
  expect(readDrawing(svg(points + uses(4)))).toMatchObject({ ok: true, leftOut: { value: 5 } });
  expect(readDrawing(svg(points + uses(20_000)))).toEqual({ ok: false, reason });
  const words = `<text id="a">${`<tspan>a<tspan>${"b".repeat(5_000)}</tspan></tspan>`.repeat(20)}</text>`;
  expect(readDrawing(svg(words + uses(100)))).toMatchObject({ ok: true });
  expect(readDrawing(svg(words + uses(300)))).toEqual({ ok: false, reason });
  const stops = `<linearGradient id="g" href="#h"/><linearGradient id="h">${`<stop id="${"x".repeat(1_000)}"/>`.repeat(10)}</linearGradient>`;
  const painted = '<rect id="a" width="1" height="1" fill="url(#g)" stroke="url(#g)"/>';
  expect(readDrawing(svg(stops + painted + uses(500)))).toMatchObject({ ok: true });
  expect(readDrawing(svg(stops + painted + uses(1_500)))).toEqual({ ok: false, reason });
  const symbol = `<symbol id="a" class="${"x".repeat(100_000)}"><circle r="1"/></symbol>`;
  expect(readDrawing(svg(symbol + uses(100)))).toMatchObject({ ok: true });
  expect(readDrawing(svg(symbol + uses(300)))).toEqual({ ok: false, reason });
  // Nothing is drawn, and it is read all the same.
  const groups = `<g id="g0" x="${"x".repeat(10_000)}"/>${[1, 2, 3, 4, 5, 6].map((at) => `<g id="g${at}">${`<use href="#g${at - 1}"/>`.repeat(12)}</g>`).join("")}`;
  expect(readDrawing(svg(groups))).toEqual({ ok: false, reason });
});

test("UI-28 values that every element inherits are short, and a text has a limit of lines", () => {
  const rect = '<rect width="1" height="1"/>';
  const inherited = (value: string): unknown => {
    const read = readDrawing(svg(`<g stroke="red" stroke-dasharray="${value}">${rect}</g>`));
    return read.ok && read.objects.map((object) => object["strokeDashArray"]);
  };
  const dashes = Array<number>(64).fill(1);
  const line = (value: string): string => `<g stroke="red">${value}</g>`;
  expect(inherited("1 1".padEnd(500))).toEqual([[1, 1]]);
  expect(inherited("1 1".padEnd(501))).toEqual([undefined]);
  const short = readDrawing(svg(line(`<g stroke-dasharray="${dashes.join(" ")}">${rect}</g>`)));
  expect(short).toMatchObject({ objects: [{ strokeDashArray: dashes }] });
  const long = readDrawing(svg(line(`<g style="fill:url(#${"x".repeat(500)}) blue">${rect}</g>`)));
  expect(long).toMatchObject({ objects: [{ stroke: "red" }] });
  const lines = (count: number): ReadDrawing =>
    readDrawing(svg(`<text>${'<tspan x="0" y="1">x</tspan>'.repeat(count)}</text>`));
  expect(lines(10_000)).toMatchObject({ ok: true, leftOut: {} });
  expect(lines(10_001)).toEqual({ ok: true, objects: [], leftOut: { value: 1 } });
});

test("UI-28 a parsed drawing arrives in parts of 100,000 characters, whole and in order", async () => {
  const list = Array.from({ length: 3_000 }, (_, at) => ({ type: "Rect", width: 1, left: at }));
  const path = { type: "Path", path: `M0 0${"l1 1 ".repeat(50_000)}` };
  const text = JSON.stringify({ version: "7.4.0", objects: [...list, path, ...list] });
  const read = async (source: Blob | string) => {
    const objects: (readonly unknown[])[] = [];
    const ends: unknown[] = [];
    for await (const part of readParts(source))
      if ("end" in part) ends.push(part.end);
      else objects.push(part.objects);
    return { objects, ends };
  };
  for (const source of [text, new Blob([text])]) {
    const { objects, ends } = await read(source);
    expect(ends).toEqual([{ ok: true, leftOut: {} }]);
    expect({ ok: true, objects: objects.flat(), leftOut: {} }).toEqual(readDrawing(text));
    for (const part of objects) {
      const [, ...before] = part.map((object) => JSON.stringify(object).length).toReversed();
      expect(before.reduce((sum, length) => sum + length, 0)).toBeLessThan(100_000);
    }
  }
  const refused = (reason: string) => ({ objects: [], ends: [{ ok: false, reason }] });
  const tooLarge = new Blob(["x".repeat(10 * 1024 * 1024 + 1)]);
  expect(await read(tooLarge)).toEqual(refused("it is larger than 10 MB"));
  expect(await read(new Blob())).toEqual(refused("it is empty"));
});

test("UI-53 prototype keys, absurd numbers and external references have no effect", () => {
  const rect = '"type":"Rect","width":1,"height":1';
  for (const text of [
    `{"objects":[{${rect},"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}]}`,
    `{"__proto__":{"objects":[]},"objects":[{${rect}}]}`,
    `[{${rect},"left":1e308,"top":-1e308}]`,
    `[{"type":"__proto__"},{"type":"constructor"},{"type":{}},{"type":"toString"}]`,
    `{"type":"excalidraw","elements":[{"type":"__proto__"},{"type":"rectangle","x":1e308,"y":0,"width":-1,"height":1},{"__proto__":{"type":"text"}}]}`,
    `{"objects":${nested("[", "]", 50_000)}}`,
    `{"objects":[${nested('{"type":"group","objects":[', "]}", 5_000)}]}`,
    svg('<rect width="1e400" height="1"/><circle r="NaN"/><path d="M1e9 0L-1e9 1e999"/>'),
    svg('<rect width="1" height="1" transform="scale(1e200) scale(1e200)" stroke-width="1e99"/>'),
    svg(
      '<rect id="__proto__" class="constructor" width="1" height="1" style="__proto__:x;fill:url(http://x/)"/>',
    ),
    svg(
      '<style>@import url(http://x/);.a{fill:url(javascript:1)}</style><rect class="a" width="1" height="1"/>',
    ),
    svg(
      '<use href="http://x/y.svg#a"/><image href="file:///etc/passwd"/><script href="http://x/"/>',
    ),
  ]) {
    const result = readDrawing(text);
    expectSound(result);
    expect(JSON.stringify(result)).not.toMatch(/http|file:|javascript|polluted/);
  }
});

test("UI-53 bytes become text in UTF-8, UTF-16, or as an XML declaration says", () => {
  const bytes = (text: string, encoding: BufferEncoding): Uint8Array => Buffer.from(text, encoding);
  expect(decodeText(bytes("ä{}", "utf8"))).toEqual({ text: "ä{}" });
  expect(decodeText(bytes("\ufeff{}", "utf8"))).toEqual({ text: "{}" });
  expect(decodeText(bytes("\ufeffä", "utf16le"))).toEqual({ text: "ä" });
  expect(decodeText(bytes('<?xml version="1.0" encoding="ISO-8859-1"?>ä', "latin1"))).toMatchObject(
    {
      text: expect.stringMatching(/ä$/),
    },
  );
  const refused = { reason: "it is no text in UTF-8" };
  for (const one of [
    [0xff, 0x80],
    [0x89, 0x50, 0x4e, 0x47, 0],
    [0, 0, 0],
  ])
    expect(decodeText(Uint8Array.from(one))).toEqual(refused);
  expect(decodeText(bytes('<?xml encoding="nonsense"?>ä', "latin1"))).toEqual(refused);
  expect(decodeText(new Uint8Array(10 * 1024 * 1024 + 1))).toEqual({
    reason: "it is larger than 10 MB",
  });
});

test("UI-53 a text that is pasted is taken for a drawing only when it looks like one", () => {
  for (const text of [
    svg(""),
    `<?xml version="1.0"?>\n${svg("")}`,
    '{"objects":[]}',
    ' {"a":1,"elements": []}',
  ])
    expect(looksLikeDrawing(text)).toBe(true);
  for (const text of ["hello", "<b>bold</b>", "[1,2]", "{ }", "an <svg> element", "2 < 3"])
    expect(looksLikeDrawing(text)).toBe(false);
});

test("UI-54 a text of Excalidraw that is no text is left out, whatever it is instead", () => {
  for (const text of [{ toString: null, valueOf: 1 }, [["a"]], 7, null]) {
    const elements = [{ type: "text", x: 0, y: 0, width: 9, height: 9, fontSize: 20, text }];
    const read = readDrawing(JSON.stringify({ type: "excalidraw", elements }));
    expect(read).toEqual({ ok: true, objects: [], leftOut: { value: 1 } });
  }
});

test("UI-192 a compressed SVG file is unpacked, up to the limit of a drawing, and one that is damaged is refused", async () => {
  const read = async (bytes: Uint8Array<ArrayBuffer>): Promise<unknown> => {
    const parts = [];
    for await (const part of readParts(new Blob([bytes]))) parts.push(part);
    return parts;
  };
  const packed = gzipSync(svg('<rect width="1" height="1"/>'));
  expect(await read(packed)).toMatchObject([
    { objects: [{ type: "Rect" }] },
    { end: { ok: true } },
  ]);
  expect(await read(packed.subarray(0, 30))).toMatchObject([{ end: { ok: false } }]);
  const bomb = gzipSync(new Uint8Array(40 * 1024 * 1024));
  expect(await read(bomb)).toEqual([{ end: { ok: false, reason: "it is larger than 10 MB" } }]);
});

test("UI-192 a file of tldraw is refused with the way in which it can be added", () => {
  const file = JSON.stringify({ tldrawFileFormatVersion: 1, schema: {}, records: [] });
  expect(readDrawing(file)).toEqual({
    ok: false,
    reason: "it is a drawing of tldraw: export it there as SVG",
  });
});
