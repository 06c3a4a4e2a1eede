/** Generates files that nobody should have to open from seeds, in each format that the page reads. */

import type { Random } from "../random/random.ts";

/** The formats, each with a function that makes one object of a file, and one that makes a file of objects. */
export const HOSTILE_FILES = {
  SVG: svgFile,
  Excalidraw: excalidrawFile,
  Fabric: fabricFile,
} as const;

export type HostileFormat = keyof typeof HOSTILE_FILES;

/** Returns a small file, which may also be damaged. */
export function hostileFile(format: HostileFormat, random: Random): string {
  const text = HOSTILE_FILES[format](random.integer(1, 8), random);
  return random.boolean(0.5) ? damaged(text, random) : text;
}

function times<T>(count: number, make: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => make(at));
}

const NASTY = [
  ...["NaN", "1e999", "-1e308", "null", "{}", "[]", '"', "'", "<", ">", "&#0;", "&#x110000;"],
  ...["]]>", "__proto__", "constructor", "url(#g)", "url(http://x)", "\0", "\ud800", "<script>"],
  ...["/>", "-->", "<![CDATA[", "<!DOCTYPE x [", '"type":"Group","objects":[', "9".repeat(400)],
  "matrix(0 0 0 0 0 0)",
];

/** Returns the text with some of it replaced by text that breaks readers, or cut off. */
export function damaged(text: string, random: Random): string {
  let result = text;
  for (let times = random.integer(1, 4); times > 0; times--) {
    const at = random.integer(0, result.length);
    const until = random.boolean(0.5) ? at : Math.min(result.length, at + random.integer(1, 20));
    result = result.slice(0, at) + random.pick(NASTY) + result.slice(until);
  }
  return random.boolean(0.1) ? result.slice(0, random.integer(0, result.length)) : result;
}

/** Returns a number of JSON, mostly of a size that occurs in drawings. */
function number(random: Random): number {
  if (random.boolean(0.99)) return random.integer(-500, 500);
  return random.pick([0, -0, 1e-300, 1e9, -1e9, 1e308, 0.1 + 0.2, 2 ** 53, -1]);
}

/** Returns a value of JSON that a property hardly expects. */
function wrong(random: Random): unknown {
  const long = "x".repeat(random.integer(0, 2_000));
  return random.pick([
    ...[null, true, "", long, [], {}, [[]], "__proto__", { constructor: { prototype: {} } }],
    ...["url(http://x/)", "#12", "rgb(1e9,-1,NaN)", number(random), [number(random), null]],
  ]);
}

const size = (random: Random): number => Math.abs(number(random));
const scale = (random: Random): number => random.pick([1, 1, 1, 2, 0.5, -1, 0, 9]);

function colorOf(random: Random): unknown {
  if (random.boolean(0.02)) return wrong(random);
  return random.pick(["red", "#1e1e1e", "transparent", "hsl(0, 0%, 0%)", null]);
}

/** Returns the properties, some left out and some replaced. */
function shaken(props: Readonly<Record<string, unknown>>, random: Random): Record<string, unknown> {
  const rest = Object.entries(props).filter(() => random.boolean(0.98));
  return Object.fromEntries(
    rest.map(([name, value]) => [name, random.boolean(0.02) ? wrong(random) : value]),
  );
}

const numbers = (random: Random, count: number): number[] => times(count, () => number(random));

function svgFile(count: number, random: Random): string {
  const objects = times(count, () => svgObject(random)).join("");
  return `<svg xmlns="http://www.w3.org/2000/svg">${objects}</svg>`;
}

/** Returns a well-formed object, whatever its values; elements refer to each other and to themselves. */
function svgObject(random: Random, depth = 0): string {
  const name = random.pick([
    ...["rect", "circle", "ellipse", "line", "polyline", "polygon", "path", "text", "use", "use"],
    ...["g", "svg", "symbol", "defs", "linearGradient", "radialGradient", "style", "image", "x:y"],
    ...["foreignObject", "switch"],
  ]);
  const own = Object.entries(SVG_VALUES)
    .filter(() => random.boolean(0.3))
    .map(([key, value]) => ` ${key}="${value(random)}"`);
  const inner = (): string => {
    if (name === "text") return words(random);
    if (name === "foreignObject") return page(random);
    if (name === "style") return `.k1{fill:url(#i1);stroke:red}.k2,#i3{${"opacity:.5;".repeat(9)}`;
    if (name.endsWith("Gradient")) return '<stop offset="-1"/>'.repeat(random.integer(0, 120));
    if (depth > 3) return "";
    const count = random.integer(0, 3);
    return times(count, () => svgObject(random, depth + 1)).join("");
  };
  return `<${name}${own.join("")}>${inner()}</${name}>`;
}

const id = (random: Random): string => `i${random.integer(1, 5)}`;
const length = (random: Random): string =>
  random.boolean(0.9)
    ? String(Math.abs(number(random)))
    : random.pick(["-1", "1e400", "50%", "9".repeat(600), "1 ".repeat(300), "3q", ""]);
const paint = (random: Random): string =>
  random.pick(["red", "none", `url(#${id(random)})`, "currentColor", `url(#${" ".repeat(400)}`]);

const SVG_VALUES: Readonly<Record<string, (random: Random) => string>> = {
  id,
  class: (random) => `k${random.integer(1, 3)} `.repeat(random.integer(1, 30)),
  href: (random) => `#${id(random)}`,
  ...{ x: length, y: length, width: length, height: length, r: length, rx: length, ry: length },
  ...{ cx: length, cy: length, x1: length, y2: length, "stroke-width": length, opacity: length },
  ...{ fill: paint, stroke: paint, color: paint, "font-size": length, "font-family": length },
  points: (random) => numbers(random, random.integer(0, 300)).join(" "),
  d: (random) =>
    `M0 0${random.pick(["L", "Q", "c", "A", "z", "T", "h"])}${numbers(random, random.integer(0, 60)).join(" ")}`,
  transform: (random) =>
    `${random.pick(["matrix", "scale", "rotate", "skewX", "translate"])}(${numbers(random, random.integer(0, 6)).join()})`.repeat(
      random.integer(1, 3),
    ),
  style: (random) =>
    `fill:${paint(random)};stroke-dasharray:${"1 ".repeat(random.integer(0, 300))}`,
  viewBox: (random) => numbers(random, 4).join(" "),
};

function words(random: Random): string {
  return random.boolean(0.5)
    ? "words ".repeat(random.integer(0, 400))
    : `<tspan x="1" dy="${length(random)}">&#1;&lt;x</tspan>`.repeat(random.integer(0, 50));
}

function page(random: Random, depth = 0): string {
  const name = random.pick(["div", "p", "span", "b", "br", "pre", "img"]);
  const box = `display:flex;width:${length(random)};padding-top:${length(random)};line-height:${length(random)}`;
  const style = random.pick([box, "white-space:pre", "", `align-items:${" ".repeat(300)}end`]);
  const inner =
    depth > 3
      ? words(random).replaceAll("tspan", "i")
      : times(random.integer(0, 3), () => page(random, depth + 1)).join("\n");
  return `<${name} style="${style}">${inner}</${name}>`;
}

function excalidrawFile(count: number, random: Random): string {
  const elements = times(count, () => excalidrawObject(random));
  return JSON.stringify({ type: "excalidraw", version: 2, elements, appState: {}, files: {} });
}

function excalidrawObject(random: Random): unknown {
  if (random.boolean(0.03)) return wrong(random);
  const point = (): unknown => (random.boolean(0.999) ? numbers(random, 2) : wrong(random));
  return shaken(
    {
      type: random.pick([
        ...["rectangle", "ellipse", "diamond", "line", "arrow", "freedraw", "text", "image"],
        ...["frame", "iframe", "selection", "__proto__"],
      ]),
      ...{ x: number(random), y: number(random), width: size(random), height: size(random) },
      ...{ angle: number(random), opacity: random.integer(0, 101), strokeWidth: size(random) },
      ...{ strokeColor: colorOf(random), backgroundColor: colorOf(random) },
      ...{
        strokeStyle: random.pick(["solid", "dashed", "dotted"]),
        isDeleted: random.boolean(0.1),
      },
      roundness: random.pick([null, { type: 1 }, { type: 2 }]),
      points: times(random.integer(0, 300), point),
      ...{ startArrowhead: "bar", endArrowhead: random.pick([null, "arrow", "triangle", "x"]) },
      ...{ text: "words\n".repeat(random.integer(0, 60)), fontSize: size(random), fontFamily: 3 },
      ...{ textAlign: random.pick(["left", "center", "right", "x"]), lineHeight: random.next() },
    },
    random,
  );
}

function fabricFile(count: number, random: Random): string {
  const objects = times(count, () => fabricObject(random));
  return JSON.stringify({ version: "5.3.0", objects, background: "url(http://x/)" });
}

const FABRIC_TYPES = [
  ...["rect", "circle", "ellipse", "triangle", "line", "polygon", "polyline", "path", "i-text"],
  ...["textbox", "group", "activeSelection", "image", "Rect", "Path", "Group", "IText", "toString"],
];

function fabricObject(random: Random, depth = 0): unknown {
  if (random.boolean(0.03)) return wrong(random);
  const type = random.pick(FABRIC_TYPES);
  const inner = (): unknown => fabricObject(random, depth + 1);
  const nested = /group|selection/i.test(type) && depth < 10;
  return shaken(
    {
      type,
      ...{
        left: number(random),
        top: number(random),
        width: size(random),
        height: size(random),
      },
      ...{ scaleX: scale(random), scaleY: scale(random), angle: number(random), skewX: 30 },
      ...{ radius: size(random), rx: size(random), ry: size(random) },
      ...{ startAngle: random.next(), endAngle: random.next(), strokeWidth: size(random) },
      ...{ fill: fabricPaint(random), stroke: fabricPaint(random), opacity: random.next() },
      ...{ version: random.pick(["4.6.0", "5.3.0", "7.4.0", "x"]), eraser: random.boolean(0.1) },
      ...{
        shadow: { blur: size(random), color: colorOf(random) },
        strokeDashArray: random.pick([[], [1, 2]]),
      },
      points: times(random.integer(0, 100), () => ({ x: number(random), y: 1 })),
      path: times(random.integer(1, 60), (at) => [
        at === 0 ? "M" : random.pick(["L", "Q", "C", "z", "A", "l"]),
        ...numbers(random, random.pick([0, 2, 2, 4, 6, 7])),
      ]),
      ...{ text: "words\n".repeat(random.integer(0, 60)), fontSize: size(random) },
      styles: random.boolean(0.5)
        ? [{ start: 0, end: 1e6, style: { fill: "red" } }]
        : { 0: { 0: {} } },
      ...(depth < 3 && random.boolean(0.1) && { clipPath: inner() }),
      ...(nested && { objects: times(random.integer(0, 5), inner) }),
    },
    random,
  );
}

function fabricPaint(random: Random): unknown {
  if (random.boolean(0.7)) return colorOf(random);
  const colorStops = times(random.integer(0, 101), () => ({
    ...{ offset: random.next(), color: "red" },
  }));
  const type = random.pick(["linear", "radial", "pattern"]);
  const coords = { x1: 0, y1: 0, x2: number(random), y2: 1, r1: size(random), r2: 1 };
  return { type, coords, colorStops, source: "http://x/y.png" };
}
