/** Finds a Chromium for the end-to-end tests, and installs one where there is none. */

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { run, runNode } from "./process.mjs";
import { ROOT } from "./root.mjs";

const CANDIDATES = [
  // This is the browser without its window, which Playwright itself uses: it takes a quarter less work than the whole
  // one.
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/opt/google/chrome/chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];

/**
 * The switches for a browser that tests control: without a sandbox, since a container's root has none, and without
 * the browser's own traffic, which a closed network would refuse over and over.
 */
export const BROWSER_ARGS = [
  "--no-sandbox",
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Returns the path of a Chromium that starts: CHROMIUM_PATH when it is set, or else one of the machine's, or
 * Playwright's own. Null when there is none.
 *
 * @returns {Promise<string | null>}
 */
export async function findBrowser() {
  const given = process.env.CHROMIUM_PATH;
  if (given) return given;
  return CANDIDATES.find((path) => existsSync(path) && starts(path)) ?? (await playwrightBrowser());
}

async function playwrightBrowser() {
  const { chromium } = await import("@playwright/test");
  const path = chromium.executablePath();
  return path && existsSync(path) && starts(path) ? path : null;
}

/**
 * Whether a browser starts. Some systems have a placeholder by that name, and a downloaded browser may lack
 * libraries. @param {string} path
 */
function starts(path) {
  // There `--version` opens a window instead of answering.
  if (process.platform === "win32") return true;
  return spawnSync(path, ["--version"], { timeout: 20_000, stdio: "ignore" }).status === 0;
}

/**
 * Installs a browser: Playwright's, or else (as root on a Debian-like system) the distribution's.
 *
 * @param {(line: string) => void} log
 * @returns {Promise<string | null>} Its path, or null when neither way worked.
 */
export async function installBrowser(log) {
  log("no browser found: installing Playwright's Chromium");
  await runNode(join(ROOT, "node_modules/playwright/cli.js"), ["install", "chromium"], {
    limit: 300_000,
  });
  const own = await playwrightBrowser();
  if (own !== null) return own;
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return null;
  log("that did not work: installing the distribution's Chromium");
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await run("apt-get", ["update", "-qq"], { env });
  const packages = ["chromium", "fonts-noto-color-emoji", "fonts-liberation"];
  await run("apt-get", ["install", "-qq", "-y", "--no-install-recommends", ...packages], { env });
  return findBrowser();
}
