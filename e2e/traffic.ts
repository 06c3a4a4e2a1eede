/** Records what a page sends, its broadcasts and its requests to the table, and holds back its writes. */

import type { Page } from "@playwright/test";

export interface Broadcast {
  readonly event: string;
  /** The size of the payload. */
  readonly bytes: number;
  readonly payload: unknown;
}

export interface Traffic {
  readonly broadcasts: readonly Broadcast[];
  /** The requests in order: `GET`, `POST` or `PATCH`, and the text after the table's name. */
  readonly table: readonly string[];
}

/** Listens from now on; call it before the page is opened. */
export function watchTraffic(page: Page): Traffic {
  const broadcasts: Broadcast[] = [];
  const table: string[] = [];
  page.on("request", (request) => {
    const at = request.url().indexOf("/rest/v1/canvas_state");
    if (at >= 0 && request.method() !== "OPTIONS")
      table.push(`${request.method()} ${decodeURIComponent(request.url().slice(at + 21))}`.trim());
  });
  page.on("websocket", (socket) =>
    socket.on("framesent", ({ payload }) => {
      const broadcast = typeof payload === "string" ? null : parseFrame(payload);
      if (broadcast !== null) broadcasts.push(broadcast);
    }),
  );
  return { broadcasts, table };
}

/** Parses a frame of kind 3 of protocol version 2: seven bytes of lengths, the texts, then the payload. */
function parseFrame(frame: Buffer): Broadcast | null {
  if (frame[0] !== 3) return null;
  const [joinRef = 0, ref = 0, topic = 0, event = 0, meta = 0] = frame.subarray(1, 6);
  const eventAt = 7 + joinRef + ref + topic;
  const payload = frame.subarray(eventAt + event + meta);
  return {
    event: frame.toString("utf8", eventAt, eventAt + event),
    bytes: payload.length,
    payload: JSON.parse(payload.toString("utf8")),
  };
}

/** Returns the `canvas-update` broadcasts. */
export function updatesOf(traffic: Traffic): readonly Broadcast[] {
  return traffic.broadcasts.filter(({ event }) => event === "canvas-update");
}

/** Returns the requests that write. */
export function writesOf(traffic: Traffic): readonly string[] {
  return traffic.table.filter((request) => !request.startsWith("GET"));
}

/** Holds back what a page writes to its row, from its opening on, until the returned function is called. */
export function holdSaves(page: Page): Promise<() => void> {
  return holdRequests(
    page,
    "**/rest/v1/canvas_state*",
    (method) => !["GET", "OPTIONS"].includes(method),
  );
}

/** Holds back requests of a page, by address and method, until the returned function is called. */
export async function holdRequests(
  page: Page,
  address: string | RegExp,
  isHeld = (_method: string): boolean => true,
): Promise<() => void> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(address, async (route) => {
    if (isHeld(route.request().method())) await released;
    await route.fallback();
  });
  return release;
}
