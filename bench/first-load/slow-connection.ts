/** Measures the first load on a telephone of middling speed: how long until something is visible, and until somebody can draw. */

import { chromium } from "@playwright/test";
import { BROWSER_ARGS, findBrowser } from "../../scripts/browser.mjs";

/** The network and the processor that Lighthouse assumes of a telephone. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 200e3, uploadThroughput: 94e3 };
const CPU_SLOWDOWN = 4;

/** A script that runs in the page before its own. It is a text, since the compiler must not change it. */
const WATCH = `{
  const watch = () => {
    if (document.querySelector(".canvas canvas")) window.drawableAt ??= performance.now();
    if (document.querySelector("[role=progressbar]")) window.wasLoading = true;
    else if (window.wasLoading) window.readyAt ??= performance.now();
  };
  new MutationObserver(watch).observe(document, { childList: true, subtree: true });
  window.shift = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) window.shift += value;
  }).observe({ type: "layout-shift", buffered: true });
}`;

/** The results of a visit: milliseconds since its start, and the sum of its layout shifts. */
export interface SlowVisit {
  readonly painted: number;
  readonly drawable: number;
  readonly ready: number;
  readonly shift: number;
}

/** Opens a page for the first time, `runs` times with a new profile each. */
export async function visitSlowly(url: string, runs: number): Promise<SlowVisit[]> {
  const browser = await chromium.launch({
    executablePath: (await findBrowser()) ?? "",
    args: [...BROWSER_ARGS],
  });
  const visits: SlowVisit[] = [];
  try {
    for (let run = 0; run < runs; run += 1) {
      const context = await browser.newContext({
        ...{ viewport: { width: 390, height: 800 }, deviceScaleFactor: 2 },
        ...{ isMobile: true, hasTouch: true },
      });
      const page = await context.newPage();
      const session = await context.newCDPSession(page);
      await session.send("Network.enable");
      await session.send("Network.emulateNetworkConditions", NETWORK);
      await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
      await page.addInitScript(WATCH);
      await page.goto(url, { waitUntil: "commit" });
      const read = () =>
        page.evaluate<SlowVisit & { readonly isReady: boolean }>(`({
          painted: performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
          drawable: window.drawableAt, ready: window.readyAt, shift: window.shift,
          isReady: window.readyAt !== undefined,
        })`);
      let visit = await read();
      while (!visit.isReady) {
        await page.waitForTimeout(100);
        visit = await read();
      }
      visits.push(visit);
      await context.close();
    }
  } finally {
    await browser.close();
  }
  return visits;
}
