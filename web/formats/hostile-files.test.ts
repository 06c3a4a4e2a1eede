/** Files by the hundred that nobody should have to open: generated with seeds, and one of each known kind. */

import { expect, test } from "vitest";
import { MAX_OBJECTS } from "../../board/limits.ts";
import { parseDrawing } from "../../board/parse.ts";
import { createRandom, type Random } from "../../testing/random/random.ts";
import { leftOutSentences } from "./left-out.ts";
import { decodeText, looksLikeDrawing, type ReadDrawing, readDrawing } from "./read-drawing.ts";

function read(text: string): ReadDrawing {
  const steps = readDrawing(text);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** What was read is well-formed: the parser takes it again as it is. */
function expectSound(result: ReadDrawing): void {
  if (!result.ok) {
    expect(result.reason).toMatch(/^it [^.]{5,80}$/);
    return;
  }
  const again = parseDrawing({ version: "7.4.0", objects: result.objects });
  expect(again).toMatchObject({ ok: true, leftOut: 0 });
  for (const sentence of leftOutSentences(result.leftOut))
    expect(sentence).toMatch(/^[\d,]+ .+: .+\.$/);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
}

const svg = (inner: string): string => `<svg xmlns="http://www.w3.org/2000/svg">${inner}</svg>`;
const nested = (open: string, close: string, times: number): string =>
  open.repeat(times) + close.repeat(times);

test("UI-25 what is no drawing, empty, cut off or too large is refused with one clause", () => {
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
    expect(read(text), text.slice(0, 60)).toEqual({ ok: false, reason });
});

test("UI-25 nothing in an SVG file grows, runs, or refers to itself without an end", () => {
  const laughs = Array.from(
    { length: 10 },
    (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`,
  );
  const bomb = `<!DOCTYPE svg [<!ENTITY l0 "lol">${laughs.join("")}<!ENTITY f SYSTEM "file:///etc/passwd">]>`;
  const lol = read(`${bomb}<svg><text>&l10;&f;x</text></svg>`);
  expect(lol).toMatchObject({ objects: [{ type: "IText", text: "x" }] });
  const uses = (id: string, of: string): string =>
    `<g id="${id}">${`<use href="#${of}"/>`.repeat(10)}</g>`;
  const ids = Array.from({ length: 9 }, (_, at) => uses(`g${at + 1}`, `g${at}`)).join("");
  expect(read(svg(`<g id="g0"><rect width="1" height="1"/></g>${ids}`))).toEqual({
    ok: false,
    reason: "it has too many objects",
  });
  expect(read(svg('<g id="a"><use href="#a"/></g>'))).toMatchObject({ leftOut: { reference: 1 } });
  const chain = '<linearGradient id="a" href="#b"/><linearGradient id="b" href="#a"/>';
  expect(read(svg(`${chain}<circle r="1" fill="url(#a)"/>`))).toMatchObject({ objects: [{}] });
  const spaces = " ".repeat(300_000);
  for (const text of [
    ...["<!x>".repeat(300_000), "&".repeat(1_000_000), "]".repeat(1_000_000)],
    `<circle r="1" fill="${"url(#x) ".repeat(100_000)}red"/>`,
    `<circle r="1${spaces}!"/><path d="M0${spaces}!"/><g transform="scale${spaces}(1"/>`,
    `<text font-size="1">${"<tspan x='0' dy='1'>x</tspan>".repeat(60_000)}</text>`,
    `<text>${"<tspan x='0' dy='1'>x</tspan>".repeat(60_000)}</text>`,
  ])
    expectSound(read(`<!DOCTYPE svg>${svg(text)}`));
});

test("UI-25 prototype keys, absurd numbers and what loads something have no effect", () => {
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
    const result = read(text);
    expectSound(result);
    expect(JSON.stringify(result)).not.toMatch(/http|file:|javascript|polluted/);
  }
});

test("UI-25 bytes become text in UTF-8, UTF-16, or as an XML declaration says", () => {
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

test("UI-25 a text that is pasted is taken for a drawing only when it looks like one", () => {
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

/** A file that is right, for random damage. */
const SOUND = [
  svg(
    '<style>.a{fill:red}</style><g transform="rotate(10 5,5)" opacity=".5"><rect class="a" x="1" y="2" width="3" height="4"/><path d="M0 0C1 2 3 4 5 6s7 8 9 10z" stroke="#123" stroke-dasharray="1 2"/><text x="1" y="2" font-size="12">words<tspan dy="1em" x="1">more</tspan></text><use href="#x"/></g><circle id="x" r="4" fill="url(#g)"/><linearGradient id="g"><stop offset="1"/></linearGradient>',
  ),
  JSON.stringify({
    ...{ type: "excalidraw", version: 2, appState: {}, files: {} },
    elements: [
      { type: "rectangle", x: 1, y: 2, width: 30, height: 40, angle: 0.5, strokeColor: "#1e1e1e" },
      {
        type: "arrow",
        x: 1,
        y: 2,
        points: [
          [0, 0],
          [10, 20],
          [30, 5],
        ],
        roundness: { type: 2 },
      },
      {
        type: "freedraw",
        x: 1,
        y: 2,
        points: [
          [0, 0],
          [1, 2],
        ],
        strokeWidth: 1,
        opacity: 40,
      },
      { type: "text", x: 1, y: 2, width: 3, height: 4, text: "hi", fontSize: 20, fontFamily: 1 },
    ],
  }),
  JSON.stringify({
    version: "5.3.0",
    objects: [
      { type: "rect", left: 1, top: 2, width: 3, height: 4, fill: "red", shadow: { blur: 3 } },
      {
        type: "group",
        objects: [
          { type: "circle", radius: 5 },
          { type: "image", src: "x" },
        ],
      },
      {
        type: "path",
        path: [
          ["M", 0, 0],
          ["Q", 1, 2, 3, 4],
        ],
        stroke: "#000",
        fill: null,
      },
      { type: "textbox", text: "hi", width: 40, styles: [{ start: 0, end: 1, style: {} }] },
    ],
  }),
] as const;

const NASTY = [
  ...[
    "NaN",
    "1e999",
    "-1e308",
    "null",
    "{}",
    "[]",
    '"',
    "'",
    "<",
    ">",
    "&#0;",
    "&#x110000;",
    "]]>",
  ],
  ...[
    "__proto__",
    "constructor",
    "url(#g)",
    "url(http://x)",
    "\0",
    "\ud800",
    "<script>",
    "/>",
    "-->",
  ],
  ...[
    "<![CDATA[",
    "<!DOCTYPE x [",
    '"type":"Group","objects":[',
    "9".repeat(400),
    "matrix(0 0 0 0 0 0)",
  ],
];

function damaged(text: string, random: Random): string {
  let result = text;
  for (let times = random.integer(1, 4); times > 0; times--) {
    const at = random.integer(0, result.length);
    const until = random.boolean(0.5) ? at : Math.min(result.length, at + random.integer(1, 20));
    result = result.slice(0, at) + random.pick(NASTY) + result.slice(until);
  }
  return random.boolean(0.1) ? result.slice(0, random.integer(0, result.length)) : result;
}

/** The same file with a value somewhere in it replaced. */
function revalued(text: string, random: Random): string {
  const values: unknown[] = [null, -1, 1e308, "x", [], {}, true, [[]], "__proto__", 1e7 + 1, -0.5];
  return JSON.stringify(JSON.parse(text), (_key, value: unknown) =>
    random.boolean(0.06) ? random.pick(values) : value,
  );
}

test("UI-25 600 damaged files are read or refused, and never do harm", () => {
  let added = 0;
  for (let seed = 1; seed <= 600; seed++) {
    const random = createRandom(seed);
    const sound = random.pick(SOUND);
    const isJson = sound.startsWith("{") && random.boolean(0.5);
    const result = read(isJson ? revalued(sound, random) : damaged(sound, random));
    expectSound(result);
    if (result.ok) added += result.objects.length;
  }
  // The damage is small: most files still give something.
  expect(added).toBeGreaterThan(400);
});
