/** The environment of the page in a browser. */

import { DEFAULT_PRODUCT_NAME } from "../../board/constants.ts";
import type { SyncClient } from "../sync/port.ts";
import { focusCanvas } from "./controller/useCanvasFocus.ts";
import { fetchConfig, type PageConfig } from "./board/config.ts";
import type { PageEnvironment } from "./board/environment.ts";
import { BASE_PATH } from "./page/base-path.ts";
import { watchFetchAhead } from "./board/fetch-ahead.ts";
import { attempt } from "./page/attempt.ts";
import { noteOwnPage, ownPerson } from "./controller/own-pages.ts";
import { preference } from "./kit/preferences.ts";
import { boardLink } from "./link/board-link.ts";

/** The server wrote the configured name into index.html, so it is known before any request. */
const servedName = document.title.trim() || DEFAULT_PRODUCT_NAME;

/** The request for the configuration, made as soon as the page runs; index.html has the browser fetch it even earlier. */
let earlyConfig: Promise<PageConfig> | null = fetchConfig(BASE_PATH);
earlyConfig.catch(() => undefined);

function loadConfig(): Promise<PageConfig> {
  const config = earlyConfig ?? fetchConfig(BASE_PATH);
  earlyConfig = null;
  return config;
}

const fetchAhead = watchFetchAhead();

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function released(host: HTMLElement): Promise<void> {
  while (host.matches(":active")) await pause(100);
}

/** Resolves when header and dock are on the screen: immediately in a background tab, and after a second in any case. */
const painted = new Promise<void>((resolve) => {
  new PerformanceObserver((list, observer) => {
    if (!list.getEntriesByName("first-contentful-paint")[0]) return;
    observer.disconnect();
    resolve();
  }).observe({ type: "paint", buffered: true });
  setTimeout(resolve, document.hidden ? 0 : 1_000);
});

/** Loads sync client and canvas, in one chunk. Fetched earlier, it would delay the code that the first paint needs. */
const loadBoardCode = () => painted.then(() => import("./board/code.ts"));

/** Calls the code that shows toasts, which arrives when the board is ready (BoardFeatures.tsx), or for the first of them. */
export async function withNotices<T>(
  work: (code: typeof import("./notices/list.ts")) => T,
): Promise<T | undefined> {
  try {
    return work(await import("./notices/list.ts"));
  } catch (reason) {
    console.error("a notice could not be shown:", reason);
    return undefined;
  }
}

/** Makes the environment. Configuration and code are fetched when they are requested, the configuration even before. */
export function browserEnvironment(): PageEnvironment {
  return {
    address: location.origin + BASE_PATH.slice(0, -1),
    productName: servedName,
    loads: {
      config: loadConfig,
      async syncClient() {
        const { createSyncClient } = await loadBoardCode();
        return (config) => {
          const client = createSyncClient({ ...config, current: loadConfig, link: boardLink() });
          noteOwnPage(client.clientId);
          client.rename(preference("name"), ownPerson());
          return inspectable(client);
        };
      },
      canvas: async () => (await loadBoardCode()).createBoardCanvas,
    },
    notices: {
      show: (...notice) => void withNotices(({ showNotice }) => showNotice(...notice)),
      showDone(notice) {
        const removing = withNotices(({ showDone }) => showDone(notice));
        return () => void removing.then((remove) => remove?.());
      },
    },
    focusCanvas,
    fetchAhead,
    startTimer(work, ms) {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
    random: Math.random,
    released,
    log: (what, reason) => console.error(`${what}:`, reason),
  };
}

/** The key in local storage that, set to "1", makes the sync client accessible as `window.inkpool`, for debugging and tests. */
const DEBUG_KEY = "inkpool:debug";

/** Returns the client, and makes it global in a browser that was set up for it; otherwise nothing of the page is global. */
function inspectable(client: SyncClient): SyncClient {
  const value = attempt(() => localStorage.getItem(DEBUG_KEY));
  if (value === "1") Object.assign(window, { inkpool: client });
  return client;
}
