import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as spec from "../../board/constants.ts";
import { STICKERS } from "../../board/stickers.ts";
import * as tools from "../../board/tools.ts";
import { SETTING } from "../environment.mjs";

/** Compares SPEC.md, which repeats board/constants.ts and the tools of board/tools.ts for readers, with them. */

const document = readFileSync(new URL("../../SPEC.md", import.meta.url), "utf8");

/** Returns the rows of the table whose head begins with a word, without the marks of code. */
function table(head: string): readonly (readonly string[])[] {
  const rows = document.split("\n");
  const start = rows.findIndex(
    (row) => row.startsWith(`| ${head} |`) || row.startsWith(`| ${head} `),
  );
  const end = rows.findIndex((row, at) => at > start && !row.startsWith("|"));
  return rows.slice(start + 2, end).map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll("`", "")),
  );
}

test("the numbers", () => {
  const written = table("name").map(([name = "", value]) => [name, Number(value)]);
  expect(written).toEqual(Object.entries(spec.LIMITS));
});

test("the names", () => {
  const named = Object.entries({ ...spec, ...tools }).filter(
    ([, value]) => typeof value === "string",
  );
  expect(new Map(table("constant").map(([name, value]) => [name, value]))).toEqual(new Map(named));
});

test("the texts", () => {
  const { TEXTS } = spec;
  const exact: Record<keyof typeof TEXTS, string> = {
    ...TEXTS,
    cannotSave: TEXTS.cannotSave("{reason}"),
    dataTooLarge: TEXTS.dataTooLarge("X.XX"),
    usersOnline: TEXTS.usersOnline(2).replace("2", "N"),
  };
  expect(table("text").map(([name, text]) => [name, text])).toEqual(Object.entries(exact));
  expect(TEXTS.usersOnline(1)).toBe("1 user online");
});

test("tools, colours and stickers, in their order", () => {
  expect(table("tool")).toEqual(tools.TOOLS.map(({ tool, name, key }) => [tool, name, key]));
  expect(table("colour")).toEqual(spec.COLORS.map(({ name, value }) => [name, value]));
  expect(table("sticker")).toEqual(STICKERS.map(({ emoji, name }) => [emoji, name]));
});

test("the settings of the server are those of the README's table, with their defaults", async () => {
  const { parseSettings, SETTING_NAMES } = await import("../../server/settings/settings.ts");
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const rows = [...readme.matchAll(/^\| `([A-Z_]+)` +\| +`?([^`|]*?)`? *\|/gm)];
  const listed = new Map(rows.map(([, name = "", value = ""]) => [name, value]));
  expect([...listed.keys()]).toEqual(expect.arrayContaining([...SETTING_NAMES]));
  const parsed = parseSettings({}, "/srv");
  if (!parsed.ok) throw new Error(parsed.problems.join());
  const { port, host, productName, logLevel, trustProxy, tableRateLimit } = parsed.settings;
  expect(listed.get("PORT")).toBe(String(port));
  expect(listed.get("HOST")).toBe(host);
  expect(listed.get("PRODUCT_NAME")).toBe(productName);
  expect(listed.get("LOG_LEVEL")).toBe(logLevel);
  expect(listed.get("TRUST_PROXY")).toBe(String(trustProxy));
  expect(listed.get("TABLE_RATE_LIMIT")).toBe(String(tableRateLimit));
});

test("what a test starts gets none of the server's settings, and the rest of the environment", async () => {
  const { SETTING_NAMES } = await import("../../server/settings/settings.ts");
  const { SETTINGS } = await import("../../server/auth/settings/table.ts");
  const { ALIASES, IGNORED, KEY_SETTINGS } = await import("../../server/auth/settings/names.ts");
  const auth = [SETTINGS, ALIASES, IGNORED].flatMap(Object.keys);
  const names = [...SETTING_NAMES, ...KEY_SETTINGS, ...auth, "REALTIME_MESSAGES_PER_SECOND"];
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter((name) => !SETTING.test(name.replace("*", "X")))).toEqual([]);
  expect(["PATH", "HOME", "TMPDIR", "CHROMIUM_PATH"].filter((name) => SETTING.test(name))).toEqual(
    [],
  );
});
