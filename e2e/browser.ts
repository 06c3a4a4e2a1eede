import { BROWSER_ARGS, findBrowser } from "../scripts/browser.mjs";

const executablePath = await findBrowser();

/**
 * Parts of the browser's own window that are pages: each new window, which is each visitor, would cost a second
 * renderer, half of what the visitor's page costs.
 */
const WINDOW_PAGES = [
  "InitialWebUI",
  "PreloadTopChromeWebUI",
  "WebUIBackForwardButton",
  "WebUIHomeButton",
  "WebUILocationBar",
  "WebUIReloadButton",
  "WebUISplitTabsButton",
  "WebUIToolbar",
];

/** What Playwright switches off, as far as it matters here: the last list that the browser is given is the one that counts. */
const PLAYWRIGHT = [
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "ThirdPartyStoragePartitioning",
];

/**
 * Parsing while a script is being received: the tests' scripts come from the cache, and without it a page takes them as
 * the last one of its renderer left them, compiled, which saves a twentieth of a visit.
 */
const COMPILER = ["ScriptStreaming"];

/** How every browser of the end-to-end tests is started. Without a path, Playwright says what is missing. */
export const BROWSER = {
  args: [
    ...BROWSER_ARGS,
    `--disable-features=${[...PLAYWRIGHT, ...WINDOW_PAGES, ...COMPILER].join(",")}`,
  ],
  ...(executablePath === null ? {} : { executablePath }),
};
