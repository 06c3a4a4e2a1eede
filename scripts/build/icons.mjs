/** `npm run icons`: the page's icons and the picture of its links, made from web/public/favicon.svg. */

import "../node-version.mjs";

const { readFileSync, writeFileSync } = await import("node:fs");
const { crc32, deflateSync } = await import("node:zlib");
const { join } = await import("node:path");
const { chromium } = await import("@playwright/test");
const { BROWSER_ARGS, findBrowser } = await import("../browser.mjs");
const { ROOT } = await import("../root.mjs");

const PUBLIC = join(ROOT, "web/public");
/** Of one picture. */
const COLORS = 64;
const INDIGO = "#3a36c9";
const svg = readFileSync(join(PUBLIC, "favicon.svg"), "utf8");

/** Sizes in pixels. `full`: the system cuts its own shape out, so the colour goes to the edge and the sign stays inside. */
const ICONS = /** @type {const} */ ([
  ["icon-192.png", 192, false],
  ["icon-512.png", 512, false],
  ["icon-maskable.png", 512, true],
  ["apple-touch-icon.png", 180, true],
]);

const executablePath = await findBrowser();
const browser = await chromium.launch({
  args: BROWSER_ARGS,
  ...(executablePath ? { executablePath } : {}),
});
try {
  for (const [name, size, full] of ICONS) {
    const sign = full ? svg.replace(/ rx="[^"]*"/, "") : svg;
    await shoot(name, { width: size, height: size }, full ? scaled(sign) : sign);
  }
  await shoot("social.png", { width: 1200, height: 630 }, social());
} finally {
  await browser.close();
}

/** The sign at 80 %, on the colour. @param {string} sign */
function scaled(sign) {
  const inner = sign.replace(/<\/?svg[^>]*>/g, "").replace(/<rect[^>]*>/, "");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
    <rect width="32" height="32" fill="${INDIGO}"/>
    <g transform="translate(3.2 3.2) scale(0.8)">${inner}</g>
  </svg>`;
}

/** A board that two people draw on. The product's name is not in it: it may have another one. */
function social() {
  const pointer = (/** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ color) =>
    `<path d="M${x} ${y}l34 14-15 6-6 15z" fill="${color}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630">
    <rect width="1200" height="630" fill="#fff"/>
    <rect width="1200" height="132" fill="${INDIGO}"/>
    <svg x="40" y="16" width="100" height="100" viewBox="0 0 32 32">${svg.replace(/<\/?svg[^>]*>/g, "").replace(/<rect[^>]*>/, "")}</svg>
    <text x="164" y="84" font-family="Arial, sans-serif" font-size="52" font-weight="700" fill="#fff">Draw together in real-time</text>
    <g fill="none" stroke-width="9" stroke-linecap="round" stroke-linejoin="round">
      <path d="M120 500V330h240v170z" stroke="#45b7d1"/>
      <path d="M95 338l145-120 145 120" stroke="#ff0000"/>
      <path d="M215 500v-90h60v90" stroke="#f39c12"/>
      <circle cx="1010" cy="280" r="62" stroke="#f39c12"/>
      <path d="M70 545q140-40 280 0t280 0 280 0 240 0" stroke="#2ecc71"/>
      <path d="M520 300q40-90 90 0t90 0 90 0 60 20" stroke="#9b59b6"/>
    </g>
    ${pointer(852, 322, "#9b59b6")}${pointer(1066, 300, "#f39c12")}
  </svg>`;
}

/** @param {string} name @param {{ width: number, height: number }} viewport @param {string} picture */
async function shoot(name, viewport, picture) {
  const page = await browser.newPage({ viewport });
  await page.setContent(
    `<style>html, body { margin: 0 } svg { display: block } body > svg { width: 100vw; height: 100vh }</style>${picture}`,
  );
  const shot = await page.screenshot({ omitBackground: true });
  const pixels = await page.evaluate(async (base64) => {
    // oxlint-disable-next-line typescript/no-explicit-any -- this runs in the page, whose types the scripts lack
    const browser = /** @type {any} */ (globalThis);
    const blob = await (await fetch(`data:image/png;base64,${base64}`)).blob();
    const image = await browser.createImageBitmap(blob);
    const context = new browser.OffscreenCanvas(image.width, image.height).getContext("2d");
    context?.drawImage(image, 0, 0);
    return [...(context?.getImageData(0, 0, image.width, image.height).data ?? [])];
  }, shot.toString("base64"));
  writeFileSync(join(PUBLIC, name), encode(viewport, pixels));
  await page.close();
}

/**
 * A PNG with a palette of the most frequent colours, which is a third of the browser's own.
 *
 * @param {{ width: number, height: number }} size
 * @param {readonly number[]} pixels Four bytes each.
 */
function encode({ width, height }, pixels) {
  /** @type {Map<number, number>} */
  const counts = new Map();
  const colors = Array.from({ length: width * height }, (_, at) => {
    const [r = 0, g = 0, b = 0, a = 0] = pixels.slice(4 * at, 4 * at + 4);
    const color = a === 0 ? 0 : ((r << 24) | (g << 16) | (b << 8) | a) >>> 0;
    counts.set(color, (counts.get(color) ?? 0) + 1);
    return color;
  });
  const palette = [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, COLORS)
    .map(([color]) => color);
  /** @type {Map<number, number>} */
  const index = new Map(palette.map((color, at) => [color, at]));
  const rows = Buffer.alloc((width + 1) * height);
  for (const [at, color] of colors.entries()) {
    const known = index.get(color) ?? nearest(palette, color);
    index.set(color, known);
    rows[Math.floor(at / width) * (width + 1) + 1 + (at % width)] = known;
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Eight bits for each pixel, which are an index of the palette.
  head.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", head),
    chunk("PLTE", Buffer.from(palette.flatMap((color) => bytesOf(color).slice(0, 3)))),
    chunk("tRNS", Buffer.from(palette.map((color) => color & 255))),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** @param {number} color */
function bytesOf(color) {
  return [color >>> 24, (color >>> 16) & 255, (color >>> 8) & 255, color & 255];
}

/** @param {readonly number[]} palette @param {number} color */
function nearest(palette, color) {
  const wanted = bytesOf(color);
  const distances = palette.map((one) =>
    bytesOf(one).reduce((sum, value, at) => sum + (value - (wanted[at] ?? 0)) ** 2, 0),
  );
  return distances.indexOf(Math.min(...distances));
}

/** @param {string} type @param {Buffer} data */
function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}
