import { readdirSync, readFileSync } from "node:fs";

const assets = readdirSync(new URL("dist/web/assets/", import.meta.url));

/**
 * The first load consists of the files that index.html names (the page's script and styles, and the chunks that it
 * preloads), and the board's code with its imports, which the script loads when the page is painted. Our own code is
 * everything outside the chunks of libraries (`vendor-`).
 */
const html = readFileSync(new URL("dist/web/index.html", import.meta.url), "utf8");
const first = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].map(
  (match) => `dist/web/${match[1]}`,
);
const board = assets
  .filter((name) => /^board-code-.*\.js$/.test(name))
  .map((name) => `dist/web/assets/${name}`);
for (const path of board) {
  const code = readFileSync(new URL(path, import.meta.url), "utf8");
  const imported = [...code.matchAll(/from\s*"\.\/([^"]+\.js)"/g)].map(
    (match) => `dist/web/assets/${match[1]}`,
  );
  first.push(path, ...imported.filter((one) => !first.includes(one)));
}
const own = first.filter((path) => !path.includes("/vendor-"));
if (own.length < 2 || own.length === first.length || board.length !== 1)
  throw new Error("index.html names no chunks of both kinds, or there is no code of the board");

/** The languages' files, of which a visitor loads at most one. */
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
