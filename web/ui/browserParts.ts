import { DEFAULT_PRODUCT_NAME } from "../../board/spec.ts";
import { fetchConfig, type PageConfig } from "./config.ts";
import { inspectable } from "./inspect.ts";
import { showNotice } from "./notices.ts";
import type { SessionParts } from "./session.ts";

/** The server wrote the configured name into index.html, so it is known before anything is asked. */
const servedName = document.title.trim() || DEFAULT_PRODUCT_NAME;

/** Asked as early as the page runs; index.html has the browser fetch it even before. */
let early: Promise<PageConfig> | null = fetchConfig();
early.catch(() => undefined);

function loadConfig(): Promise<PageConfig> {
  const asked = early ?? fetchConfig();
  early = null;
  return asked;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function released(host: HTMLElement): Promise<void> {
  while (host.matches(":active")) await pause(100);
}

/** The world of a session in a browser. Canvas and room are fetched after the page is painted. */
export function browserParts(): SessionParts {
  return {
    origin: location.origin,
    productName: servedName,
    loadConfig,
    loadRoom: () =>
      import("../sync/create.ts").then((code) => (config) => inspectable(code.createRoom(config))),
    loadCanvas: () => import("../canvas/create.ts").then((code) => code.createBoardCanvas),
    notify: showNotice,
    later: (work, ms) => {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
    pause: () => pause(0),
    released,
    log: (what, reason) => console.error(`${what}:`, reason),
  };
}
