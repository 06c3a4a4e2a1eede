import { readdirSync, readFileSync } from "node:fs";

const assets = readdirSync(new URL("dist/web/assets/", import.meta.url));

/**
 * The first load is what index.html names (the page's script and styles, the chunks that it preloads and those that
 * its script has fetched), and the board's code, which the script loads when the page is painted. Our own code is
 * what is in none of the chunks of libraries (`vendor-`).
 */
const html = readFileSync(new URL("dist/web/index.html", import.meta.url), "utf8");
const first = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].map(
  (match) => `dist/web/${match[1]}`,
);
const board = assets.filter((name) => /^board-code-.*\.js$/.test(name));
first.push(...board.map((name) => `dist/web/assets/${name}`));
const own = first.filter((path) => !path.includes("/vendor-"));
if (own.length < 2 || own.length === first.length || board.length !== 1)
  throw new Error("index.html names no chunks of both kinds, or there is no code of the board");

/** A visitor loads one of them at most. */
const languages = assets
  .filter((name) => /^language-.*\.js$/.test(name))
  .map((name) => `dist/web/assets/${name}`);

export default [
  { name: "first load: script and style", path: first, gzip: true, limit: "230 kB" },
  { name: "first load: our own code", path: own, gzip: true, limit: "90 kB" },
  {
    name: "everything, with what is loaded later",
    path: ["dist/web/assets/*.js", "dist/web/assets/*.css", "!dist/web/assets/language-*.js"],
    gzip: true,
    limit: "452 kB",
  },
  ...languages.map((path) => ({ name: `texts: ${path}`, path, gzip: true, limit: "14 kB" })),
];
