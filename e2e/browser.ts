import { BROWSER_ARGS, findBrowser } from "../scripts/browser.mjs";

const executablePath = await findBrowser();

/**
 * Parts of the browser's own window that are pages: each new window, and so each visitor, would cost a second
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

/** The features that Playwright switches off, as far as they matter here: only the last list that the browser is given counts. */
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
 * The feature that parses a script while it is being received. The tests' scripts are in the cache, and without it a
 * page gets them compiled, as the last page of its renderer left them, which saves a twentieth of a visit.
 */
const COMPILER = ["ScriptStreaming"];

/**
 * The switches for painting without OpenGL, which a machine without a graphics card would emulate: the tests compare
 * pixels, whoever paints them, and a visit takes less work.
 */
const PAINTING = ["--disable-gpu", "--disable-software-rasterizer"];

/**
 * The switch by which the pages of a context share one renderer. Chromium else starts another one for each page before
 * it knows the page's site, and throws it away: an eighth of the work of a visit.
 */
const PROCESSES = ["--renderer-process-limit=1"];

/** The options with which every browser of the end-to-end tests is started. Without a path, Playwright says what is missing. */
export const BROWSER = {
  args: [
    ...BROWSER_ARGS,
    ...PAINTING,
    ...PROCESSES,
    `--disable-features=${[...PLAYWRIGHT, ...WINDOW_PAGES, ...COMPILER].join(",")}`,
  ],
  ...(executablePath === null ? {} : { executablePath }),
};
